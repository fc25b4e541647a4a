import Basics
import Following
import Hosting
import Platform
import Synchronization

/// The work of the follow thread: reads the sound hop by hop, follows it and publishes reports.
///
/// The thread sleeps until the capture thread wakes it, processes all complete hops, and wakes the show engine. It
/// never waits for the threads that read its reports: the newest report is in a slot that is overwritten, and the
/// queue of all reports drops reports when it is full.
package final class FollowLane: @unchecked Sendable {
    // @unchecked: `follower` and the variables below it belong to the thread that executes `run`; everything else is
    // constant or safe for several threads.

    package let ring: SampleRing
    /// Signalled by the capture thread when samples have arrived.
    package let samplesArrived: WakeSignal
    package let newestReport = LatestValueSlot<StampedReport>()
    /// Signalled after each report.
    package let reportPublished: WakeSignal
    let allReports = ReportQueue()
    /// The orders that people give to the follower; they are carried out before the next hop.
    package let orders = FollowLaneOrderQueue()
    /// The processing time of each hop; more than half a hop's length counts as an overrun.
    let hopDurationMeter: DeadlineMeter
    /// The delay from the capture of a hop's newest sample to its report. One device period plus two hops is normal.
    let captureLatencyMeter = DeadlineMeter(limit: .milliseconds(50))
    private let longestReportGapNanoseconds = Atomic<Int64>(0)
    /// The number of followers that replaced the first one, each for a changed programme.
    let followersTakenOver = Atomic<Int>(0)

    private var follower: any LiveAudioFollower
    private let samplesPerRealSecond: SampleRate
    private let repetitionRestart: RepetitionRestart?
    private let hopBuffer: UnsafeMutableBufferPointer<Float>
    private let recentSound: RecentSound
    /// The number of samples that a follower has heard twice, because the music had begun before a person said so.
    private var repeatedSampleCount = 0
    private var nextRestartSample: Int
    private var newestReportTime: MonotonicInstant?
    private var newestOrderNumber: UInt32 = 0

    /// Restarts the follower at `place` after every `intervalSamples` samples, for a recording that is repeated.
    package struct RepetitionRestart: Sendable {
        package var intervalSamples: Int
        package var place: ProgrammePosition

        package init(intervalSamples: Int, place: ProgrammePosition) {
            self.intervalSamples = intervalSamples
            self.place = place
        }
    }

    /// Creates the work of the follow thread without starting the thread.
    /// - Parameters:
    ///   - pace: the playback speed of a file; 1 for a device.
    ///   - repetitionRestart: nil if the music is played once.
    package init(
        _ concert: any LiveAudioFollower, pace: Double = 1, repetitionRestart: RepetitionRestart? = nil
    ) throws(RealTimeError) {
        self.follower = concert
        self.repetitionRestart = repetitionRestart
        nextRestartSample = repetitionRestart?.intervalSamples ?? .max
        samplesPerRealSecond = SampleRate(hertz: concert.sampleRate.hertz * pace)
        samplesArrived = try WakeSignal()
        reportPublished = try WakeSignal()
        // Two seconds of sound, longer than any stall of a suitable machine.
        ring = SampleRing(capacity: Int(2 * concert.sampleRate.hertz))
        hopDurationMeter = DeadlineMeter(limit: Self.hopDuration / 2 / pace)
        hopBuffer = .allocate(capacity: Int(concert.sampleRate.hertz))
        hopBuffer.initialize(repeating: 0)
        recentSound = RecentSound(sampleRate: concert.sampleRate)
    }

    deinit { hopBuffer.deallocate() }

    private static let hopDuration = Duration.milliseconds(20)

    /// The longest time between two reports so far.
    var longestReportGap: Duration { .nanoseconds(longestReportGapNanoseconds.load(ordering: .relaxed)) }

    /// Follows until told to stop. Runs on the follow thread.
    /// - Parameter inputEnd: requested after the last sample was written and before `samplesArrived` is signalled.
    ///   This method then returns as soon as less than a hop is left. Nil for an input without an end.
    package func run(until stop: StopRequest, orWhenHeardAfter inputEnd: StopRequest? = nil) {
        while !stop.isMade {
            _ = samplesArrived.wait(milliseconds: 100)
            // Read before the ring buffer, so that all samples written before the end are still followed.
            let isLast = inputEnd?.isMade ?? false
            while !stop.isMade, followHop() {}
            if isLast { return }
        }
    }

    /// Follows one hop.
    /// - Returns: false if no complete hop is waiting.
    private func followHop() -> Bool {
        let hop = follower.samplesToHopEnd
        guard ring.availableSamples >= hop else { return false }
        let start = MonotonicClock.now
        let count = ring.read(into: UnsafeMutableBufferPointer(rebasing: hopBuffer[..<hop]))
        restartIfDue()
        let repeatedBefore = repeatedSampleCount
        carryOutOrders()
        follower.setRehearsal(orders.isRehearsal.load(ordering: .relaxed))
        let captured = ring.newestBlockStamp.map {
            $0.captureInstant(of: ring.readPosition, at: samplesPerRealSecond)
        }
        let samples = UnsafeBufferPointer(rebasing: hopBuffer[..<count])
        follower.hearSamples(samples) { said in publishReport(said, captured: captured ?? start) }
        recentSound.append(samples)
        // Hearing two seconds again takes longer than a hop may, and is no sign of a slow machine.
        if repeatedSampleCount == repeatedBefore {
            hopDurationMeter.recordHop(from: start, to: MonotonicClock.now)
        }
        return true
    }

    private func restartIfDue() {
        guard let repetitionRestart, follower.heardSamples.count >= nextRestartSample else {
            return
        }
        nextRestartSample += repetitionRestart.intervalSamples
        follower.begin(at: repetitionRestart.place)
    }

    private func carryOutOrders() {
        while let order = orders.removeOldest() {
            if case .changeFollower(let box) = order.kind {
                takeOver(box)
                continue
            }
            newestOrderNumber = order.number
            // Every sender checks the piece number. A wrong one is ignored here, as a crash during the concert would
            // be worse.
            guard follower.programme.pieceModels.indices.contains(order.piece) else { continue }
            switch order.kind {
            case .awaitMusicStart:
                follower.begin(at: ProgrammePosition(pieceIndex: order.piece, position: order.position))
            case .beginMusic:
                follower.begin(at: ProgrammePosition(pieceIndex: order.piece, position: order.position))
                hearNewestBeginningAgain()
            case .anchor:
                guard let position = order.position else { continue }
                let measures = follower.programme.pieceModels[order.piece].measures
                follower.takeOperatorPosition(piece: order.piece, at: measures.time(of: position))
            case .confirm, .changeFollower: continue
            }
        }
    }

    /// Lets the follower hear again what has begun within the last two seconds. Its reports about that are late, so they
    /// are not published. Costs at most a hundred hops' time, once: 18 ms on two cores.
    private func hearNewestBeginningAgain() {
        let repeated = recentSound.replayNewestBeginning { follower.hearSamples($0) { _ in } }
        repeatedSampleCount += repeated
        if nextRestartSample < .max { nextRestartSample += repeated }
    }

    /// Goes on with the follower of a changed programme. The earlier one is not released here, because the exchange
    /// still holds it.
    private func takeOver(_ box: UnsafeRawPointer) {
        let next = Unmanaged<FollowerBox>.fromOpaque(box).takeUnretainedValue().follower
        next.continuePerformance()
        follower = next
        followersTakenOver.add(1, ordering: .releasing)
    }

    private func publishReport(_ said: ConcertReport, captured: MonotonicInstant) {
        let now = MonotonicClock.now
        var report = StampedReport(
            concertReport: said, publishedAt: now, newestCompletedOrderNumber: newestOrderNumber)
        if repeatedSampleCount > 0 {
            let heard = said.positionReport.liveTime.seconds
            let repeated = SampleTime(repeatedSampleCount).seconds(at: follower.sampleRate)
            report.concertReport.positionReport.liveTime = LiveTime(seconds: heard - repeated)
        }
        let latency = max(now.nanoseconds - captured.nanoseconds, 0)
        report.concertReport.positionReport.captureToReportDelay = Seconds(Double(latency) / 1e9)
        captureLatencyMeter.recordHop(nanoseconds: latency)
        if let newestReportTime {
            let gap = now.nanoseconds - newestReportTime.nanoseconds
            if gap > longestReportGapNanoseconds.load(ordering: .relaxed) {
                longestReportGapNanoseconds.store(gap, ordering: .relaxed)
            }
        }
        newestReportTime = now
        newestReport.deliver(report)
        allReports.write(report)
        reportPublished.ring()
    }
}
