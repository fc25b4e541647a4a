import Basics
import Following
import Foundation
import Hosting
import Score

/// One student who plays one piece: the sound in order, the follower, and the newest position. It runs on a
/// ``PracticeThread``.
actor PracticeSession {
    let thread: PracticeThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let programme: ConcertProgramme
    private let rate: SampleRate
    private var sequencer: BlockSequencer
    private var follower: SessionFollower?
    /// The first bar, before the follower exists.
    private var beginning = 0
    private(set) var isOver = false
    private let order: TakeOrder?
    /// Writes the take; nil if it is not kept.
    private var writer: TakeWriter?
    /// Whatever prevents that the take is kept, as a sentence.
    private var takeTrouble: String?
    /// The name of the take; nil if it is not kept.
    private var takeName: String?
    /// The real time since the session began, in seconds.
    private let elapsed: @Sendable () -> Double

    /// A take that is to be kept.
    struct TakeOrder: Sendable {
        var name: String
        var folder: String
        var take: Take
        /// The room on the disk that the take leaves to the show; nil for that of the take's disk.
        var reserve: DiskReserve?
    }

    /// - Parameters:
    ///   - order: the take to keep; nil if nothing is kept.
    ///   - elapsed: the seconds since the session began.
    init(
        programme: ConcertProgramme, rate: SampleRate, thread: PracticeThread,
        keeping order: TakeOrder? = nil, elapsed: @escaping @Sendable () -> Double = secondsFromNow()
    ) {
        self.order = order
        takeName = order?.name
        self.elapsed = elapsed
        self.programme = programme
        self.rate = rate
        self.thread = thread
        sequencer = BlockSequencer(hertz: rate.hertz)
    }

    /// A clock that begins at 0 with this call.
    private static func secondsFromNow() -> @Sendable () -> Double {
        let start = ContinuousClock.now
        return { (ContinuousClock.now - start) / .seconds(1) }
    }

    /// Hears the blocks of a request.
    /// - Parameter report: called with each report, for tests.
    func hear(
        _ blocks: [SoundBlock], report: @Sendable (PositionReport) -> Void = { _ in }
    ) throws(BlockSequencer.Fault) -> PracticePosition {
        // Made here and not at once, so that its memory is filled on this thread.
        let follower = madeFollower()
        let latest = latestSample
        for block in blocks where !isOver {
            guard Double(block.endSample) <= latest else { throw .tooFarAhead }
            try sequencer.add(block) { piece in
                writer?.write(piece)
                follower.hear(piece, report: report)
            }
        }
        return position
    }

    /// The latest sample that a microphone can have captured by now: with a minute for what it heard before
    /// the session, and a clock that is a little fast. No request makes the follower hear hours of silence.
    private var latestSample: Double { (elapsed() * 1.05 + 60) * rate.hertz }

    /// Goes to a played bar, from which the student says to begin.
    func begin(at played: Int) -> PracticePosition {
        madeFollower().begin(at: played)
        return position
    }

    /// Hears what still waits for missing blocks, and ends.
    func finish(report: @Sendable (PositionReport) -> Void = { _ in }) -> PracticePosition {
        if let follower, !isOver {
            sequencer.finish { piece in
                writer?.write(piece)
                follower.hear(piece, report: report)
            }
        }
        if !isOver { completeTake() }
        isOver = true
        let last = position
        follower = nil
        return last
    }

    private func madeFollower() -> SessionFollower {
        if let follower { return follower }
        let made = SessionFollower(programme: programme, rate: rate)
        follower = made
        if let order, !isOver {
            do throws(TakeFault) {
                writer = try TakeWriter(
                    folder: order.folder, take: order.take, rate: rate, reserve: order.reserve)
            } catch {
                takeTrouble = error.sentence
                discardTake()
            }
        }
        return made
    }

    private func completeTake() {
        guard let writer else { return discardTake() }
        takeTrouble = writer.trouble
        guard !writer.isEmpty else { return discardTake() }
        do throws(TakeFault) { try writer.close(lostSamples: sequencer.lostSamples) } catch {
            takeTrouble = error.sentence
        }
        self.writer = nil
    }

    /// Removes the folder of a take of which nothing was written.
    private func discardTake() {
        writer = nil
        guard let order, takeName != nil else { return }
        takeName = nil
        try? FileManager.default.removeItem(atPath: order.folder)
    }

    private var position: PracticePosition {
        PracticePosition(
            follower?.newest, heard: sequencer.nextSample, lost: sequencer.lostSamples,
            ignored: sequencer.ignoredBlocks, jumps: follower?.jumpCount ?? 0, rate: rate,
            take: takeName, takeTrouble: writer?.trouble ?? takeTrouble)
    }
}

/// The student's position, as the page gets it.
struct PracticePosition: Encodable, Equatable, Sendable {
    /// The number of samples that were heard, silence for lost ones included.
    var heard: Int
    /// The seconds of the take at the newest report.
    var seconds: Double
    /// The follower's state; see `FollowerState`.
    var state: String
    /// The played bar, counted from 0.
    var played: Int?
    /// The printed number of the bar.
    var bar: Int?
    /// The part of the bar that has passed, 0…1.
    var fraction: Double?
    /// The instant on the piece's timeline, in seconds.
    var place: Double?
    var tempo: Double
    var confidence: Double
    /// Samples that never came and were replaced by silence.
    var lostSamples: Int
    /// Blocks that came again or too late.
    var ignoredBlocks: Int
    /// The times that the student went to another place.
    var jumps: Int
    /// The name of the take that is kept; nil if none is.
    var take: String?
    /// The sentence why the take is not kept any more; nil if all is well.
    var takeTrouble: String?

    init(
        _ report: PositionReport?, heard: Int, lost: Int, ignored: Int, jumps: Int, rate: SampleRate,
        take: String?, takeTrouble: String?
    ) {
        func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
        self.heard = heard
        seconds = rounded(report?.liveTime.seconds ?? 0)
        state = (report?.state ?? .waiting).rawValue
        played = report?.position?.played
        bar = report?.printedMeasure
        fraction = report?.position.map { rounded($0.fraction) }
        place = report?.referenceTime.map { rounded($0.seconds) }
        tempo = rounded(report?.tempo.value ?? 1)
        confidence = rounded(report?.confidence ?? 0)
        (lostSamples, ignoredBlocks, self.jumps) = (lost, ignored, jumps)
        (self.take, self.takeTrouble) = (take, takeTrouble)
    }
}
