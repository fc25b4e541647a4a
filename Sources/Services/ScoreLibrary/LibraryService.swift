import Catalogue
import Hosting
import ServiceLifecycle
import WebServer

/// The library service: managing scores, their pages, and users' rights to them.
package struct LibraryService: HostedService {
    package let library: Library
    /// How much librarians may bring; nil for no bound.
    private let quota: UploadQuota?
    private let say: @Sendable (String) -> Void

    /// - Parameters:
    ///   - quota: nil for no bound.
    ///   - say: told sentences for people.
    package init(_ library: Library, quota: UploadQuota?, say: @escaping @Sendable (String) -> Void) {
        self.library = library
        self.quota = quota
        self.say = say
    }

    package var routes: [WebRoute] { library.routes(within: quota) }

    package var preShowCheckItems: [PreShowCheckItem] { [library.measureNumberQuestion] }

    package var stores: [ReplicatedStore] {
        [
            ReplicatedStore(
                .catalogue, files: ("scores", library.shelf),
                onBecomingActive: { [library, say] in
                    for note in await library.resumeImports() { say(note + "\n") }
                }
            ) { [library] _ in await library.reread() }
        ]
    }
}
