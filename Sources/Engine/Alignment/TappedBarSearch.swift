import RealModule

/// Finds the likeliest onsets of all bars and beats between taps, by dynamic programming over time and tempo.
///
/// The state is a frame and the interval since the beat before it. A path scores the evidence of the sound at its
/// beats, the distance of its bars from the taps, and each change of tempo from one beat to the next.
/// - Source: the second-order variant of D. Ellis, "Beat tracking by dynamic programming", 2007.
struct TappedBarSearch {
    /// One way to divide bars into beats and to weigh the sound.
    struct Settings: Hashable {
        var beatsPerBar: Int
        /// The factor of the evidence of the sound; see ``TappedBarEvidence/scores(trust:probabilityOfNote:)``.
        var trust: Float
        /// The cost of a change of tempo from one beat to the next, for a difference of logarithms of 1, squared.
        var tempoChangeCost = usualTempoChangeCost

        static let usualTempoChangeCost = 30.0
    }

    /// The error of a person's taps, in seconds: a standard deviation.
    static let tapErrorSeconds = 0.06
    /// A change of tempo costs no more than one by this difference of logarithms, squared: a hold, a new section.
    private static let largestSquaredChange = 0.25
    private static let averageTempoCost = 2.0
    private static let beatWeight: Float = 0.5
    private static let probabilityOfNoteAtBar: Float = 0.95
    private static let probabilityOfNoteAtBeat: Float = 0.6
    private static let farthestTapCost: Float = 12
    private static let mostIntervals = 250
    /// The gain of a path's score from which a tap counts as missing and not as a hold.
    private static let leastGainOfMissingTap: Float = 14
    private static let impossible: Float = -1e9

    var evidence: TappedBarEvidence
    let framesPerSecond: Int

    /// A beat with the frames at which it may lie and the intervals that may precede it.
    private struct Beat {
        var frames: Range<Int>
        var scores: [Float]
        var expectedInterval = 1.0
        var intervals = 1..<2
    }

    /// - Parameters:
    ///   - taps: the tapped bars, counted from 0, and their times in seconds, strictly rising; the first and the last
    ///     bar are among them.
    /// - Returns: an onset for each bar from the first tap's to the last one's, in seconds.
    /// - Complexity: O(beats × frames × intervals²), all of one beat.
    func onsets(taps: [(bar: Int, seconds: Double)], settings: Settings) -> [Double] {
        let beats = makeBeats(expected: Self.interpolated(taps), taps, settings)
        guard beats.count > 1 else { return taps.map { $0.seconds } }
        guard let path = cheapestPath(beats, tempoChangeCost: settings.tempoChangeCost) else {
            return Self.interpolated(taps)
        }
        return stride(from: 0, to: path.frames.count, by: settings.beatsPerBar).map {
            Double(path.frames[$0]) / Double(framesPerSecond)
        }
    }

    /// True if the sound says that a tap is missing in a gap; false if it does not say so clearly.
    func isTapMissing(_ gap: CountedTaps.Gap) -> Bool {
        let missing = fit(gap.tapsIfMissing, expected: Self.interpolated(gap.tapsIfMissing))
        let held = (0..<gap.every).map { fit(gap.tapsIfHeld, expected: gap.onsets(heldAt: $0)) }.max() ?? 0
        return missing - max(held, fit(gap.tapsIfHeld, expected: Self.interpolated(gap.tapsIfHeld)))
            > Self.leastGainOfMissingTap
    }

    /// The score of the best path, which says how well the sound fits the taps.
    /// - Parameter expected: the onsets of the bars, roughly.
    func fit(_ taps: [(bar: Int, seconds: Double)], expected: [Double]) -> Float {
        let beats = makeBeats(expected: expected, taps, Settings(beatsPerBar: 1, trust: 0.9))
        guard beats.count > 1 else { return Self.impossible }
        return cheapestPath(beats, tempoChangeCost: Settings.usualTempoChangeCost)?.score ?? Self.impossible
    }

    /// The onsets of all bars by interpolation between the taps.
    static func interpolated(_ taps: [(bar: Int, seconds: Double)]) -> [Double] {
        var onsets: [Double] = []
        for (tap, next) in zip(taps, taps.dropFirst()) {
            for bar in 0..<next.bar - tap.bar {
                onsets.append(
                    tap.seconds + (next.seconds - tap.seconds) * Double(bar) / Double(next.bar - tap.bar))
            }
        }
        return onsets + taps.suffix(1).map { $0.seconds }
    }

    private func makeBeats(
        expected onsets: [Double], _ taps: [(bar: Int, seconds: Double)], _ settings: Settings
    ) -> [Beat] {
        let rate = Double(framesPerSecond)
        let frameCount = evidence.ratios.count
        var tapped: [Int: Double] = [:]
        for tap in taps where tapped[tap.bar - taps[0].bar] == nil {
            tapped[tap.bar - taps[0].bar] = tap.seconds * rate
        }
        let atBars = evidence.scores(
            trust: settings.trust, probabilityOfNote: Self.probabilityOfNoteAtBar)
        let atBeats = evidence.scores(
            trust: settings.trust, probabilityOfNote: Self.probabilityOfNoteAtBeat)
        let tapError = Self.tapErrorSeconds * rate
        let perBar = settings.beatsPerBar
        var beats: [Beat] = []
        for index in 0...(onsets.count - 1) * perBar {
            let (bar, beat) = index.quotientAndRemainder(dividingBy: perBar)
            let after = min(bar, onsets.count - 2)
            let barFrames = (onsets[after + 1] - onsets[after]) * rate
            let tap = beat == 0 ? tapped[bar] : nil
            let reach = tap == nil ? min(max(0.42 * barFrames, 0.16 * rate), 1.2 * rate) : 3.5 * tapError
            let centre = onsets[bar] * rate + Double(beat) / Double(perBar) * barFrames
            let first = min(max(Int(centre.rounded()) - Int(reach), 0), frameCount - 2)
            let range = first..<max(min(Int(centre.rounded()) + Int(reach) + 1, frameCount), first + 1)
            var made = Beat(
                frames: range, scores: (beat == 0 ? atBars : atBeats)[range].map { $0 })
            for (offset, frame) in range.enumerated() {
                if beat != 0 { made.scores[offset] *= Self.beatWeight }
                if let tap {
                    let deviation = Float((Double(frame) - tap) / tapError)
                    made.scores[offset] -= min(deviation * deviation / 2, Self.farthestTapCost)
                }
            }
            if index > 0 {
                let before = (index - 1) / perBar
                let expected = max((onsets[before + 1] - onsets[before]) * rate / Double(perBar), 2)
                let shortest = max(Int(0.55 * expected), 2)
                let longest = min(Int((1.7 * expected).rounded(.up)) + 2, shortest + Self.mostIntervals)
                made.expectedInterval = expected
                made.intervals = shortest..<longest
            }
            beats.append(made)
        }
        return beats
    }

    /// Returns a frame for each beat; nil if no path leads to the last one, because the taps leave no room.
    private func cheapestPath(_ beats: [Beat], tempoChangeCost: Double) -> (frames: [Int], score: Float)? {
        var steps: [[UInt8]] = [[]]
        var scores: [Float] = beats[0].scores
        for index in 1..<beats.count {
            var kept = [UInt8]()
            let (earlier, beat) = (beats[index - 1], beats[index])
            let costs = index == 1 ? nil : tempoCosts(earlier, beat, tempoChangeCost)
            scores = advance(scores, from: earlier, to: beat, costs, &kept)
            steps.append(kept)
        }
        let last = beats[beats.count - 1]
        let best = scores.indices.max { scores[$0] < scores[$1] } ?? 0
        guard scores[best] > Self.impossible / 2 else { return nil }
        var (offset, interval) = best.quotientAndRemainder(dividingBy: last.intervals.count)
        var frames = [last.frames.lowerBound + offset]
        for index in stride(from: beats.count - 1, to: 0, by: -1) {
            let beat = beats[index]
            let earlier = Int(steps[index][offset * beat.intervals.count + interval])
            let frame = frames[frames.count - 1] - beat.intervals.lowerBound - interval
            frames.append(frame)
            offset = frame - beats[index - 1].frames.lowerBound
            interval = earlier
        }
        return (frames.reversed(), scores[best])
    }

    /// Computes the score of each frame and interval of the next beat.
    /// - Parameters:
    ///   - tempoCosts: for each interval and each one of the beat before; nil if that was the first beat.
    ///   - steps: receives for each of them the best interval of the beat before.
    private func advance(
        _ scores: [Float], from earlier: Beat, to beat: Beat, _ tempoCosts: [Float]?, _ steps: inout [UInt8]
    ) -> [Float] {
        let intervalCount = beat.intervals.count
        let earlierCount = tempoCosts == nil ? 1 : earlier.intervals.count
        let costs = tempoCosts ?? [Float](repeating: 0, count: intervalCount)
        let highestCost = costs.max() ?? 0
        let averageCosts = beat.intervals.map { interval in
            let logarithm = Double.log(Double(interval) / beat.expectedInterval)
            return Float(Self.averageTempoCost * logarithm * logarithm)
        }
        steps = [UInt8](repeating: 0, count: beat.frames.count * intervalCount)
        var next = [Float](repeating: Self.impossible, count: steps.count)
        var likely: [Int] = []
        likely.reserveCapacity(earlierCount)
        scores.withUnsafeBufferPointer { scores in
            costs.withUnsafeBufferPointer { costs in
                for source in 0..<earlier.frames.count {
                    let row = source * earlierCount
                    // A state that is worse by more than any change of tempo costs never wins.
                    let highest = scores[row..<row + earlierCount].max() ?? Self.impossible
                    guard highest > Self.impossible / 2 else { continue }
                    likely.removeAll(keepingCapacity: true)
                    for before in 0..<earlierCount where scores[row + before] >= highest - highestCost {
                        likely.append(before)
                    }
                    let frame = earlier.frames.lowerBound + source - beat.frames.lowerBound
                    for (index, interval) in beat.intervals.enumerated() {
                        let offset = frame + interval
                        guard offset >= 0, offset < beat.frames.count else { continue }
                        let costRow = index * earlierCount
                        var best: Float = Self.impossible
                        var step = 0
                        for before in likely {
                            let score = scores[row + before] - costs[costRow + before]
                            if score > best { (best, step) = (score, before) }
                        }
                        let state = offset * intervalCount + index
                        next[state] = best - averageCosts[index] + beat.scores[offset]
                        steps[state] = UInt8(step)
                    }
                }
            }
        }
        return next
    }

    private func tempoCosts(_ earlier: Beat, _ beat: Beat, _ tempoChangeCost: Double) -> [Float] {
        let before = earlier.intervals.map { Double.log(Double($0)) }
        return beat.intervals.flatMap { interval in
            let logarithm = Double.log(Double(interval))
            return before.map {
                let change = logarithm - $0
                return Float(tempoChangeCost * min(change * change, Self.largestSquaredChange))
            }
        }
    }
}
