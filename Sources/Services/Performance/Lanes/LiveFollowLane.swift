import Following
import Hosting
import MusicalTime
import RealTime
import Synchronization

/// Lane 2: drains the ring hop by hop, follows, and publishes.
///
/// The lane sleeps at the doorbell that the capture lane rings, works through whole hops, and rings for the
/// services. Nothing in it waits for them: the newest report lies in a mailbox, all reports in a ring that may
/// overflow.
package final class FollowLane: @unchecked Sendable {
    // @unchecked: `concert` and the variables below it belong to the thread that is in `run`, and to nobody
    // before and after; everything else is constant or made for several threads.

    package let ring: SampleRing
    /// Rung by the capture lane.
    package let heard: WakeSignal
    package let newest = LatestValueSlot<LiveReport>()
    /// Rung after each report.
    package let told: WakeSignal
    let everyReport = LiveReportRing()
    /// What people ask of the follower; obeyed before the next hop.
    package let orders = LiveOrders()
    /// Work on each hop; more than half a hop's length is an overrun.
    let hopTime: DeadlineMeter
    /// From the capture of a hop's newest sample to its report; one device period and two hops are in order.
    let captureToReport = DeadlineMeter(limit: .milliseconds(50))
    private let longestGap = Atomic<Int64>(0)
    /// Samples the next hop takes.
    private let wanted: Atomic<Int>

    private let concert: any LaneFollower
    private let stampRate: SampleRate
    private let restart: Restart?
    private let block: UnsafeMutableBufferPointer<Float>
    private var nextRestart: Int
    private var newestMade: MonotonicInstant?
    private var newestOrder: UInt32 = 0

    /// For a recording played in a loop: after every `everySamples` samples the follower begins again at `place`.
    package struct Restart: Sendable {
        package var everySamples: Int
        package var place: ProgrammePosition

        package init(everySamples: Int, place: ProgrammePosition) {
            self.everySamples = everySamples
            self.place = place
        }
    }

    /// - Parameters:
    ///   - pace: seconds of audio that pass in one second; other than 1 only where a file is the source.
    ///   - restart: nil where the music is played once.
    package init(
        _ concert: any LaneFollower, pace: Double = 1, restart: Restart? = nil
    ) throws(RealTimeError) {
        self.concert = concert
        self.restart = restart
        nextRestart = restart?.everySamples ?? .max
        wanted = Atomic(concert.samplesToHopEnd)
        stampRate = SampleRate(hertz: concert.rate.hertz * pace)
        heard = try WakeSignal()
        told = try WakeSignal()
        // Two seconds: more than the longest stall of a machine that is fit for the work.
        ring = SampleRing(capacity: Int(2 * concert.rate.hertz))
        hopTime = DeadlineMeter(limit: Self.hop / 2 / pace)
        block = .allocate(capacity: Int(concert.rate.hertz))
        block.initialize(repeating: 0)
    }

    deinit { block.deallocate() }

    private static let hop = Duration.milliseconds(20)

    /// The longest time between two reports.
    var longestReportGap: Duration { .nanoseconds(longestGap.load(ordering: .relaxed)) }

    /// True when less than a hop is waiting.
    var isDrained: Bool { ring.available < wanted.load(ordering: .acquiring) }

    /// Works until told to stop. Lane: follow.
    package func run(until stop: StopRequest) {
        while !stop.isMade {
            _ = heard.wait(milliseconds: 100)
            while !stop.isMade, followHop() {}
        }
    }

    /// - Returns: false when no whole hop is waiting.
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
        wanted.store(concert.samplesToHopEnd, ordering: .releasing)
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
            // Whoever gives orders knows the programme; one that does not is not worth a crash in a concert.
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
