import Alignment
import Basics
import Features
import Following
import Sound

/// The processor time of one iteration of an inner loop.
package struct InnerLoopCosts: Encodable {
    /// The name of the loop, by which `Benchmarks/run` finds the corresponding C program.
    package var name: String
    /// Describes the work of one iteration of the loop.
    var work: String
    var spread: DurationSummary
}

/// Measures the processor time of each iteration of the engine's inner loops.
package struct InnerLoopBenchmark {
    private let repetitions: Int
    private let referenceFrames: ReferenceFeatureFrames
    private let liveFrameBuffer: UnsafeMutablePointer<Float>

    /// Prepares the measurement.
    /// - Parameters:
    ///   - reference: the frames to follow; they repeat if there are fewer than `repetitions`.
    ///   - repetitions: the number of times that each loop is measured.
    package init(reference: ReferenceFeatureFrames, repetitions: Int) {
        referenceFrames = reference
        self.repetitions = repetitions
        liveFrameBuffer = .allocate(capacity: reference.dimensions)
        liveFrameBuffer.initialize(repeating: 0, count: reference.dimensions)
    }

    package func measure() -> [InnerLoopCosts] {
        defer { liveFrameBuffer.deallocate() }
        return measureSpectra() + measureSimilarities() + [measureKeySearchStep()] + measureForwardFilter()
    }

    /// Copies frame `turn` of the reference into the buffer of the live frame.
    private func copyLiveFrame(_ turn: Int) -> LiveFeatureFrame {
        let start = turn % referenceFrames.frameCount * referenceFrames.dimensions
        for value in 0..<referenceFrames.dimensions {
            liveFrameBuffer[value] = referenceFrames.featureValues[start + value]
        }
        return LiveFeatureFrame(featureValues: liveFrameBuffer)
    }

    private func measureProcessorTime(into spread: inout DurationSamples, _ work: () -> Void) {
        let start = ThreadProcessorClock.nanoseconds
        work()
        spread.add(nanoseconds: ThreadProcessorClock.nanoseconds - start)
    }

    private func measureSpectra() -> [InnerLoopCosts] {
        let rate = SyntheticReference.rate
        let stage = SpectrumAnalyser(
            parameters: FeatureParameters(), sampleRate: rate, transforms: FFTWSpectrumMaker())
        let builder = FeatureFrameBuilder(
            analyser: stage, filterLibrary: SemitoneFiltersByPitchOffset(for: stage))
        var tuning = TuningEstimate(parameters: stage.parameters, halfLifeSeconds: 30)
        var music = SyntheticMusic(rate: rate)
        let hop = UnsafeMutableBufferPointer<Float>.allocate(
            capacity: Int(rate.hertz) / stage.parameters.framesPerSecond)
        defer { hop.deallocate() }
        var taking = DurationSamples(turns: repetitions)
        var building = DurationSamples(turns: repetitions)
        var voting = DurationSamples(turns: repetitions)
        for _ in 0..<repetitions {
            music.play(into: hop)
            var taken = 0
            measureProcessorTime(into: &taking) {
                _ = stage.addSamples(UnsafeBufferPointer(hop), taken: &taken)
            }
            measureProcessorTime(into: &building) { builder.buildFrame(into: liveFrameBuffer) }
            measureProcessorTime(into: &voting) { tuning.addVotes(stage) }
        }
        return [
            InnerLoopCosts(name: "spectrum-stage", work: "one hop, two FFTs", spread: taking.summary),
            InnerLoopCosts(name: "frame-builder", work: "one frame", spread: building.summary),
            InnerLoopCosts(name: "tuning-vote", work: "the peaks of one hop", spread: voting.summary),
        ]
    }

    /// Measures the similarity computation for one window of frames, and for the pooled frames of references of 10 and
    /// 90 minutes.
    private func measureSimilarities() -> [InnerLoopCosts] {
        [512, 6_000, 54_000].map { count in
            let dimensions = referenceFrames.dimensions
            let tiles = TiledReferenceFrames(
                frames: (0..<count * dimensions).map {
                    referenceFrames.featureValues[$0 % referenceFrames.featureValues.count]
                },
                dimensions: dimensions)
            let output = UnsafeMutablePointer<Float>.allocate(
                capacity: tiles.tileCount * TiledReferenceFrames.framesPerTile)
            defer { output.deallocate() }
            let turns = count > 10_000 ? repetitions / 5 : repetitions
            var spread = DurationSamples(turns: turns)
            for turn in 0..<turns {
                _ = copyLiveFrame(turn)
                measureProcessorTime(into: &spread) {
                    tiles.similarities(of: liveFrameBuffer, in: 0..<tiles.tileCount, into: output)
                }
            }
            return InnerLoopCosts(
                name: "similarities-\(count)", work: "\(count) reference frames", spread: spread.summary)
        }
    }

    /// Measures one step of the search for the musical key, for one key over the whole reference. The follower makes
    /// such a step every fifth frame.
    private func measureKeySearchStep() -> InnerLoopCosts {
        let parameters = ForwardFilterParameters()
        let keys = ForwardFilter(references: [referenceFrames], parameters: parameters)
            .makeMusicalKeySearch(keys: 1, framesPerSecond: 50)
        var spread = DurationSamples(turns: repetitions)
        for turn in 0..<repetitions {
            let frame = copyLiveFrame(turn)
            measureProcessorTime(into: &spread) { keys.advanceKey(0, frame) }
        }
        return InnerLoopCosts(
            name: "key-step", work: "one key, search of \(referenceFrames.frameCount / 3_000) min",
            spread: spread.summary)
    }

    /// Measures the whole forward filter, once for frames in which it also searches the whole reference, and once for
    /// the other frames.
    private func measureForwardFilter() -> [InnerLoopCosts] {
        let parameters = ForwardFilterParameters()
        let filter = ForwardFilter(references: [referenceFrames], parameters: parameters)
        var (plain, searching) = (DurationSamples(turns: repetitions), DurationSamples(turns: repetitions))
        filter.begin(at: FeatureFrameIndex(0))
        for turn in 0..<repetitions {
            let frame = copyLiveFrame(turn)
            let start = ThreadProcessorClock.nanoseconds
            _ = filter.advance(frame)
            let length = ThreadProcessorClock.nanoseconds - start
            if (turn + 1) % parameters.framesPerPooledFrame == 0 {
                searching.add(nanoseconds: length)
            } else {
                plain.add(nanoseconds: length)
            }
        }
        let minutes = referenceFrames.frameCount / 3_000
        return [
            InnerLoopCosts(name: "filter-plain", work: "one frame", spread: plain.summary),
            InnerLoopCosts(
                name: "filter-search", work: "one frame, search of \(minutes) min",
                spread: searching.summary),
        ]
    }
}
