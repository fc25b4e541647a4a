import Hosting
import Podium
import Synchronization

/// Takes positions from the show for the rehearsal rooms, as often as stands need them.
///
/// The show's thread only stores the newest position; the stands service fetches it on its own task.
package final class RoomsOutput: ShowOutput {
    private struct Mail {
        var newest: LivePlace?
        var given: LivePlace?
        var isFetched = true
    }

    /// Least milliseconds between two positions that differ in the fraction or tempo only, and between two equal
    /// ones.
    private static let movingEvery: Int64 = 100
    private static let restingEvery: Int64 = 1_000

    private let mail = Mutex(Mail())
    private let bell: AsyncStream<Void>.Continuation
    let rings: AsyncStream<Void>

    init() {
        (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    package func carry(_ effect: PodiumEffect, of course: ShowProgramme) {}

    package func show(_ picture: DeskPicture) {
        // Stands are connected to the active server only, so a standby server ignores positions.
        guard picture.isOurs else { return }
        let isDue = mail.withLock { mail in
            var place = LivePlace(picture, after: mail.given)
            let isNews = place.isNews(after: mail.given)
            if !isNews, let given = mail.given {
                let passed = place.at.milliseconds(since: given.at)
                let least = place.word == given.word ? Self.restingEvery : Self.movingEvery
                guard passed >= least else { return false }
            }
            mail.given = place
            // A jump that has not been fetched yet is kept in the newer position.
            if !mail.isFetched, let waiting = mail.newest, waiting.folder == place.folder {
                place.word.jumped = place.word.jumped || waiting.word.jumped
            }
            mail.newest = place
            mail.isFetched = false
            return true
        }
        if isDue { bell.yield() }
    }

    /// Takes the newest position; nil if it was taken already.
    func fetch() -> LivePlace? {
        mail.withLock { mail in
            guard !mail.isFetched else { return nil }
            mail.isFetched = true
            return mail.newest
        }
    }

    package func close() async { bell.finish() }
}
