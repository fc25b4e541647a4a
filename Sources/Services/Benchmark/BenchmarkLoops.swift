import Alignment
import FFTWTransform
import Features
import Following
import MusicalTime

/// Processor time of one turn of an inner loop.
package struct LoopCosts: Encodable {
    /// Name of the loop; `Benchmarks/run` finds the corresponding C program by it.
    package var name: String
    /// Describes the work of one turn of the loop.
    var work: String
    var spread: DurationSummary
}

/// Measures the processor time of each turn of the engine's inner loops.
package struct InnerLoops {
    private let turns: Int
    private let frames: ReferenceFrames
    private let live: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - reference: frames to follow; they repeat if there are fewer than `turns`.
    ///   - turns: number of turns of each loop.
    package init(reference: ReferenceFrames, turns: Int) {
        frames = reference
        self.turns = turns
        live = .allocate(capacity: reference.dimensions)
        live.initialize(repeating: 0, count: reference.dimensions)
    }

    package func measure() -> [LoopCosts] {
        defer { live.deallocate() }
        return spectra() + similarities() + [keyStep()] + filter()
    }

    /// Copies frame `turn` of the reference into the buffer of the live frame.
    private func copyLiveFrame(_ turn: Int) -> LiveFrame {
        let start = turn % frames.frameCount * frames.dimensions
        for value in 0..<frames.dimensions { live[value] = frames.values[start + value] }
        return LiveFrame(values: live)
    }

    private func time(into spread: inout DurationSamples, _ work: () -> Void) {
        let start = ThreadClock.nanoseconds
        work()
        spread.add(nanoseconds: ThreadClock.nanoseconds - start)
    }

    private func spectra() -> [LoopCosts] {
        let rate = SyntheticReference.rate
        let stage = SpectrumAnalyser(
            parameters: FeatureParameters(), rate: rate, transforms: FFTWSpectrumMaker())
        let builder = FrameBuilder(stage: stage, library: PitchOffsetFilters(for: stage))
        var tuning = TuningEstimate(parameters: stage.parameters, halfLifeSeconds: 30)
        var music = SyntheticMusic(rate: rate)
        let hop = UnsafeMutableBufferPointer<Float>.allocate(
            capacity: Int(rate.hertz) / stage.parameters.framesPerSecond)
        defer { hop.deallocate() }
        var taking = DurationSamples(turns: turns)
        var building = DurationSamples(turns: turns)
        var voting = DurationSamples(turns: turns)
        for _ in 0..<turns {
            music.play(into: hop)
            var taken = 0
            time(into: &taking) { _ = stage.take(UnsafeBufferPointer(hop), taken: &taken) }
            time(into: &building) { builder.build(into: live) }
            time(into: &voting) { tuning.vote(stage) }
        }
        return [
            LoopCosts(name: "spectrum-stage", work: "one hop, two FFTs", spread: taking.summary),
            LoopCosts(name: "frame-builder", work: "one frame", spread: building.summary),
            LoopCosts(name: "tuning-vote", work: "the peaks of one hop", spread: voting.summary),
        ]
    }

    /// Similarities for one window of frames, and for the pooled frames of references of 10 and 90 minutes.
    private func similarities() -> [LoopCosts] {
        [512, 6_000, 54_000].map { count in
            let dimensions = frames.dimensions
            let tiles = ReferenceTiles(
                frames: (0..<count * dimensions).map { frames.values[$0 % frames.values.count] },
                dimensions: dimensions)
            let output = UnsafeMutablePointer<Float>.allocate(
                capacity: tiles.tileCount * ReferenceTiles.width)
            defer { output.deallocate() }
            let turns = count > 10_000 ? turns / 5 : turns
            var spread = DurationSamples(turns: turns)
            for turn in 0..<turns {
                _ = copyLiveFrame(turn)
                time(into: &spread) {
                    tiles.similarities(of: live, in: 0..<tiles.tileCount, into: output)
                }
            }
            return LoopCosts(
                name: "similarities-\(count)", work: "\(count) reference frames", spread: spread.summary)
        }
    }

    /// One key of the search for the performance's key over the whole reference; it advances every fifth frame.
    private func keyStep() -> LoopCosts {
        let parameters = FilterParameters()
        let keys = ForwardFilter(references: [frames], parameters: parameters)
            .makeMusicalKeySearch(keys: 1, framesPerSecond: 50)
        var spread = DurationSamples(turns: turns)
        for turn in 0..<turns {
            let frame = copyLiveFrame(turn)
            time(into: &spread) { keys.advance(0, frame) }
        }
        return LoopCosts(
            name: "key-step", work: "one key, search of \(frames.frameCount / 3_000) min",
            spread: spread.summary)
    }

    /// The whole forward filter: frames in which the search of the whole reference advances, and all others.
    private func filter() -> [LoopCosts] {
        let parameters = FilterParameters()
        let filter = ForwardFilter(references: [frames], parameters: parameters)
        var (plain, searching) = (DurationSamples(turns: turns), DurationSamples(turns: turns))
        filter.begin(at: FrameIndex(0))
        for turn in 0..<turns {
            let frame = copyLiveFrame(turn)
            let start = ThreadClock.nanoseconds
            _ = filter.advance(frame)
            let length = ThreadClock.nanoseconds - start
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
