import Hosting
import Podium
import Synchronization

/// Notices that the concert is played and that it is over, on the show engine's thread, and tells the service on
/// another one.
final class ConcertEndOutput: ShowOutput {
    /// A value for each end of the concert; an encore has one of its own.
    let ends: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation
    private let wasOver = Mutex(false)
    private let isLive = Mutex(false)

    /// True while music of the concert is live.
    var isMusicLive: Bool { isLive.withLock { $0 } }

    init() { (ends, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        isLive.withLock { $0 = snapshot.state.isLive && !snapshot.state.isRehearsal }
        let isOver = snapshot.state.phase == .over && snapshot.isActiveServer
        let isNew = wasOver.withLock { was in
            defer { was = isOver }
            return isOver && !was
        }
        if isNew { tell.yield() }
    }

    func close() async { tell.finish() }
}
