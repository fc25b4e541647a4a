import Hosting
import Podium
import Synchronization

/// The rooms' side of the show: where the music is, as often as stands need it.
///
/// The desk's thread only leaves the newest here; whoever turns pages fetches it.
package final class RoomsOutput: ShowOutput {
    private struct Mail {
        var newest: LivePlace?
        var given: LivePlace?
        var isFetched = true
    }

    /// Milliseconds between two places that differ in what moves all the time only, and two that are equal.
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
        // The server that reigns has the stands.
        guard picture.isOurs else { return }
        let isDue = mail.withLock { mail in
            var place = LivePlace(picture, after: mail.given)
            let isNews = place.isNews(after: mail.given)
            if !isNews, let given = mail.given {
                let passed = place.at.milliseconds(since: given.at)
                guard passed >= (place.word == given.word ? Self.restingEvery : Self.movingEvery) else {
                    return false
                }
            }
            mail.given = place
            // A jump that nobody has fetched yet is not forgotten.
            if !mail.isFetched, let waiting = mail.newest, waiting.folder == place.folder {
                place.word.jumped = place.word.jumped || waiting.word.jumped
            }
            mail.newest = place
            mail.isFetched = false
            return true
        }
        if isDue { bell.yield() }
    }

    /// The newest, once.
    func fetch() -> LivePlace? {
        mail.withLock { mail in
            guard !mail.isFetched else { return nil }
            mail.isFetched = true
            return mail.newest
        }
    }

    package func close() async { bell.finish() }
}
