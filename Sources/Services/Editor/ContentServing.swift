import Catalogue
import Content
import Hosting
import ServiceLifecycle
import WebServer

/// The editors' side of a running server: the concert of the catalogue, edited and published.
package struct ContentServing: HostedService {
    package let desk: ContentDesk
    /// How much editors may bring; nil for no bound.
    let quota: UploadQuota?

    package init(_ desk: ContentDesk, quota: UploadQuota?) {
        self.desk = desk
        self.quota = quota
    }

    /// Opens the content; the first start takes it from beside the recordings.
    /// - Parameters:
    ///   - isShowLocked: asked before listeners get another concert.
    ///   - say: told sentences for people.
    package static func open(
        catalogue: CatalogueStore, data: String, start: ContentStart,
        isShowLocked: @escaping @Sendable () -> Bool, say: (String) -> Void
    ) async throws -> ContentDesk {
        let desk = try ContentDesk(
            catalogue: catalogue, data: data, recordings: start.recordings, models: start.models,
            isShowLocked: isShowLocked)
        do {
            try await sayingContentFaults {
                for note in try await start.open(desk) { say(note + "\n") }
            }
        } catch let failure as LiveFailure {
            // A mistake in the texts must not keep the music from being followed.
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
                await desk.reread()
            }
        ]
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [desk] in await desk.watch() }
    }
}
