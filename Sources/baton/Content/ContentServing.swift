import Catalogue
import Following
import Podium
import WebServer

/// Everything of content that a running server has: routes for everybody, outputs of the desk, streams.
struct ContentServing: Sendable {
    let desk: ContentDesk
    let output: AudienceOutput

    /// Opens the content; the first start takes it from beside the recordings.
    /// - Parameters:
    ///   - show: names the show, equal after a restart that goes on with it.
    ///   - clock: milliseconds since the show began, going on over restarts.
    ///   - say: told sentences for people.
    init(
        catalogue: CatalogueStore, data: String, start: ContentStart, show: String,
        clock: @escaping @Sendable () -> Int64, say: (String) -> Void
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
        let output = AudienceOutput(
            hub: desk.audience, show: show, content: { desk.served }, clock: clock)
        self.output = output
        desk.whenChanged { output.contentHasChanged() }
    }

    /// - Parameter quota: how much editors may bring; nil for no bound.
    func routes(_ quota: UploadQuota?) -> [WebRoute] { Self.routes(of: desk, quota) }

    static func routes(of desk: ContentDesk, _ quota: UploadQuota? = nil) -> [WebRoute] {
        ContentFixedPaths(desk: desk).routes + AudienceRoutes(desk: desk).routes
            + ContentEditRoutes(desk: desk, quota: quota).routes
    }

    var listeners: Int { desk.audience.listenerCount }
}
