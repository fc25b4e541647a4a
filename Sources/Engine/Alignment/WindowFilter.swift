import RealModule

/// A forward filter over reference frames and tempi in a window that moves with the music.
///
/// The state is a probability for every (reference frame, tempo) of the window, and two more for every frame: the
/// music is *held* there (a fermata: the live sound matches the reference frame), or it *pauses* there (silence,
/// speech, applause: the live sound is noise, whose likelihood follows from its fit over the whole reference). So
/// sound that is not music does not push the position on.
///
/// Belongs to one thread; after `init` no allocation, no lock. Cost: `windowFrames × tempoCount` cells a step.
/// - Source: forward algorithm of a hidden Markov model; tempo as state after the bar pointer model, N. Whiteley,
///   A. T. Cemgil, S. Godsill, "Bayesian modelling of temporal structure in musical audio", ISMIR 2006.
final class WindowFilter {
    private let parameters: FilterParameters
    private let references: [ReferenceTiles]
    private let frameCount: Int
    private let window: Int
    private let step: FilterStep
    private let grid: TempoGrid

    private var rows: UnsafeMutablePointer<Float>
    private var nextRows: UnsafeMutablePointer<Float>
    private let held: UnsafeMutablePointer<Float>
    private let paused: UnsafeMutablePointer<Float>
    private let marginal: UnsafeMutablePointer<Float>
    private let similarity: UnsafeMutablePointer<Float>
    private let otherSimilarity: UnsafeMutablePointer<Float>
    private let weights: UnsafeMutablePointer<Float>
    private let shares: ReferenceWeights
    /// Factor by which the newest rows must be multiplied to sum to one; applied in the next step's weights.
    private var gain: Float = 1

    /// First reference frame of the window; a multiple of 16.
    private(set) var base = 0
    /// Natural logarithm of the likelihood of all frames since the start.
    private(set) var logLikelihood = 0.0
    /// The most probable reference frame.
    private(set) var peak = 0
    /// Mean reference frame near the peak, weighted by probability.
    private(set) var position: Double = 0
    /// Probability near the peak, 0…1.
    private(set) var mass: Double = 0
    /// Share of the probability in which the music is held or pauses, 0…1.
    private(set) var standingShare: Double = 1
    /// Similarity of the newest live frame with the reference at the peak.
    private(set) var similarityAtPeak: Float = 0

    init(references: [ReferenceTiles], parameters: FilterParameters) {
        precondition(!references.isEmpty, "a filter needs a reference")
        precondition(parameters.windowFrames % 16 == 0, "a window is whole tiles")
        self.references = references
        self.parameters = parameters
        frameCount = references[0].frameCount
        window = parameters.windowFrames
        grid = TempoGrid(
            slowest: parameters.slowestRatio, fastest: parameters.fastestRatio, count: parameters.tempoCount,
            spread: parameters.tempoSpread)
        let length = window + 2 * rowMargin
        step = FilterStep(
            drift: parameters.tempoDrift, leave: parameters.holdChance + parameters.pauseChance,
            rowLength: length,
            tempoCount: parameters.tempoCount)
        rows = zeroedFloats(length * parameters.tempoCount)
        nextRows = zeroedFloats(length * parameters.tempoCount)
        held = zeroedFloats(length)
        paused = zeroedFloats(length)
        marginal = zeroedFloats(length)
        similarity = zeroedFloats(length)
        otherSimilarity = zeroedFloats(length)
        weights = zeroedFloats(length)
        shares = ReferenceWeights(count: references.count, parameters: parameters)
    }

    deinit {
        for pointer in [
            rows, nextRows, held, paused, marginal, similarity, otherSimilarity, weights,
        ] { pointer.deallocate() }
    }

    /// Puts all probability into a pause at a frame, until the music moves.
    func wait(at frame: Int) {
        clear()
        place(around: frame)
        let reach = 3
        for offset in -reach...reach {
            let column = frame + offset - base
            if column >= 0 && column < window && frame + offset < frameCount {
                paused[rowMargin + column] = 1 / Float(2 * reach + 1)
            }
        }
        peak = frame
        position = Double(frame)
        standingShare = 1
    }

    /// Puts all probability near a frame and near a tempo.
    func start(at frame: Int, spreadFrames: Int, tempo: Float) {
        clear()
        place(around: frame)
        var sum: Float = 0
        for row in 0..<parameters.tempoCount {
            let distance = Float.log(grid.ratios[row] / tempo) / 0.25
            let weight = Float.exp(-0.5 * distance * distance)
            for offset in -spreadFrames...spreadFrames {
                let column = frame + offset - base
                guard column >= 0, column < window, frame + offset < frameCount else { continue }
                let value = weight * (1 - Float(abs(offset)) / Float(spreadFrames + 1))
                rows[row * step.rowLength + rowMargin + column] = value
                sum += value
            }
        }
        gain = 1 / max(sum, 1e-30)
        peak = frame
        position = Double(frame)
        standingShare = 0
    }

    /// Advances the filter by one live frame.
    /// - Parameters:
    ///   - live: weighted values, so that the dot product with a reference frame is their similarity.
    ///   - noise: similarity at which noise is as likely as music.
    ///   - isDropout: the signal is lost, so the frame is no evidence.
    func advance(_ live: UnsafePointer<Float>, noise: Float, isDropout: Bool) {
        let count = min(window, frameCount - base)
        let (top, noiseWeight) = weigh(live, noise: noise, isDropout: isDropout, count: count)
        var total = SIMD8<Float>.zero
        var still = SIMD8<Float>.zero
        let holding = parameters.holdOnChance
        let pausing = parameters.pauseOnChance
        let held = held
        let paused = paused
        let marginal = marginal
        let columnOffsets = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
        grid.ratios.withUnsafeBufferPointer { ratios in
            grid.prior.withUnsafeBufferPointer { prior in
                var column = 0
                while column < window {
                    let wasHeld = load(held, column + rowMargin)
                    let wasPaused = load(paused, column + rowMargin)
                    let weight = load(weights, column + rowMargin)
                    let (moved, weighed) = step.advance(
                        from: rows, to: nextRows, ratios: ratios.baseAddress!, prior: prior.baseAddress!,
                        column: column, arriving: wasHeld * (1 - holding) + wasPaused * (1 - pausing),
                        weight: weight)
                    let holds = (wasHeld * holding + moved * parameters.holdChance) * weight
                    // After the reference's last frame there is nothing, not even a pause.
                    let noiseHere = SIMD8<Float>(repeating: noiseWeight)
                        .replacing(with: 0, where: columnOffsets .>= Int32(count - column))
                    let pauses = (wasPaused * pausing + moved * parameters.pauseChance) * noiseHere
                    store(holds, held + rowMargin, column)
                    store(pauses, paused + rowMargin, column)
                    let sum = weighed + holds + pauses
                    store(sum, marginal + rowMargin, column)
                    total += sum
                    still += holds + pauses
                    column += 8
                }
            }
        }
        swap(&rows, &nextRows)
        // The weights already contain the previous step's gain, so `total` is the likelihood of this frame alone.
        let sum = max(total.sum(), 1e-30)
        logLikelihood += Double(Float.log(sum) + top)
        gain = 1 / sum
        standingShare = Double(still.sum() / sum)
        findPeak(count: count, sum: sum)
        moveWindow()
    }

    /// Mean tempo near the peak, in reference frames per live frame.
    func tempo() -> Double {
        let low = max(0, peak - base - 20)
        let high = min(window - 1, peak - base + 20)
        guard low <= high else { return 1 }
        var sum: Float = 0
        var logs: Float = 0
        for row in 0..<parameters.tempoCount {
            var mass: Float = 0
            for column in low...high { mass += rows[row * step.rowLength + rowMargin + column] }
            sum += mass
            logs += mass * Float.log(grid.ratios[row])
        }
        return sum > 0 ? Double(Float.exp(logs / sum)) : 1
    }

    /// Probability between two reference frames, as far as they lie in the window.
    func mass(from low: Int, to high: Int) -> Double {
        let first = max(low - base, 0)
        let last = min(high - base, window - 1)
        guard first <= last else { return 0 }
        var sum: Float = 0
        for column in first...last { sum += marginal[rowMargin + column] }
        return Double(sum * gain)
    }

    private func clear() {
        let length = step.rowLength
        rows.update(repeating: 0, count: length * parameters.tempoCount)
        nextRows.update(repeating: 0, count: length * parameters.tempoCount)
        held.update(repeating: 0, count: length)
        paused.update(repeating: 0, count: length)
        marginal.update(repeating: 0, count: length)
        gain = 1
        logLikelihood = 0
        mass = 0
        shares.forget()
    }

    /// Computes the window's similarities and from them the likelihoods for music and for noise.
    /// - Returns: the largest exponent, which is taken out of all weights, and the weight of noise.
    private func weigh(
        _ live: UnsafePointer<Float>, noise: Float, isDropout: Bool, count: Int
    ) -> (top: Float, noiseWeight: Float) {
        let last = count + rowMargin
        // After the reference's last frame there is nothing.
        (weights + last).update(repeating: 0, count: window - count)
        if isDropout {
            for column in rowMargin..<last { weights[column] = gain }
            return (0, 0.3 * gain)
        }
        let tiles = base / 16..<min(references[0].tileCount, (base + window) / 16)
        references[0].similarities(of: live, in: tiles, into: similarity + rowMargin)
        if references.count > 1 {
            let expected = rowMargin + min(max(peak + 1 - base, 0), count - 1)
            let first = shares[0]
            shares.hear(similarity[expected], of: 0)
            for column in rowMargin..<last { similarity[column] *= first }
            for number in 1..<references.count {
                references[number].similarities(of: live, in: tiles, into: otherSimilarity + rowMargin)
                shares.hear(otherSimilarity[expected], of: number)
                let share = shares[number]
                for column in rowMargin..<last { similarity[column] += share * otherSimilarity[column] }
            }
            shares.settle()
        }
        var best = noise
        for column in rowMargin..<last { best = max(best, similarity[column]) }
        let sharpness = parameters.sharpness
        for column in rowMargin..<last {
            weights[column] = Float.exp(sharpness * (similarity[column] - best)) * gain
        }
        return (sharpness * best, Float.exp(sharpness * (noise - best)) * gain)
    }

    /// Finds the middle of the most probable 0.4 seconds, and the mean position around it.
    private func findPeak(count: Int, sum: Float) {
        let reach = 10
        var running: Float = 0
        var best: Float = -1
        var middle = 0
        for column in 0..<count {
            running += marginal[rowMargin + column]
            let gone = column - 2 * reach - 1
            if gone >= 0 { running -= marginal[rowMargin + gone] }
            if running > best {
                best = running
                middle = max(column - reach, 0)
            }
        }
        var near: Float = 0
        var moment: Float = 0
        for column in max(0, middle - 2 * reach)...min(count - 1, middle + 2 * reach) {
            let value = marginal[rowMargin + column]
            near += value
            moment += value * Float(column - middle)
        }
        peak = base + middle
        position = Double(peak) + Double(moment / max(near, 1e-30))
        mass = Double(near / sum)
        similarityAtPeak = similarity[rowMargin + middle]
    }

    /// First frame of a window around a peak: one third of the window lies before the peak, two thirds after it.
    private func desiredBase(_ frame: Int) -> Int {
        let lastBase = max((frameCount + 15) / 16 * 16 - window, 0)
        return max(0, min((frame - window / 3) / 16 * 16, lastBase))
    }

    private func place(around frame: Int) { base = desiredBase(frame) }

    private func moveWindow() {
        let wished = desiredBase(peak)
        let distance = wished - base
        // Near the reference's end every frame counts, so the window moves there even by less than 64 frames.
        guard abs(distance) >= 64 || (distance > 0 && wished + window >= frameCount) else { return }
        for row in 0..<parameters.tempoCount {
            shift(rows + row * step.rowLength + rowMargin, by: distance, count: window)
        }
        shift(held + rowMargin, by: distance, count: window)
        shift(paused + rowMargin, by: distance, count: window)
        shift(marginal + rowMargin, by: distance, count: window)
        base = wished
    }
}
