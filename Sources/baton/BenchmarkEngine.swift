import FFTWTransform
import Following
import MusicalTime
import RealTime

/// What one live stream costs against a reference of some length.
struct EngineCosts: Encodable {
    var referenceMinutes: Double
    /// What the frames of the model take.
    var modelBytes: Int
    /// What the follower takes beside the model.
    var residentBytes: Int
    /// The most it took beside the model while it was made.
    var peakBytes: Int
    /// Seconds it took to make the follower.
    var makingSeconds: Double
    /// Time on a core of each hop in the first second of music, in which seven keys are followed.
    var opening: SpreadSummary
    /// The same once the key is found.
    var steady: SpreadSummary
    /// By the clock on the wall, neighbours included.
    var steadyWall: SpreadSummary
    /// Share of one core in real time.
    var openingCoreShare: Double
    var steadyCoreShare: Double
    /// Share of hops that end within half a second of where the music is.
    var foundShare: Double
    /// Nil where nobody counts.
    var allocations: Int?

    /// The key is open for at least a second of music and at most twenty.
    static let openSeconds = 1.0
    static let settledSeconds = 25.0
    private static let liveTempo = TempoRatio(1.03)

    /// Follows synthetic music hop by hop, as the follow lane does, but without waiting between hops.
    /// - Parameter liveSeconds: of music to follow; more than ``settledSeconds``.
    init(referenceMinutes: Double, model: ReferenceModel, liveSeconds: Double) {
        self.referenceMinutes = referenceMinutes
        modelBytes = model.frameBytes
        ResidentMemory.forgetPeak()
        let before = ResidentMemory.bytes
        let start = MonotonicClock.now
        let concert = ConcertFollower(
            programme: Programme(title: "Benchmark", models: [model]), rate: SyntheticReference.rate,
            transforms: FFTWSpectrumMaker())
        makingSeconds = (MonotonicClock.now - start).seconds
        peakBytes = ResidentMemory.peakBytes - before

        var run = EngineRun(turns: Int(liveSeconds * 50))
        run.follow(concert, seconds: liveSeconds, tempo: Self.liveTempo)
        residentBytes = ResidentMemory.bytes - before - run.ownBytes
        opening = run.opening.summary
        steady = run.steady.summary
        steadyWall = run.steadyWall.summary
        openingCoreShare = Self.coreShare(opening)
        steadyCoreShare = Self.coreShare(steady)
        foundShare = Double(run.found) / Double(max(run.steady.turns, 1))
        allocations = run.allocations
    }

    private static func coreShare(_ spread: SpreadSummary) -> Double {
        Double(spread.meanNanoseconds) / 20e6
    }
}

/// The measured loop; what it needs is allocated before it begins.
private struct EngineRun {
    var opening: Spread
    var steady: Spread
    var steadyWall: Spread
    var found = 0
    var allocations: Int?
    let ownBytes: Int

    init(turns: Int) {
        opening = Spread(turns: turns)
        steady = Spread(turns: turns)
        steadyWall = Spread(turns: turns)
        ownBytes = 3 * turns * MemoryLayout<Int64>.stride
    }

    mutating func follow(_ concert: ConcertFollower, seconds: Double, tempo: TempoRatio) {
        let counter = AllocationCount()
        if counter != nil { allocations = 0 }
        var music = SyntheticMusic(rate: concert.rate, tempo: tempo)
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: concert.samplesToHopEnd + 1)
        defer { block.deallocate() }
        var heard = 0.0
        while heard < seconds {
            let hop = UnsafeMutableBufferPointer(rebasing: block[..<concert.samplesToHopEnd])
            music.play(into: hop)
            var reference = 0.0
            let allocated = counter?.allocations ?? 0
            let wall = MonotonicClock.now
            let start = ThreadClock.nanoseconds
            concert.hear(UnsafeBufferPointer(hop)) { reference = $0.report.reference?.seconds ?? 0 }
            let end = ThreadClock.nanoseconds
            let wallEnd = MonotonicClock.now
            let allocatedInHop = (counter?.allocations ?? 0) - allocated
            heard += Double(hop.count) / concert.rate.hertz
            if heard < EngineCosts.openSeconds {
                opening.add(nanoseconds: end - start)
            } else if heard > EngineCosts.settledSeconds {
                steady.add(nanoseconds: end - start)
                steadyWall.add(nanoseconds: wallEnd.nanoseconds - wall.nanoseconds)
                allocations = allocations.map { $0 + allocatedInHop }
                if abs(reference - heard * tempo.value) < 0.5 { found += 1 }
            }
        }
    }
}
