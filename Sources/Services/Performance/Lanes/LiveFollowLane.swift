import Following
import Hosting
import MusicalTime
import RealTime
import Synchronization

/// The follow thread's work: reads the sound hop by hop, follows it and publishes reports.
///
/// It sleeps until the capture thread wakes it, processes all complete hops, and wakes the show engine. It waits for
/// no reader: the newest report is in a slot that is overwritten, and the queue of all reports drops reports when
/// full.
package final class FollowLane: @unchecked Sendable {
    // @unchecked: `concert` and the variables below it belong to the thread that executes `run`; everything else is
    // constant or safe for several threads.

    package let ring: SampleRing
    /// Signalled by the capture thread when samples have arrived.
    package let heard: WakeSignal
    package let newest = LatestValueSlot<LiveReport>()
    /// Signalled after each report.
    package let told: WakeSignal
    let everyReport = LiveReportRing()
    /// Orders for the follower from people; carried out before the next hop.
    package let orders = LiveOrders()
    /// The processing time of each hop; more than half a hop's length counts as an overrun.
    let hopTime: DeadlineMeter
    /// The delay from the capture of a hop's newest sample to its report. One device period plus two hops is normal.
    let captureToReport = DeadlineMeter(limit: .milliseconds(50))
    private let longestGap = Atomic<Int64>(0)

    private let concert: any LaneFollower
    private let stampRate: SampleRate
    private let restart: Restart?
    private let block: UnsafeMutableBufferPointer<Float>
    private var nextRestart: Int
    private var newestMade: MonotonicInstant?
    private var newestOrder: UInt32 = 0

    /// Restarts the follower at `place` after every `everySamples` samples, for a recording that is repeated.
    package struct Restart: Sendable {
        package var everySamples: Int
        package var place: ProgrammePosition

        package init(everySamples: Int, place: ProgrammePosition) {
            self.everySamples = everySamples
            self.place = place
        }
    }

    /// - Parameters:
    ///   - pace: the playback speed of a file; 1 for a device.
    ///   - restart: nil if the music is played once.
    package init(
        _ concert: any LaneFollower, pace: Double = 1, restart: Restart? = nil
    ) throws(RealTimeError) {
        self.concert = concert
        self.restart = restart
        nextRestart = restart?.everySamples ?? .max
        stampRate = SampleRate(hertz: concert.rate.hertz * pace)
        heard = try WakeSignal()
        told = try WakeSignal()
        // Two seconds of sound, longer than any stall of a suitable machine.
        ring = SampleRing(capacity: Int(2 * concert.rate.hertz))
        hopTime = DeadlineMeter(limit: Self.hop / 2 / pace)
        block = .allocate(capacity: Int(concert.rate.hertz))
        block.initialize(repeating: 0)
    }

    deinit { block.deallocate() }

    private static let hop = Duration.milliseconds(20)

    /// The longest time between two reports so far.
    var longestReportGap: Duration { .nanoseconds(longestGap.load(ordering: .relaxed)) }

    /// Follows until told to stop. Runs on the follow thread.
    /// - Parameter inputEnd: requested when no more samples will come, followed by a signal of `heard`; this method
    ///   then returns when less than a hop is left. Nil for an input without an end.
    package func run(until stop: StopRequest, orWhenHeardAfter inputEnd: StopRequest? = nil) {
        while !stop.isMade {
            _ = heard.wait(milliseconds: 100)
            // Read before the ring buffer, so that all samples written before the end are still followed.
            let isLast = inputEnd?.isMade ?? false
            while !stop.isMade, followHop() {}
            if isLast { return }
        }
    }

    /// - Returns: false if no complete hop is waiting.
    private func followHop() -> Bool {
        let hop = concert.samplesToHopEnd
        guard ring.available >= hop else { return false }
        let start = MonotonicClock.now
        let count = ring.read(into: UnsafeMutableBufferPointer(rebasing: block[..<hop]))
        restartIfDue()
        obeyOrders()
        let captured = ring.newestBlock.map { $0.instant(of: ring.readSamples, at: stampRate) }
        concert.hear(UnsafeBufferPointer(rebasing: block[..<count])) { said in
            publish(said, captured: captured ?? start)
        }
        hopTime.record(from: start, to: MonotonicClock.now)
        return true
    }

    private func restartIfDue() {
        guard let restart, concert.heardSamples.count >= nextRestart else { return }
        nextRestart += restart.everySamples
        concert.begin(at: restart.place)
    }

    private func obeyOrders() {
        while let order = orders.take() {
            newestOrder = order.number
            // Every sender checks the piece number. A wrong one is ignored here, as a crash during the concert would
            // be worse.
            guard concert.programme.models.indices.contains(order.piece) else { continue }
            switch order.kind {
            case .begin:
                concert.begin(at: ProgrammePosition(piece: order.piece, position: order.position))
            case .anchor:
                guard let position = order.position else { continue }
                let measures = concert.programme.models[order.piece].measures
                concert.anchor(piece: order.piece, at: measures.time(of: position))
            }
        }
    }

    private func publish(_ said: ConcertReport, captured: MonotonicInstant) {
        let now = MonotonicClock.now
        var report = LiveReport(said: said, made: now, order: newestOrder)
        let latency = max(now.nanoseconds - captured.nanoseconds, 0)
        report.said.report.captureToReport = Seconds(Double(latency) / 1e9)
        captureToReport.record(nanoseconds: latency)
        if let newestMade {
            let gap = now.nanoseconds - newestMade.nanoseconds
            if gap > longestGap.load(ordering: .relaxed) { longestGap.store(gap, ordering: .relaxed) }
        }
        newestMade = now
        newest.deliver(report)
        everyReport.write(report)
        told.ring()
    }
}
