import Foundation
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
    private let music = Mutex((isLive: false, since: Int64?.none))

    /// True while music of the concert is live.
    var isMusicLive: Bool { music.withLock { $0.isLive } }

    /// The moment at which the first music of this run through the programme began, in milliseconds since 1970; nil
    /// before it and after the end. It is a fact of the calendar and orders nothing.
    var musicSince: Int64? { music.withLock { $0.since } }

    init() { (ends, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let isLive = snapshot.state.isLive && !snapshot.state.isRehearsal
        let isAfter = snapshot.state.phase == .over
        music.withLock { music in
            music.isLive = isLive
            if isAfter { music.since = nil }
            if isLive, !isAfter, music.since == nil {
                music.since = Int64(Date().timeIntervalSince1970 * 1_000)
            }
        }
        let isOver = snapshot.state.phase == .over && snapshot.isActiveServer
        let isNew = wasOver.withLock { was in
            defer { was = isOver }
            return isOver && !was
        }
        if isNew { tell.yield() }
    }

    func close() async { tell.finish() }
}
