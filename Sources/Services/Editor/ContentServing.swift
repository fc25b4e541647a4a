import Catalogue
import WebServer

/// The editors' side of a running server: the concert of the catalogue, edited and published.
struct ContentServing: Sendable {
    let desk: ContentDesk

    /// Opens the content; the first start takes it from beside the recordings.
    /// - Parameter say: told sentences for people.
    init(
        catalogue: CatalogueStore, data: String, start: ContentStart, say: (String) -> Void
    ) async throws {
        let desk = try ContentDesk(
            catalogue: catalogue, data: data, recordings: start.recordings, models: start.models)
        self.desk = desk
        do {
            try await sayingContentFaults {
                for note in try await start.open(desk) { say(note + "\n") }
            }
        } catch let failure as LiveFailure {
            // A mistake in the texts must not keep the music from being followed.
            say("The content of the concert cannot be shown: \(failure.sentence)\n")
        }
    }

    /// - Parameter quota: how much editors may bring; nil for no bound.
    func routes(_ quota: UploadQuota? = nil) -> [WebRoute] {
        ContentEditRoutes(desk: desk, quota: quota).routes
    }
}
