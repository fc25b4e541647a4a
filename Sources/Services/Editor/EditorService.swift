import Catalogue
import Content
import Hosting
import ServiceLifecycle
import WebServer

/// The editor service: editing and publishing the concerts of the catalogue.
package struct EditorService: HostedService {
    package let desk: ConcertEditor
    /// Limits of editors' uploads; nil for no limits.
    let quota: UploadQuota?

    package init(_ desk: ConcertEditor, quota: UploadQuota?) {
        self.desk = desk
        self.quota = quota
    }

    /// Opens the catalogue's concerts. The first start creates a concert from the files stored with the recordings.
    /// - Parameter say: prints a sentence for the operator.
    package static func open(
        catalogue: CatalogueStore, data: String, start: InitialContent,
        isShowLocked: @escaping @Sendable () -> Bool, say: (String) -> Void
    ) async throws -> ConcertEditor {
        let desk = try ConcertEditor(
            catalogue: catalogue, data: data, recordings: start.recordings, models: start.models,
            isShowLocked: isShowLocked)
        do {
            try await withContentErrorSentences {
                for note in try await start.open(desk) { say(note + "\n") }
            }
        } catch let failure as ExplainedError {
            // An error in the texts must not prevent following the music.
            say("The content of the concert cannot be shown: \(failure.sentence)\n")
        }
        return desk
    }

    package var routes: [WebRoute] { ContentEditRoutes(desk: desk, quota: quota).routes }

    package var stores: [ReplicatedStore] {
        [
            ReplicatedStore(.catalogue, files: ("assets", desk.shelf)) { [desk] tables in
                guard !tables.isDisjoint(with: ["all", "concert", "servedConcert", "contentEdit"]) else {
                    return
                }
                await desk.republishFromDisk()
            }
        ]
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [desk] in await desk.watchForChanges() }
    }
}
