import Basics
import Following
import Glibc
import Hosting
import Platform
import Sound

/// The time and memory that one live stream uses, with a reference of a given length.
package struct EngineCosts: Encodable {
    package var referenceMinutes: Double
    /// The size of the model's frames, in bytes.
    var modelBytes: Int
    /// Bytes that the follower occupies in addition to the model; see ``FollowerMemoryCosts``.
    var residentBytes: Int
    /// Peak of the follower's memory in addition to the model, reached while the follower is created.
    var peakBytes: Int
    /// Seconds needed to create the follower.
    var makingSeconds: Double
    /// Processor time of each hop in the first second of music, while the follower still compares seven musical keys.
    var opening: DurationSummary
    /// Processor time of each hop once the musical key is found.
    var steady: DurationSummary
    /// Processor time of each hop at real-time pace, so that other threads use the core and its caches between two
    /// hops.
    var paced: DurationSummary
    /// The share of one core, from 0 to 1, that the follower uses in the first second of music.
    var openingCoreShare: Double
    /// The same share once the musical key is found.
    var steadyCoreShare: Double
    /// The same share at real-time pace.
    var pacedCoreShare: Double
    /// Share of hops after which the reported position is within half a second of the music.
    var foundShare: Double
    /// Memory allocations in all measured hops; nil if the counting library is not loaded.
    var allocations: Int?

    /// Seconds from the start of the music at which the follower certainly has not decided on a musical key yet.
    static let secondsBeforeKeyCanBeDecided = 1.0
    /// Seconds from the start of the music after which the follower has certainly found the musical key.
    static let secondsUntilKeySurelyFound = 25.0
    private static let liveTempoRatio = TempoRatio(1.03)

    /// Follows synthetic music hop by hop as the follow thread does, first without pauses, then in real time.
    /// - Parameters:
    ///   - liveSeconds: seconds of music to follow without pauses; more than ``secondsUntilKeySurelyFound``.
    ///   - pacedSeconds: seconds of music to follow in real time after that.
    ///   - memory: measured in a separate process.
    package init(
        referenceMinutes: Double, model: ReferenceModel, liveSeconds: Double, pacedSeconds: Double,
        memory: FollowerMemoryCosts
    ) {
        self.referenceMinutes = referenceMinutes
        (modelBytes, residentBytes, peakBytes) = (memory.modelBytes, memory.residentBytes, memory.peakBytes)
        let start = MonotonicClock.now
        let concert = ConcertFollower(
            programme: ConcertProgramme(title: "Benchmark", pieceModels: [model]),
            sampleRate: SyntheticReference.rate,
            transforms: FFTWSpectrumMaker())
        makingSeconds = (MonotonicClock.now - start).seconds

        var run = EngineMeasurement(turns: Int((liveSeconds + pacedSeconds) * 50))
        run.follow(concert, seconds: liveSeconds, pacedSeconds: pacedSeconds, tempo: Self.liveTempoRatio)
        opening = run.openingHops.summary
        steady = run.steadyHops.summary
        paced = run.pacedHops.summary
        openingCoreShare = Self.coreShare(opening)
        steadyCoreShare = Self.coreShare(steady)
        pacedCoreShare = Self.coreShare(paced)
        foundShare =
            Double(run.correctHopCount)
            / Double(max(run.steadyHops.sampleCount + run.pacedHops.sampleCount, 1))
        allocations = run.allocationCount
    }

    private static func coreShare(_ spread: DurationSummary) -> Double {
        Double(spread.meanNanoseconds) / 20e6
    }
}

extension MonotonicInstant {
    /// Sleeps until this instant.
    fileprivate func sleepUntilReached() {
        var until = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &until, nil) == EINTR {}
    }
}

/// Runs the follower and times each hop. All memory is allocated before the first hop, so that allocations can be
/// counted.
private struct EngineMeasurement {
    var openingHops: DurationSamples
    var steadyHops: DurationSamples
    var pacedHops: DurationSamples
    var correctHopCount = 0
    var allocationCount: Int?

    init(turns: Int) {
        openingHops = DurationSamples(turns: turns)
        steadyHops = DurationSamples(turns: turns)
        pacedHops = DurationSamples(turns: turns)
    }

    mutating func follow(
        _ concert: ConcertFollower, seconds: Double, pacedSeconds: Double, tempo: TempoRatio
    ) {
        let counter = ThreadAllocationCounter()
        if counter != nil { allocationCount = 0 }
        var music = SyntheticMusic(rate: concert.sampleRate, tempo: tempo)
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: concert.samplesToHopEnd + 1)
        defer { block.deallocate() }
        var heard = 0.0
        var due = MonotonicClock.now
        while heard < seconds + pacedSeconds {
            let hop = UnsafeMutableBufferPointer(rebasing: block[..<concert.samplesToHopEnd])
            music.play(into: hop)
            var reference = 0.0
            let allocated = counter?.allocationCount ?? 0
            let isPaced = heard >= seconds
            if isPaced { due.sleepUntilReached() } else { due = MonotonicClock.now }
            due.nanoseconds += 20_000_000
            let start = ThreadProcessorClock.nanoseconds
            concert.hearSamples(UnsafeBufferPointer(hop)) {
                reference = $0.positionReport.referenceTime?.seconds ?? 0
            }
            let end = ThreadProcessorClock.nanoseconds
            let allocatedInHop = (counter?.allocationCount ?? 0) - allocated
            heard += Double(hop.count) / concert.sampleRate.hertz
            if heard < EngineCosts.secondsBeforeKeyCanBeDecided {
                openingHops.add(nanoseconds: end - start)
            } else if heard > EngineCosts.secondsUntilKeySurelyFound {
                if isPaced {
                    pacedHops.add(nanoseconds: end - start)
                } else {
                    steadyHops.add(nanoseconds: end - start)
                }
                allocationCount = allocationCount.map { $0 + allocatedInHop }
                if abs(reference - heard * tempo.value) < 0.5 { correctHopCount += 1 }
            }
        }
    }
}
