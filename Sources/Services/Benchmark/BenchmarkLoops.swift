import Alignment
import FFTWTransform
import Features
import Following
import MusicalTime

/// The processor time of one iteration of an inner loop.
package struct LoopCosts: Encodable {
    /// The name of the loop, by which `Benchmarks/run` finds the corresponding C program.
    package var name: String
    /// Describes the work of one iteration of the loop.
    var work: String
    var spread: DurationSummary
}

/// Measures the processor time of each iteration of the engine's inner loops.
package struct InnerLoopBenchmark {
    private let repetitions: Int
    private let frames: ReferenceFrames
    private let liveFrameValues: UnsafeMutablePointer<Float>

    /// Prepares the measurement.
    /// - Parameters:
    ///   - reference: the frames to follow; they repeat if there are fewer than `repetitions`.
    ///   - repetitions: how often each loop is measured.
    package init(reference: ReferenceFrames, repetitions: Int) {
        frames = reference
        self.repetitions = repetitions
        liveFrameValues = .allocate(capacity: reference.dimensions)
        liveFrameValues.initialize(repeating: 0, count: reference.dimensions)
    }

    package func measure() -> [LoopCosts] {
        defer { liveFrameValues.deallocate() }
        return measureSpectra() + measureSimilarities() + [measureKeySearchStep()] + measureForwardFilter()
    }

    /// Copies frame `turn` of the reference into the buffer of the live frame.
    private func copyLiveFrame(_ turn: Int) -> LiveFrame {
        let start = turn % frames.frameCount * frames.dimensions
        for value in 0..<frames.dimensions { liveFrameValues[value] = frames.values[start + value] }
        return LiveFrame(values: liveFrameValues)
    }

    private func time(into spread: inout DurationSamples, _ work: () -> Void) {
        let start = ThreadProcessorClock.nanoseconds
        work()
        spread.add(nanoseconds: ThreadProcessorClock.nanoseconds - start)
    }

    private func measureSpectra() -> [LoopCosts] {
        let rate = SyntheticReference.rate
        let stage = SpectrumAnalyser(
            parameters: FeatureParameters(), rate: rate, transforms: FFTWSpectrumMaker())
        let builder = FrameBuilder(analyser: stage, library: PitchOffsetFilters(for: stage))
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
            time(into: &taking) { _ = stage.addSamples(UnsafeBufferPointer(hop), taken: &taken) }
            time(into: &building) { builder.build(into: liveFrameValues) }
            time(into: &voting) { tuning.vote(stage) }
        }
        return [
            LoopCosts(name: "spectrum-stage", work: "one hop, two FFTs", spread: taking.summary),
            LoopCosts(name: "frame-builder", work: "one frame", spread: building.summary),
            LoopCosts(name: "tuning-vote", work: "the peaks of one hop", spread: voting.summary),
        ]
    }

    /// Measures the similarity computation for one window of frames, and for the pooled frames of references of 10 and
    /// 90 minutes.
    private func measureSimilarities() -> [LoopCosts] {
        [512, 6_000, 54_000].map { count in
            let dimensions = frames.dimensions
            let tiles = ReferenceTiles(
                frames: (0..<count * dimensions).map { frames.values[$0 % frames.values.count] },
                dimensions: dimensions)
            let output = UnsafeMutablePointer<Float>.allocate(
                capacity: tiles.tileCount * ReferenceTiles.width)
            defer { output.deallocate() }
            let turns = count > 10_000 ? repetitions / 5 : repetitions
            var spread = DurationSamples(turns: turns)
            for turn in 0..<turns {
                _ = copyLiveFrame(turn)
                time(into: &spread) {
                    tiles.similarities(of: liveFrameValues, in: 0..<tiles.tileCount, into: output)
                }
            }
            return LoopCosts(
                name: "similarities-\(count)", work: "\(count) reference frames", spread: spread.summary)
        }
    }

    /// Measures one step of the search for the musical key, for one key over the whole reference. The follower makes
    /// such a step every fifth frame.
    private func measureKeySearchStep() -> LoopCosts {
        let parameters = ForwardFilterParameters()
        let keys = ForwardFilter(references: [frames], parameters: parameters)
            .makeMusicalKeySearch(keys: 1, framesPerSecond: 50)
        var spread = DurationSamples(turns: repetitions)
        for turn in 0..<repetitions {
            let frame = copyLiveFrame(turn)
            time(into: &spread) { keys.advance(0, frame) }
        }
        return LoopCosts(
            name: "key-step", work: "one key, search of \(frames.frameCount / 3_000) min",
            spread: spread.summary)
    }

    /// Measures the whole forward filter, separately for frames in which it also searches the whole reference and for
    /// all others.
    private func measureForwardFilter() -> [LoopCosts] {
        let parameters = ForwardFilterParameters()
        let filter = ForwardFilter(references: [frames], parameters: parameters)
        var (plain, searching) = (DurationSamples(turns: repetitions), DurationSamples(turns: repetitions))
        filter.begin(at: FrameIndex(0))
        for turn in 0..<repetitions {
            let frame = copyLiveFrame(turn)
            let start = ThreadProcessorClock.nanoseconds
            _ = filter.advance(frame)
            let length = ThreadProcessorClock.nanoseconds - start
            if (turn + 1) % parameters.searchPooling == 0 {
                searching.add(nanoseconds: length)
            } else {
                plain.add(nanoseconds: length)
            }
        }
        let minutes = frames.frameCount / 3_000
        return [
            LoopCosts(name: "filter-plain", work: "one frame", spread: plain.summary),
            LoopCosts(
                name: "filter-search", work: "one frame, search of \(minutes) min",
                spread: searching.summary),
        ]
    }
}
