import FFTWTransform
import Following
import Glibc
import MusicalTime
import RealTime

/// What one live stream costs against a reference of some length.
struct EngineCosts: Encodable {
    var referenceMinutes: Double
    /// Bytes that the frames of the model take.
    var modelBytes: Int
    /// What the follower takes beside the model; see ``MemoryCosts``.
    var residentBytes: Int
    /// The most it took beside the model, while it was made.
    var peakBytes: Int
    /// Seconds it took to make the follower.
    var makingSeconds: Double
    /// Time on a core of each hop in the first second of music, in which seven keys are followed.
    var opening: SpreadSummary
    /// The same once the key is found.
    var steady: SpreadSummary
    /// The same in real time: between two hops others have the core and its caches.
    var paced: SpreadSummary
    /// Shares of one core, from these.
    var openingCoreShare: Double
    var steadyCoreShare: Double
    var pacedCoreShare: Double
    /// Share of hops that end within half a second of where the music is.
    var foundShare: Double
    /// Nil where nobody counts.
    var allocations: Int?

    /// The key is open for at least a second of music and at most twenty.
    static let openSeconds = 1.0
    static let settledSeconds = 25.0
    private static let liveTempo = TempoRatio(1.03)

    /// Follows synthetic music hop by hop, as the follow lane does, at first without waiting between hops.
    /// - Parameters:
    ///   - liveSeconds: of music to follow at once; more than ``settledSeconds``.
    ///   - pacedSeconds: of music to follow in real time behind it.
    ///   - memory: as measured in a process of its own.
    init(
        referenceMinutes: Double, model: ReferenceModel, liveSeconds: Double, pacedSeconds: Double,
        memory: MemoryCosts
    ) {
        self.referenceMinutes = referenceMinutes
        (modelBytes, residentBytes, peakBytes) = (memory.modelBytes, memory.residentBytes, memory.peakBytes)
        let start = MonotonicClock.now
        let concert = ConcertFollower(
            programme: Programme(title: "Benchmark", models: [model]), rate: SyntheticReference.rate,
            transforms: FFTWSpectrumMaker())
        makingSeconds = (MonotonicClock.now - start).seconds

        var run = EngineRun(turns: Int((liveSeconds + pacedSeconds) * 50))
        run.follow(concert, seconds: liveSeconds, pacedSeconds: pacedSeconds, tempo: Self.liveTempo)
        opening = run.opening.summary
        steady = run.steady.summary
        paced = run.paced.summary
        openingCoreShare = Self.coreShare(opening)
        steadyCoreShare = Self.coreShare(steady)
        pacedCoreShare = Self.coreShare(paced)
        foundShare = Double(run.found) / Double(max(run.steady.turns + run.paced.turns, 1))
        allocations = run.allocations
    }

    private static func coreShare(_ spread: SpreadSummary) -> Double {
        Double(spread.meanNanoseconds) / 20e6
    }
}

extension MonotonicInstant {
    /// Sleeps until this instant.
    fileprivate func sleep() {
        var until = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &until, nil) == EINTR {}
    }
}

/// The measured loop; what it needs is allocated before it begins.
private struct EngineRun {
    var opening: Spread
    var steady: Spread
    var paced: Spread
    var found = 0
    var allocations: Int?

    init(turns: Int) {
        opening = Spread(turns: turns)
        steady = Spread(turns: turns)
        paced = Spread(turns: turns)
    }

    mutating func follow(
        _ concert: ConcertFollower, seconds: Double, pacedSeconds: Double, tempo: TempoRatio
    ) {
        let counter = AllocationCount()
        if counter != nil { allocations = 0 }
        var music = SyntheticMusic(rate: concert.rate, tempo: tempo)
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: concert.samplesToHopEnd + 1)
        defer { block.deallocate() }
        var heard = 0.0
        var due = MonotonicClock.now
        while heard < seconds + pacedSeconds {
            let hop = UnsafeMutableBufferPointer(rebasing: block[..<concert.samplesToHopEnd])
            music.play(into: hop)
            var reference = 0.0
            let allocated = counter?.allocations ?? 0
            let isPaced = heard >= seconds
            if isPaced { due.sleep() } else { due = MonotonicClock.now }
            due.nanoseconds += 20_000_000
            let start = ThreadClock.nanoseconds
            concert.hear(UnsafeBufferPointer(hop)) { reference = $0.report.reference?.seconds ?? 0 }
            let end = ThreadClock.nanoseconds
            let allocatedInHop = (counter?.allocations ?? 0) - allocated
            heard += Double(hop.count) / concert.rate.hertz
            if heard < EngineCosts.openSeconds {
                opening.add(nanoseconds: end - start)
            } else if heard > EngineCosts.settledSeconds {
                if isPaced {
                    paced.add(nanoseconds: end - start)
                } else {
                    steady.add(nanoseconds: end - start)
                }
                allocations = allocations.map { $0 + allocatedInHop }
                if abs(reference - heard * tempo.value) < 0.5 { found += 1 }
            }
        }
    }
}
