import RealModule

/// A forward filter over reference frames and tempi in a window that moves with the music.
///
/// The state is a probability for every (reference frame, tempo) of the window, and two more for every frame. One is
/// that the music is *held* there: in a fermata the live sound matches the reference frame. The other is that the music
/// *pauses* there: in silence, speech or applause the live sound is noise, whose likelihood follows from its fit over
/// the whole reference. So sound that is not music does not push the position on.
///
/// Belongs to one thread; after `init` no allocation, no lock. Cost: `windowFrames × tempoCount` cells a step.
/// - Source: forward algorithm of a hidden Markov model; tempo as state after the bar pointer model, N. Whiteley, A. T.
///   Cemgil, S. Godsill, "Bayesian modelling of temporal structure in musical audio", ISMIR 2006.
final class WindowFilter {
    private let parameters: ForwardFilterParameters
    private let references: [CompactTiles]
    private let frameCount: Int
    private let window: Int
    private let step: ForwardFilterStep
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
    /// The factor by which the newest rows must be multiplied to sum to one; the next step's weights include it.
    private var gain: Float = 1

    /// The first reference frame of the window; a multiple of the width of the tiles.
    private(set) var windowStart = 0
    /// The natural logarithm of the likelihood of all frames since the start.
    private(set) var logLikelihood = 0.0
    /// The most probable reference frame.
    private(set) var peak = 0
    /// The mean of the reference frames near the peak, weighted by their probability.
    private(set) var position: Double = 0
    /// The probability that the music is near the peak, 0…1.
    private(set) var probabilityAtPeak: Double = 0
    /// The share of the probability that the music is held or pauses, 0…1.
    private(set) var standingShare: Double = 1
    /// The similarity of the newest live frame to the reference at the peak.
    private(set) var similarityAtPeak: Float = 0

    /// - Parameter recordingCount: the number of references that are recordings; their copies in rooms follow.
    init(references: [CompactTiles], recordingCount: Int? = nil, parameters: ForwardFilterParameters) {
        precondition(!references.isEmpty, "a filter needs a reference")
        precondition(parameters.windowFrames % CompactTiles.width == 0, "a window is whole tiles")
        self.references = references
        self.parameters = parameters
        frameCount = references[0].frameCount
        window = parameters.windowFrames
        grid = TempoGrid(
            slowest: parameters.slowestRatio, fastest: parameters.fastestRatio, count: parameters.tempoCount,
            spread: parameters.tempoSpread)
        let length = window + 2 * rowMargin
        step = ForwardFilterStep(
            drift: parameters.tempoDrift, leaveProbability: parameters.holdChance + parameters.pauseChance,
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
        shares = ReferenceWeights(
            count: references.count, recordingCount: recordingCount ?? references.count,
            parameters: parameters)
    }

    deinit {
        for pointer in [
            rows, nextRows, held, paused, marginal, similarity, otherSimilarity, weights,
        ] { pointer.deallocate() }
    }

    /// Puts all probability into a pause at a frame; the music may start from there at any moment.
    func wait(at frame: Int) {
        clear()
        placeWindow(around: frame)
        let reach = 3
        for offset in -reach...reach {
            let column = frame + offset - windowStart
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
        placeWindow(around: frame)
        var sum: Float = 0
        for row in 0..<parameters.tempoCount {
            let distance = Float.log(grid.ratios[row] / tempo) / 0.25
            let weight = Float.exp(-0.5 * distance * distance)
            for offset in -spreadFrames...spreadFrames {
                let column = frame + offset - windowStart
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

    /// Takes over how another window weights the references: the room is the same wherever the music is.
    func adoptWeights(of other: WindowFilter) { shares.copy(other.shares) }

    /// Forgets how well the references fitted, because another performance begins.
    func resetWeights() { shares.reset() }

    /// Advances the filter by one live frame.
    /// - Parameters:
    ///   - live: the weighted values of the frame; their dot product with a reference frame is the similarity.
    ///   - noise: the similarity at which a frame is as likely noise as music.
    ///   - isDropout: true if the signal is lost, so that the frame is no evidence.
    func advance(_ live: UnsafePointer<Float>, noise: Float, isDropout: Bool) {
        let count = min(window, frameCount - windowStart)
        let (top, noiseWeight) = computeLikelihoods(live, noise: noise, isDropout: isDropout, count: count)
        var total = SIMD8<Float>.zero
        var still = SIMD8<Float>.zero
        let holding = parameters.holdContinueChance
        let pausing = parameters.pauseContinueChance
        let held = held
        let paused = paused
        let marginal = marginal
        let columnOffsets = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
        grid.ratios.withUnsafeBufferPointer { ratios in
            grid.prior.withUnsafeBufferPointer { prior in
                var column = 0
                while column < window {
                    let wasHeld = loadEight(held, column + rowMargin)
                    let wasPaused = loadEight(paused, column + rowMargin)
                    let weight = loadEight(weights, column + rowMargin)
                    let (moved, weighed) = step.advance(
                        from: rows, to: nextRows, ratios: ratios.baseAddress!, prior: prior.baseAddress!,
                        column: column, arriving: wasHeld * (1 - holding) + wasPaused * (1 - pausing),
                        weight: weight)
                    let holds = (wasHeld * holding + moved * parameters.holdChance) * weight
                    // After the reference's last frame there is nothing, not even a pause.
                    let noiseHere = SIMD8<Float>(repeating: noiseWeight)
                        .replacing(with: 0, where: columnOffsets .>= Int32(count - column))
                    let pauses = (wasPaused * pausing + moved * parameters.pauseChance) * noiseHere
                    storeEight(holds, held + rowMargin, column)
                    storeEight(pauses, paused + rowMargin, column)
                    let sum = weighed + holds + pauses
                    storeEight(sum, marginal + rowMargin, column)
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

    /// Returns the mean tempo near the peak, in reference frames per live frame.
    func tempo() -> Double {
        let low = max(0, peak - windowStart - 20)
        let high = min(window - 1, peak - windowStart + 20)
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

    /// Returns the probability between two reference frames, as far as they lie in the window.
    func probability(from low: Int, to high: Int) -> Double {
        let first = max(low - windowStart, 0)
        let last = min(high - windowStart, window - 1)
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
        probabilityAtPeak = 0
    }

    /// Computes the similarities in the window and, from them, the likelihoods of music and of noise.
    /// - Returns: the largest exponent, which is taken out of all weights, and the weight of noise.
    private func computeLikelihoods(
        _ live: UnsafePointer<Float>, noise: Float, isDropout: Bool, count: Int
    ) -> (top: Float, noiseWeight: Float) {
        let last = count + rowMargin
        // After the reference's last frame there is nothing.
        (weights + last).update(repeating: 0, count: window - count)
        if isDropout {
            for column in rowMargin..<last { weights[column] = gain }
            return (0, 0.3 * gain)
        }
        let width = CompactTiles.width
        let tiles = windowStart / width..<min(references[0].tileCount, (windowStart + window) / width)
        if references.count == 1 {
            references[0].similarities(of: live, in: tiles, into: similarity + rowMargin)
        } else {
            addSimilarities(live, in: tiles, count: count)
        }
        var best = noise
        for column in rowMargin..<last { best = max(best, similarity[column]) }
        let sharpness = parameters.sharpness
        for column in rowMargin..<last {
            weights[column] = Float.exp(sharpness * (similarity[column] - best)) * gain
        }
        return (sharpness * best, Float.exp(sharpness * (noise - best)) * gain)
    }

    /// Computes the mean of the references' similarities, weighted by how well each explains the sound.
    ///
    /// A reference of weight 0 is compared at the expected position only, so that the usual cost is that of one or two
    /// references.
    private func addSimilarities(_ live: UnsafePointer<Float>, in tiles: Range<Int>, count: Int) {
        let expected = min(max(peak + 1 - windowStart, 0), count - 1)
        let expectedTile = tiles.lowerBound + expected / CompactTiles.width
        // Noise before the first note, applause and pauses tell nothing about the room.
        let isMoving = standingShare < 0.5
        (similarity + rowMargin).update(repeating: 0, count: window)
        for number in references.indices {
            let share = shares[number]
            let compared = share > 0 ? tiles : expectedTile..<expectedTile + 1
            let offset = (compared.lowerBound - tiles.lowerBound) * CompactTiles.width
            references[number].similarities(
                of: live, in: compared, into: otherSimilarity + rowMargin + offset)
            if isMoving { shares.addSimilarity(otherSimilarity[rowMargin + expected], of: number) }
            guard share > 0 else { continue }
            for column in rowMargin..<count + rowMargin {
                similarity[column] += share * otherSimilarity[column]
            }
        }
        if isMoving { shares.computeWeights() }
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
        peak = windowStart + middle
        position = Double(peak) + Double(moment / max(near, 1e-30))
        probabilityAtPeak = Double(near / sum)
        similarityAtPeak = similarity[rowMargin + middle]
    }

    /// Returns the first frame for a window around a peak: one third of the window lies before the peak, two thirds
    /// after it.
    private func desiredWindowStart(_ frame: Int) -> Int {
        let width = CompactTiles.width
        let lastStart = max((frameCount + width - 1) / width * width - window, 0)
        return max(0, min((frame - window / 3) / width * width, lastStart))
    }

    private func placeWindow(around frame: Int) { windowStart = desiredWindowStart(frame) }

    private func moveWindow() {
        let wished = desiredWindowStart(peak)
        let distance = wished - windowStart
        // Near the reference's end every frame counts, so the window moves there even by less than 64 frames.
        guard abs(distance) >= 64 || (distance > 0 && wished + window >= frameCount) else { return }
        for row in 0..<parameters.tempoCount {
            shift(rows + row * step.rowLength + rowMargin, by: distance, count: window)
        }
        shift(held + rowMargin, by: distance, count: window)
        shift(paused + rowMargin, by: distance, count: window)
        shift(marginal + rowMargin, by: distance, count: window)
        windowStart = wished
    }
}
