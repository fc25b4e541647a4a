import Hosting
import Podium
import Synchronization

/// Passes positions from the show to the rehearsal rooms, as often as stands need them.
///
/// The show's thread only stores the newest position; the stands service takes it on its own task.
package final class StandsOutput: ShowOutput {
    private struct PendingPosition {
        var newestPosition: PerformancePosition?
        var lastOfferedPosition: PerformancePosition?
        var isNewestFetched = true
    }

    /// Least milliseconds between two positions if only the fraction or the tempo differs.
    private static let movingIntervalMilliseconds: Int64 = 100
    /// Least milliseconds between two equal positions.
    private static let restingIntervalMilliseconds: Int64 = 1_000

    private let pendingPosition = Mutex(PendingPosition())
    private let positionSignalSender: AsyncStream<Void>.Continuation
    let positionSignals: AsyncStream<Void>

    init() {
        (positionSignals, positionSignalSender) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        // Stands are connected to the active server only, so a standby server ignores positions.
        guard snapshot.isActiveServer else { return }
        let isDue = pendingPosition.withLock { pending in
            var place = PerformancePosition(snapshot, after: pending.lastOfferedPosition)
            let isSignificantChange = place.isSignificantChange(after: pending.lastOfferedPosition)
            if !isSignificantChange, let lastOffered = pending.lastOfferedPosition {
                let passed = place.showTime.milliseconds(since: lastOffered.showTime)
                let least =
                    place.liveUpdate == lastOffered.liveUpdate
                    ? Self.restingIntervalMilliseconds : Self.movingIntervalMilliseconds
                guard passed >= least else { return false }
            }
            pending.lastOfferedPosition = place
            // A jump that has not been fetched yet is kept in the newer position.
            if !pending.isNewestFetched, let waiting = pending.newestPosition,
                waiting.pieceFolder == place.pieceFolder
            {
                place.liveUpdate.jumped = place.liveUpdate.jumped || waiting.liveUpdate.jumped
            }
            pending.newestPosition = place
            pending.isNewestFetched = false
            return true
        }
        if isDue { positionSignalSender.yield() }
    }

    /// Takes the newest position; nil if it has been taken already.
    func takeNewestPosition() -> PerformancePosition? {
        pendingPosition.withLock { pending in
            guard !pending.isNewestFetched else { return nil }
            pending.isNewestFetched = true
            return pending.newestPosition
        }
    }

    package func close() async { positionSignalSender.finish() }
}
