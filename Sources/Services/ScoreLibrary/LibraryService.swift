import Catalogue
import Hosting
import Podium
import ServiceLifecycle
import WebServer

/// Serves the library: manages scores, their pages, and users' rights to them.
package struct LibraryService: HostedService {
    package let library: Library
    /// Limits what librarians may upload; nil for no limit.
    private let uploadQuota: UploadQuota?
    private let printSentence: @Sendable (String) -> Void
    private let programmeOutput: ProgrammeChangeOutput

    /// - Parameters:
    ///   - quota: limits what librarians may upload; nil for no limit.
    ///   - programme: tonight's programme, whose pieces the library knows.
    ///   - say: prints a sentence for the operator.
    package init(
        _ library: Library, quota: UploadQuota?, programme: ShowProgramme,
        say: @escaping @Sendable (String) -> Void
    ) {
        self.library = library
        self.uploadQuota = quota
        self.printSentence = say
        programmeOutput = ProgrammeChangeOutput(known: programme) { changed, _, _ in
            library.setTonightsPieces(FollowablePiece.pieces(of: changed))
        }
    }

    package var showOutputs: [any ShowOutput] { [programmeOutput] }

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
