import RealModule

/// Weighs whether awaited music has begun at its place against everything else that a hall hears before it.
///
/// Two hypotheses explain the same pooled frames. *Begun*: the music moves on from the awaited frame at some tempo.
/// *Not begun*: what sounds resembles the reference only as anything may. It is held as any frame of it for as long as
/// it likes, changes to any other at any time, or resembles none. A held tone or chord fits some frame of the reference
/// at least as well as the beginning does, so it says nothing however long it lasts; each change that the reference
/// foretells says a lot, because the other hypothesis must guess it among all frames.
///
/// Belongs to one thread; after `init` no allocation, no lock. Cost: one pass over the pooled frames, and one step over
/// ``ForwardFilterParameters/beginningReachPooledFrames`` and the tempi of the search, for each pooled frame.
final class BeginningSearch {
    private let parameters: ForwardFilterParameters
    private let pooledFrameCount: Int
    private let tempoGrid: TempoGrid
    private let filterStep: ForwardFilterStep
    /// The odds of *begun* for each place and tempo; *not begun* has 1.
    private var begunRows: UnsafeMutablePointer<Float>
    private var nextBegunRows: UnsafeMutablePointer<Float>
    private let begunByPooledFrame: UnsafeMutablePointer<Float>
    private let likelihood: UnsafeMutablePointer<Float>
    /// The probability that what sounds is held as each pooled frame, if the music has not begun.
    private let heldProbability: UnsafeMutablePointer<Float>
    private var noiseProbability: Float = 1
    /// The awaited pooled frame, and a later one at which the music may go on instead; nil if there is none.
    private var firstPooledFrame = 0
    private var resumedPooledFrame: Int?
    /// The odds that the music has begun.
    private(set) var odds: Float = 0
    /// The most probable pooled frame, if the music has begun.
    private(set) var mostProbablePooledFrame = 0
    /// The evidence that the piece is played, wherever in it: the natural logarithm of a likelihood ratio, summed since it
    /// was last negative.
    private(set) var pieceLogRatio: Float = 0

    init(pooledFrameCount: Int, tempoGrid: TempoGrid, parameters: ForwardFilterParameters) {
        self.parameters = parameters
        self.pooledFrameCount = pooledFrameCount
        self.tempoGrid = tempoGrid
        let length = parameters.beginningReachPooledFrames + 2 * rowMarginZeroCount
        filterStep = ForwardFilterStep(
            tempoChangeProbability: parameters.searchTempoChangeProbability, leavePathProbability: 0,
            rowLength: length, tempoCount: tempoGrid.tempoRatios.count)
        begunRows = zeroedFloats(length * tempoGrid.tempoRatios.count)
        nextBegunRows = zeroedFloats(length * tempoGrid.tempoRatios.count)
        begunByPooledFrame = zeroedFloats(length)
        likelihood = zeroedFloats(length)
        heldProbability = zeroedFloats(pooledFrameCount)
        begin(at: 0)
    }

    deinit {
        for pointer in [begunRows, nextBegunRows, begunByPooledFrame, likelihood, heldProbability] {
            pointer.deallocate()
        }
    }

    /// Awaits the music at a pooled frame, and forgets all that was heard.
    /// - Parameter resumed: a later pooled frame at which the music may go on, because it broke off there.
    func begin(at pooledFrame: Int, orAt resumed: Int? = nil) {
        firstPooledFrame = min(max(pooledFrame, 0), pooledFrameCount - 1)
        resumedPooledFrame = resumed.flatMap {
            let end = min(firstPooledFrame + parameters.beginningReachPooledFrames, pooledFrameCount)
            return (firstPooledFrame..<end).contains($0) ? $0 : nil
        }
        forgetBeginning()
        heldProbability.update(repeating: 0, count: pooledFrameCount)
        noiseProbability = 1
    }

    /// Believes that the music has not begun, as after a silence.
    func forgetBeginning() {
        begunRows.update(repeating: 0, count: filterStep.rowLength * filterStep.tempoCount)
        odds = 0
        pieceLogRatio = 0
        mostProbablePooledFrame = firstPooledFrame
    }

    /// Takes the likelihoods of the newest pooled frame.
    /// - Parameters:
    ///   - likelihoods: one for each pooled frame of the reference.
    ///   - noise: the likelihood that the frame resembles nothing.
    ///   - moving: the frame's likelihood if the piece is played from anywhere.
    func advance(_ likelihoods: UnsafePointer<Float>, noise: Float, moving: Float) {
        let explained = advanceNotBegun(likelihoods, noise: noise)
        pieceLogRatio = max(pieceLogRatio + Float.log(max(moving, 1e-30) / explained), 0)
        let count = min(parameters.beginningReachPooledFrames, pooledFrameCount - firstPooledFrame)
        let scale = 1 / explained
        for column in 0..<count {
            likelihood[rowMarginZeroCount + column] = likelihoods[firstPooledFrame + column] * scale
        }
        (likelihood + rowMarginZeroCount + count).update(
            repeating: 0, count: parameters.beginningReachPooledFrames - count)
        var total = SIMD8<Float>.zero
        let resumedColumn = resumedPooledFrame.map { $0 - firstPooledFrame }
        tempoGrid.tempoRatios.withUnsafeBufferPointer { ratios in
            tempoGrid.priorProbabilities.withUnsafeBufferPointer { prior in
                var column = 0
                while column < parameters.beginningReachPooledFrames {
                    var arriving = SIMD8<Float>.zero
                    if column == 0 {
                        arriving[0] = parameters.beginningProbability / 2
                        arriving[1] = parameters.beginningProbability / 2
                    }
                    if let resumedColumn, resumedColumn & ~7 == column {
                        arriving[resumedColumn & 7] += parameters.beginningProbability
                    }
                    let (_, weighed) = filterStep.computeEightColumns(
                        from: begunRows, to: nextBegunRows, ratios: ratios.baseAddress!,
                        prior: prior.baseAddress!, column: column,
                        arriving: arriving,
                        weight: loadEightFloats(likelihood, column + rowMarginZeroCount))
                    storeEightFloats(weighed, begunByPooledFrame + rowMarginZeroCount, column)
                    total += weighed
                    column += 8
                }
            }
        }
        swap(&begunRows, &nextBegunRows)
        odds = total.sum()
        var best: Float = -1
        for column in 0..<count where begunByPooledFrame[rowMarginZeroCount + column] > best {
            best = begunByPooledFrame[rowMarginZeroCount + column]
            mostProbablePooledFrame = firstPooledFrame + column
        }
        limitOdds()
    }

    /// The mean tempo near ``mostProbablePooledFrame``.
    var mostProbableTempo: Float {
        let place = mostProbablePooledFrame - firstPooledFrame
        var sum: Float = 0
        var logs: Float = 0
        for row in tempoGrid.tempoRatios.indices {
            for column in max(place - 5, 0)...min(place + 5, parameters.beginningReachPooledFrames - 1) {
                let value = begunRows[row * filterStep.rowLength + rowMarginZeroCount + column]
                sum += value
                logs += value * Float.log(tempoGrid.tempoRatios[row])
            }
        }
        return sum > 0 ? Float.exp(logs / sum) : 1
    }

    /// Keeps the odds finite.
    private func limitOdds() {
        let largest: Float = 1e12
        guard odds > largest else { return }
        let factor = largest / odds
        for index in 0..<filterStep.rowLength * filterStep.tempoCount { begunRows[index] *= factor }
        odds = largest
    }

    /// Advances the other hypothesis.
    /// - Returns: the likelihood of the newest frame if the music has not begun.
    private func advanceNotBegun(_ likelihoods: UnsafePointer<Float>, noise: Float) -> Float {
        let change = parameters.notBegunChangeProbability
        let arriving =
            change * (1 - parameters.notBegunNoiseShare) / Float(pooledFrameCount)
        let staying = 1 - change
        var sum: Float = 0
        for frame in 0..<pooledFrameCount {
            let value = (heldProbability[frame] * staying + arriving) * likelihoods[frame]
            heldProbability[frame] = value
            sum += value
        }
        noiseProbability = (noiseProbability * staying + change * parameters.notBegunNoiseShare) * noise
        sum = max(sum + noiseProbability, 1e-30)
        let factor = 1 / sum
        for frame in 0..<pooledFrameCount { heldProbability[frame] *= factor }
        noiseProbability *= factor
        return sum
    }
}

/// Counts the frames for which the position has moved on steadily.
struct SteadyProgress {
    private(set) var count = 0
    private var firstFrame = 0
    private var newestFrame = 0
    /// The largest odds of a beginning meanwhile.
    private(set) var largestOdds: Float = 0

    /// The distance in frames from which a step is a leap: two seconds.
    private static let leapFrames = 100

    /// Takes the newest frame.
    /// - Parameter isSteady: false ends the count; a leap begins it anew.
    mutating func add(_ isSteady: Bool, at frame: Int, odds: Float) {
        if abs(frame - newestFrame) >= Self.leapFrames { count = 0 }
        if count == 0 { (firstFrame, largestOdds) = (frame, 0) }
        newestFrame = frame
        largestOdds = max(largestOdds, odds)
        count = isSteady ? count + 1 : 0
    }

    /// True if it has lasted for so many frames and has come on at half the reference's tempo or faster.
    func hasLasted(_ frames: Int, to frame: Int) -> Bool {
        count >= frames && 2 * (frame - firstFrame) >= count
    }
}
