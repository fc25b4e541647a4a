import Catalogue
import Hosting
import ServiceLifecycle
import WebServer

/// Serves the library: manages scores, their pages, and users' rights to them.
package struct LibraryService: HostedService {
    package let library: Library
    /// Limits what librarians may upload; nil for no limit.
    private let uploadQuota: UploadQuota?
    private let printSentence: @Sendable (String) -> Void

    /// - Parameters:
    ///   - quota: limits what librarians may upload; nil for no limit.
    ///   - say: prints a sentence for the operator.
    package init(_ library: Library, quota: UploadQuota?, say: @escaping @Sendable (String) -> Void) {
        self.library = library
        self.uploadQuota = quota
        self.printSentence = say
    }

    package var routes: [WebRoute] { library.routes(within: uploadQuota) }

    package var preShowCheckItems: [PreShowCheckItem] { [library.measureNumberCheckItem] }

    package var replicatedStores: [ReplicatedStore] {
        [
            ReplicatedStore(
                .catalogue, sharedAssetStore: ("scores", library.assetStore),
                onBecomingActive: { [library, printSentence] in
                    for note in await library.resumeImports() { printSentence(note + "\n") }
                }
            ) { [library] _ in await library.rereadScores() }
        ]
    }
}
