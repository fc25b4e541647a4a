import Hosting
import Podium
import Synchronization

/// Passes positions from the show to the rehearsal rooms, as often as stands need them.
///
/// The show's thread only stores the newest position; the stands service takes it on its own task.
package final class StandsOutput: ShowOutput {
    private struct PendingPosition {
        var newest: PerformancePosition?
        var lastOffered: PerformancePosition?
        var isFetched = true
    }

    /// Least milliseconds between two positions if only the fraction or the tempo differs.
    private static let movingIntervalMilliseconds: Int64 = 100
    /// Least milliseconds between two equal positions.
    private static let restingIntervalMilliseconds: Int64 = 1_000

    private let pending = Mutex(PendingPosition())
    private let positionSignal: AsyncStream<Void>.Continuation
    let positionSignals: AsyncStream<Void>

    init() {
        (positionSignals, positionSignal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        // Stands are connected to the active server only, so a standby server ignores positions.
        guard snapshot.isActiveServer else { return }
        let isDue = pending.withLock { pending in
            var place = PerformancePosition(snapshot, after: pending.lastOffered)
            let isSignificantChange = place.isSignificantChange(after: pending.lastOffered)
            if !isSignificantChange, let lastOffered = pending.lastOffered {
                let passed = place.time.milliseconds(since: lastOffered.time)
                let least =
                    place.liveUpdate == lastOffered.liveUpdate
                    ? Self.restingIntervalMilliseconds : Self.movingIntervalMilliseconds
                guard passed >= least else { return false }
            }
            pending.lastOffered = place
            // A jump that has not been fetched yet is kept in the newer position.
            if !pending.isFetched, let waiting = pending.newest, waiting.pieceFolder == place.pieceFolder {
                place.liveUpdate.jumped = place.liveUpdate.jumped || waiting.liveUpdate.jumped
            }
            pending.newest = place
            pending.isFetched = false
            return true
        }
        if isDue { positionSignal.yield() }
    }

    /// Takes the newest position; nil if it has been taken already.
    func takeNewest() -> PerformancePosition? {
        pending.withLock { pending in
            guard !pending.isFetched else { return nil }
            pending.isFetched = true
            return pending.newest
        }
    }

    package func close() async { positionSignal.finish() }
}
