import Catalogue
import Content
import Hosting
import ServiceLifecycle
import WebServer

/// The editor service: editing and publishing the concerts of the catalogue.
package struct EditorService: HostedService {
    package let concertEditor: ConcertEditor
    /// Limits of editors' uploads; nil for no limits.
    let uploadQuota: UploadQuota?

    package init(_ desk: ConcertEditor, quota: UploadQuota?) {
        self.concertEditor = desk
        self.uploadQuota = quota
    }

    /// Opens the catalogue's concerts. The first start creates a concert from the files stored with the recordings.
    /// - Parameter say: prints a sentence for the operator.
    package static func open(
        catalogue: CatalogueStore, data: String, start: InitialContent,
        isShowLocked: @escaping @Sendable () -> Bool, say: (String) -> Void
    ) async throws -> ConcertEditor {
        let desk = try ConcertEditor(
            catalogue: catalogue, data: data, recordings: start.recordingsFolderPath,
            models: start.modelsFolderPath,
            isShowLocked: isShowLocked)
        do {
            try await explainingContentErrors {
                for note in try await start.createIfEmptyAndPublish(desk) { say(note + "\n") }
            }
        } catch let failure as ExplainedError {
            // An error in the texts must not prevent following the music.
            say("The content of the concert cannot be shown: \(failure.sentence)\n")
        }
        return desk
    }

    package var routes: [WebRoute] {
        ContentEditRoutes(concertEditor: concertEditor, uploadQuota: uploadQuota).routes
    }

    package var replicatedStores: [ReplicatedStore] {
        [
            ReplicatedStore(.catalogue, sharedAssetStore: ("assets", concertEditor.assetStore)) {
                [concertEditor] tables in
                guard !tables.isDisjoint(with: ["all", "concert", "servedConcert", "contentEdit"]) else {
                    return
                }
                await concertEditor.republishFromDisk()
            }
        ]
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [concertEditor] in await concertEditor.watchForChanges() }
    }
}
