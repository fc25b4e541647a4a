import Catalogue
import Hosting
import ServiceLifecycle
import WebServer

/// The library service: managing scores, their pages, and users' rights to them.
package struct LibraryServing: HostedService {
    package let name = "library"
    package let library: Library
    private let say: @Sendable (String) -> Void

    /// - Parameter say: prints a sentence for the operator.
    package init(_ library: Library, say: @escaping @Sendable (String) -> Void) {
        self.library = library
        self.say = say
    }

    package var routes: [WebRoute] { library.routes }

    package var preShowQuestions: [PreShowQuestion] { [library.numbersQuestion] }

    package var stores: [ReplicatedStore] {
        [
            ReplicatedStore(
                .catalogue, files: ("scores", library.shelf),
                takeOver: { [library, say] in
                    for note in await library.resumeImports() { say(note + "\n") }
                }
            ) { [library] _ in await library.reread() }
        ]
    }
}
