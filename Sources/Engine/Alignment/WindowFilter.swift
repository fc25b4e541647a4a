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
    private let referenceTiles: [CompactTiles]
    private let referenceFrameCount: Int
    private let windowFrames: Int
    private let filterStep: ForwardFilterStep
    private let tempoGrid: TempoGrid

    private var probabilityRows: UnsafeMutablePointer<Float>
    private var nextProbabilityRows: UnsafeMutablePointer<Float>
    private let heldProbability: UnsafeMutablePointer<Float>
    private let pausedProbability: UnsafeMutablePointer<Float>
    private let unscaledProbabilityByFrame: UnsafeMutablePointer<Float>
    private let similarityByFrame: UnsafeMutablePointer<Float>
    private let otherRecordingSimilarity: UnsafeMutablePointer<Float>
    private let likelihoodByFrame: UnsafeMutablePointer<Float>
    private let recordingWeights: ReferenceRecordingWeights
    /// The factor by which the newest rows must be multiplied to sum to one; the next step's weights include it.
    private var normalisingFactor: Float = 1

    /// The first reference frame of the window; a multiple of the width of the tiles.
    private(set) var windowStart = 0
    /// The natural logarithm of the likelihood of all frames since the start.
    private(set) var logLikelihood = 0.0
    /// The most probable reference frame.
    private(set) var mostProbableFrame = 0
    /// The mean of the reference frames near the peak, weighted by their probability.
    private(set) var meanFrameNearPeak: Double = 0
    /// The standard deviation in frames of the position near the peak.
    private(set) var spreadNearPeak: Double = 0
    /// The probability that the music is near the peak, 0…1.
    private(set) var probabilityAtPeak: Double = 0
    /// The share of the probability that the music is held or pauses, 0…1.
    private(set) var standstillProbability: Double = 1
    /// The similarity of the newest live frame to the reference at the peak.
    private(set) var similarityAtPeak: Float = 0

    /// - Parameter roomNumbers: for each reference the number of its room, 0 for the recordings, which come first. Nil
    ///   if all are recordings.
    init(referenceTiles: [CompactTiles], roomNumbers: [Int]? = nil, parameters: ForwardFilterParameters) {
        precondition(!referenceTiles.isEmpty, "a filter needs a reference")
        precondition(parameters.windowFrames % CompactTiles.width == 0, "a window is whole tiles")
        self.referenceTiles = referenceTiles
        self.parameters = parameters
        referenceFrameCount = referenceTiles[0].frameCount
        windowFrames = parameters.windowFrames
        tempoGrid = TempoGrid(
            slowest: parameters.slowestTempoRatio, fastest: parameters.fastestTempoRatio,
            count: parameters.tempoCount,
            spread: parameters.initialTempoSpread)
        let length = windowFrames + 2 * rowMarginZeroCount
        filterStep = ForwardFilterStep(
            tempoChangeProbability: parameters.tempoChangeProbability,
            leavePathProbability: parameters.noteHoldProbability + parameters.pauseStartProbability,
            rowLength: length,
            tempoCount: parameters.tempoCount)
        probabilityRows = zeroedFloats(length * parameters.tempoCount)
        nextProbabilityRows = zeroedFloats(length * parameters.tempoCount)
        heldProbability = zeroedFloats(length)
        pausedProbability = zeroedFloats(length)
        unscaledProbabilityByFrame = zeroedFloats(length)
        similarityByFrame = zeroedFloats(length)
        otherRecordingSimilarity = zeroedFloats(length)
        likelihoodByFrame = zeroedFloats(length)
        recordingWeights = ReferenceRecordingWeights(
            roomNumbers: roomNumbers ?? referenceTiles.map { _ in 0 }, parameters: parameters)
    }

    deinit {
        for pointer in [
            probabilityRows, nextProbabilityRows, heldProbability, pausedProbability,
            unscaledProbabilityByFrame, similarityByFrame, otherRecordingSimilarity, likelihoodByFrame,
        ] { pointer.deallocate() }
    }

    /// Puts all probability into a pause at a frame; the music may start from there at any moment.
    func awaitMusic(at frame: Int) {
        clearProbabilities()
        placeWindow(around: frame)
        let reach = 3
        for offset in -reach...reach {
            let column = frame + offset - windowStart
            if column >= 0 && column < windowFrames && frame + offset < referenceFrameCount {
                pausedProbability[rowMarginZeroCount + column] = 1 / Float(2 * reach + 1)
            }
        }
        mostProbableFrame = frame
        meanFrameNearPeak = Double(frame)
        standstillProbability = 1
    }

    /// Puts the probability near a frame and near a tempo.
    /// - Parameter formerShare: the share of the probability that stays where it was, if the window holds the frame.
    func placeMusic(at frame: Int, spreadFrames: Int, tempo: Float, keeping formerShare: Float = 0) {
        let columns = (frame - windowStart - spreadFrames)...(frame - windowStart + spreadFrames)
        let keepsFormer = formerShare > 0 && columns.lowerBound >= 0 && columns.upperBound < windowFrames
        if keepsFormer {
            // The sum of a triangle of height one is its spread plus one.
            let weights = tempoGrid.tempoRatios.reduce(0) { $0 + tempoWeight($1, around: tempo) }
            let placed = weights * Float(spreadFrames + 1)
            scaleProbabilities(by: normalisingFactor * placed * formerShare / (1 - formerShare))
        } else {
            clearProbabilities()
            placeWindow(around: frame)
        }
        var sum: Float = 0
        for row in 0..<parameters.tempoCount {
            let weight = tempoWeight(tempoGrid.tempoRatios[row], around: tempo)
            for offset in -spreadFrames...spreadFrames {
                let column = frame + offset - windowStart
                guard column >= 0, column < windowFrames, frame + offset < referenceFrameCount else {
                    continue
                }
                let value = weight * (1 - Float(abs(offset)) / Float(spreadFrames + 1))
                probabilityRows[row * filterStep.rowLength + rowMarginZeroCount + column] += value
                sum += value
            }
        }
        if keepsFormer { sum /= 1 - formerShare }
        logLikelihood = 0
        normalisingFactor = 1 / max(sum, 1e-30)
        mostProbableFrame = frame
        meanFrameNearPeak = Double(frame)
        standstillProbability = 0
    }

    private func tempoWeight(_ ratio: Float, around tempo: Float) -> Float {
        let distance = Float.log(ratio / tempo) / 0.25
        return Float.exp(-0.5 * distance * distance)
    }

    private func scaleProbabilities(by factor: Float) {
        for index in 0..<filterStep.rowLength * parameters.tempoCount { probabilityRows[index] *= factor }
        for column in 0..<windowFrames {
            heldProbability[rowMarginZeroCount + column] *= factor
            pausedProbability[rowMarginZeroCount + column] *= factor
        }
    }

    /// Takes all probability from the frames that are farther from the most probable one than a reach. While the music
    /// is awaited, noise moves a little of the probability on, to where the piece may repeat its beginning.
    func forgetPlaces(fartherFromPeakThan reachFrames: Int) {
        let peak = mostProbableFrame - windowStart
        for column in 0..<windowFrames where abs(column - peak) > reachFrames {
            let place = rowMarginZeroCount + column
            for row in 0..<parameters.tempoCount { probabilityRows[row * filterStep.rowLength + place] = 0 }
            heldProbability[place] = 0
            pausedProbability[place] = 0
        }
    }

    /// Takes over how another window weights the references: the room is the same wherever the music is.
    func adoptWeights(of other: WindowFilter) { recordingWeights.copy(other.recordingWeights) }

    /// Forgets how well the references fitted, because another performance begins.
    func resetWeights() { recordingWeights.reset() }

    /// Compares the sound with the recordings and their copies in rooms, more with those of the room that is known from
    /// earlier in the evening, until ``followFits()``.
    func fixWeightsBeforeStart(expecting room: RoomShares?) {
        recordingWeights.fixBeforeStart(expecting: room)
    }

    /// The share of each room in the weights.
    var roomShares: RoomShares { recordingWeights.roomShares }

    /// Lets the references count by how well each has fitted.
    func followFits() { recordingWeights.followFits() }

    /// Advances the filter by one live frame.
    /// - Parameters:
    ///   - live: the weighted values of the frame; their dot product with a reference frame is the similarity.
    ///   - noise: the similarity at which a frame is as likely noise as music.
    ///   - isDropout: true if the signal is lost, so that the frame is no evidence.
    func advance(_ live: UnsafePointer<Float>, noise: Float, isDropout: Bool) {
        let count = min(windowFrames, referenceFrameCount - windowStart)
        let (top, noiseWeight) = computeLikelihoods(live, noise: noise, isDropout: isDropout, count: count)
        var total = SIMD8<Float>.zero
        var still = SIMD8<Float>.zero
        let holding = parameters.noteHoldContinueProbability
        let pausing = parameters.pauseContinueProbability
        let held = heldProbability
        let paused = pausedProbability
        let marginal = unscaledProbabilityByFrame
        let columnOffsets = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
        tempoGrid.tempoRatios.withUnsafeBufferPointer { ratios in
            tempoGrid.priorProbabilities.withUnsafeBufferPointer { prior in
                var column = 0
                while column < windowFrames {
                    let wasHeld = loadEightFloats(held, column + rowMarginZeroCount)
                    let wasPaused = loadEightFloats(paused, column + rowMarginZeroCount)
                    let weight = loadEightFloats(likelihoodByFrame, column + rowMarginZeroCount)
                    let (moved, weighed) = filterStep.computeEightColumns(
                        from: probabilityRows, to: nextProbabilityRows, ratios: ratios.baseAddress!,
                        prior: prior.baseAddress!,
                        column: column, arriving: wasHeld * (1 - holding) + wasPaused * (1 - pausing),
                        weight: weight)
                    let holds = (wasHeld * holding + moved * parameters.noteHoldProbability) * weight
                    // After the reference's last frame there is nothing, not even a pause.
                    let noiseHere = SIMD8<Float>(repeating: noiseWeight)
                        .replacing(with: 0, where: columnOffsets .>= Int32(count - column))
                    let pauses = (wasPaused * pausing + moved * parameters.pauseStartProbability) * noiseHere
                    storeEightFloats(holds, held + rowMarginZeroCount, column)
                    storeEightFloats(pauses, paused + rowMarginZeroCount, column)
                    let sum = weighed + holds + pauses
                    storeEightFloats(sum, marginal + rowMarginZeroCount, column)
                    total += sum
                    still += holds + pauses
                    column += 8
                }
            }
        }
        swap(&probabilityRows, &nextProbabilityRows)
        // The weights already contain the previous step's gain, so `total` is the likelihood of this frame alone.
        let sum = max(total.sum(), 1e-30)
        logLikelihood += Double(Float.log(sum) + top)
        normalisingFactor = 1 / sum
        standstillProbability = Double(still.sum() / sum)
        findPeak(count: count, sum: sum)
        moveWindowToPeak()
    }

    /// Returns the mean tempo near the peak, in reference frames per live frame.
    func meanTempo() -> Double {
        let low = max(0, mostProbableFrame - windowStart - 20)
        let high = min(windowFrames - 1, mostProbableFrame - windowStart + 20)
        guard low <= high else { return 1 }
        var sum: Float = 0
        var logs: Float = 0
        for row in 0..<parameters.tempoCount {
            var mass: Float = 0
            for column in low...high {
                mass += probabilityRows[row * filterStep.rowLength + rowMarginZeroCount + column]
            }
            sum += mass
            logs += mass * Float.log(tempoGrid.tempoRatios[row])
        }
        return sum > 0 ? Double(Float.exp(logs / sum)) : 1
    }

    /// Returns the probability between two reference frames, as far as they lie in the window.
    func probability(from low: Int, to high: Int) -> Double {
        let first = max(low - windowStart, 0)
        let last = min(high - windowStart, windowFrames - 1)
        guard first <= last else { return 0 }
        var sum: Float = 0
        for column in first...last { sum += unscaledProbabilityByFrame[rowMarginZeroCount + column] }
        return Double(sum * normalisingFactor)
    }

    private func clearProbabilities() {
        let length = filterStep.rowLength
        probabilityRows.update(repeating: 0, count: length * parameters.tempoCount)
        nextProbabilityRows.update(repeating: 0, count: length * parameters.tempoCount)
        heldProbability.update(repeating: 0, count: length)
        pausedProbability.update(repeating: 0, count: length)
        unscaledProbabilityByFrame.update(repeating: 0, count: length)
        normalisingFactor = 1
        logLikelihood = 0
        probabilityAtPeak = 0
    }

    /// Computes the similarities in the window and, from them, the likelihoods of music and of noise.
    /// - Returns: the largest exponent, which is taken out of all weights, and the weight of noise.
    private func computeLikelihoods(
        _ live: UnsafePointer<Float>, noise: Float, isDropout: Bool, count: Int
    ) -> (top: Float, noiseWeight: Float) {
        let last = count + rowMarginZeroCount
        // After the reference's last frame there is nothing.
        (likelihoodByFrame + last).update(repeating: 0, count: windowFrames - count)
        if isDropout {
            for column in rowMarginZeroCount..<last { likelihoodByFrame[column] = normalisingFactor }
            return (0, 0.3 * normalisingFactor)
        }
        let width = CompactTiles.width
        let tiles =
            windowStart / width..<min(referenceTiles[0].tileCount, (windowStart + windowFrames) / width)
        if referenceTiles.count == 1 {
            referenceTiles[0].similarities(of: live, in: tiles, into: similarityByFrame + rowMarginZeroCount)
        } else {
            addSimilarities(live, in: tiles, count: count)
        }
        var best = noise
        for column in rowMarginZeroCount..<last { best = max(best, similarityByFrame[column]) }
        let sharpness = parameters.likelihoodSharpness
        for column in rowMarginZeroCount..<last {
            likelihoodByFrame[column] =
                Float.exp(sharpness * (similarityByFrame[column] - best)) * normalisingFactor
        }
        return (sharpness * best, Float.exp(sharpness * (noise - best)) * normalisingFactor)
    }

    /// Computes the mean of the references' similarities, weighted by how well each explains the sound.
    ///
    /// A reference of weight 0 is compared at the expected position only, so that the usual cost is that of one or two
    /// references.
    private func addSimilarities(_ live: UnsafePointer<Float>, in tiles: Range<Int>, count: Int) {
        let expected = min(max(mostProbableFrame + 1 - windowStart, 0), count - 1)
        let expectedTile = tiles.lowerBound + expected / CompactTiles.width
        // Noise before the first note, applause and pauses tell nothing about the room.
        let isMoving = standstillProbability < 0.5
        (similarityByFrame + rowMarginZeroCount).update(repeating: 0, count: windowFrames)
        for number in referenceTiles.indices {
            let share = recordingWeights[number]
            let compared = share > 0 ? tiles : expectedTile..<expectedTile + 1
            let offset = (compared.lowerBound - tiles.lowerBound) * CompactTiles.width
            referenceTiles[number].similarities(
                of: live, in: compared, into: otherRecordingSimilarity + rowMarginZeroCount + offset)
            if isMoving {
                recordingWeights.addSimilarity(
                    otherRecordingSimilarity[rowMarginZeroCount + expected], of: number)
            }
            guard share > 0 else { continue }
            for column in rowMarginZeroCount..<count + rowMarginZeroCount {
                similarityByFrame[column] += share * otherRecordingSimilarity[column]
            }
        }
        if isMoving { recordingWeights.computeWeights() }
    }

    /// Finds the middle of the most probable 0.4 seconds, and the mean position around it.
    private func findPeak(count: Int, sum: Float) {
        let reach = 10
        var running: Float = 0
        var best: Float = -1
        var middle = 0
        for column in 0..<count {
            running += unscaledProbabilityByFrame[rowMarginZeroCount + column]
            let gone = column - 2 * reach - 1
            if gone >= 0 { running -= unscaledProbabilityByFrame[rowMarginZeroCount + gone] }
            if running > best {
                best = running
                middle = max(column - reach, 0)
            }
        }
        var near: Float = 0
        var moment: Float = 0
        var secondMoment: Float = 0
        for column in max(0, middle - 2 * reach)...min(count - 1, middle + 2 * reach) {
            let value = unscaledProbabilityByFrame[rowMarginZeroCount + column]
            near += value
            let offset = Float(column - middle)
            moment += value * offset
            secondMoment += value * offset * offset
        }
        let mean = moment / max(near, 1e-30)
        let variance = secondMoment / max(near, 1e-30) - mean * mean
        spreadNearPeak = Double(max(variance, 0).squareRoot())
        mostProbableFrame = windowStart + middle
        meanFrameNearPeak = Double(mostProbableFrame) + Double(mean)
        probabilityAtPeak = Double(near / sum)
        similarityAtPeak = similarityByFrame[rowMarginZeroCount + middle]
    }

    /// Returns the first frame for a window around a peak: one third of the window lies before the peak, two thirds
    /// after it.
    private func desiredWindowStart(_ frame: Int) -> Int {
        let width = CompactTiles.width
        let lastStart = max((referenceFrameCount + width - 1) / width * width - windowFrames, 0)
        return max(0, min((frame - windowFrames / 3) / width * width, lastStart))
    }

    private func placeWindow(around frame: Int) { windowStart = desiredWindowStart(frame) }

    private func moveWindowToPeak() {
        let wished = desiredWindowStart(mostProbableFrame)
        let distance = wished - windowStart
        // Near the reference's end every frame counts, so the window moves there even by less than 64 frames.
        guard abs(distance) >= 64 || (distance > 0 && wished + windowFrames >= referenceFrameCount) else {
            return
        }
        for row in 0..<parameters.tempoCount {
            shiftRow(
                probabilityRows + row * filterStep.rowLength + rowMarginZeroCount, by: distance,
                count: windowFrames)
        }
        shiftRow(heldProbability + rowMarginZeroCount, by: distance, count: windowFrames)
        shiftRow(pausedProbability + rowMarginZeroCount, by: distance, count: windowFrames)
        shiftRow(unscaledProbabilityByFrame + rowMarginZeroCount, by: distance, count: windowFrames)
        windowStart = wished
    }
}
