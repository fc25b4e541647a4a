import RealModule

/// Weights several reference recordings, and their copies in rooms, by how well each has explained the sound lately.
///
/// The weights are a softmax of the mean similarity at the position, so that a recording of other music, or of another
/// room, soon counts for nothing. Belongs to one thread; no allocation after `init`.
final class ReferenceRecordingWeights {
    private let referenceCount: Int
    /// The first of the references are recordings, the others their copies in rooms.
    private let recordingCount: Int
    /// For each reference the number of the room of ``RoomShares`` that it sounds in; 0 for a recording.
    private let roomNumbers: [Int]
    private let referenceCountByRoom: [Float]
    private let parameters: ForwardFilterParameters
    /// For each reference, its similarity at the position, averaged over the last frames.
    private let meanSimilarityByReference: UnsafeMutablePointer<Float>
    private let weightByReference: UnsafeMutablePointer<Float>
    /// The number of frames over which the similarities are averaged: from
    /// ``ForwardFilterParameters/referenceTrialFrames`` to ``ForwardFilterParameters/referenceMemoryFrames``.
    private var averagedFrames: Float = 0
    /// True if the weights stay as they are, whatever fits.
    private var areWeightsFixed = false
    /// The weight below which a reference counts as 0, so that the window need not be compared with it.
    private let leastShare: Float

    /// - Parameter roomNumbers: for each reference the number of its room, 0 for the recordings, which come first.
    init(roomNumbers: [Int], parameters: ForwardFilterParameters) {
        self.roomNumbers = roomNumbers
        referenceCount = roomNumbers.count
        recordingCount = roomNumbers.prefix { $0 == 0 }.count
        referenceCountByRoom = (0...RoomShares.lastRoomNumber).map { number in
            Float(roomNumbers.filter { $0 == number }.count)
        }
        self.parameters = parameters
        leastShare = min(0.02, 0.5 / Float(referenceCount))
        meanSimilarityByReference = zeroedFloats(referenceCount)
        weightByReference = zeroedFloats(referenceCount)
        reset()
    }

    deinit {
        meanSimilarityByReference.deallocate()
        weightByReference.deallocate()
    }

    /// Gives all recordings the same weight, and their copies in rooms none.
    func reset() {
        averagedFrames = parameters.referenceTrialFrames
        areWeightsFixed = false
        meanSimilarityByReference.update(repeating: 0, count: referenceCount)
        for reference in 0..<referenceCount {
            weightByReference[reference] = reference < recordingCount ? 1 / Float(recordingCount) : 0
        }
    }

    /// Fixes all weights until ``followFits()``, because before the first note nothing tells which room it is. The
    /// copies in rooms have ``ForwardFilterParameters/roomShareBeforeStart``.
    /// - Parameter room: the room that is known from earlier in the evening, from other pieces' references; it counts
    ///   for half, and afterwards as much as ``ForwardFilterParameters/expectedRoomFrames`` of listening.
    func fixBeforeStart(expecting room: RoomShares?) {
        let copyCount = referenceCount - recordingCount
        guard copyCount > 0 else { return }
        areWeightsFixed = true
        let copiesShare = parameters.roomShareBeforeStart
        for reference in 0..<referenceCount {
            weightByReference[reference] =
                reference < recordingCount
                ? (1 - copiesShare) / Float(recordingCount) : copiesShare / Float(copyCount)
        }
        guard let room else { return }
        for reference in 0..<referenceCount {
            let number = roomNumbers[reference]
            weightByReference[reference] += room[number] / referenceCountByRoom[number]
        }
        normalizeShares()
        averagedFrames = parameters.expectedRoomFrames
        for reference in 0..<referenceCount {
            let fit = Float.log(weightByReference[reference]) / parameters.referenceWeightSharpness
            meanSimilarityByReference[reference] = fit + (reference < recordingCount ? 0 : handicap)
        }
    }

    /// The share of each room in the weights.
    var roomShares: RoomShares {
        var shares = RoomShares.zero
        for reference in 0..<referenceCount { shares[roomNumbers[reference]] += weightByReference[reference] }
        return shares
    }

    /// Ends ``fixBeforeStart(expecting:)``: from the next frame on, the weights depend on how well each reference has
    /// fitted.
    func followFits() { areWeightsFixed = false }

    /// Takes over the weights that another window has found.
    func copy(_ other: ReferenceRecordingWeights) {
        averagedFrames = other.averagedFrames
        areWeightsFixed = other.areWeightsFixed
        meanSimilarityByReference.update(from: other.meanSimilarityByReference, count: referenceCount)
        weightByReference.update(from: other.weightByReference, count: referenceCount)
    }

    /// The weight of a reference, 0…1; the weights of all references sum to one. A reference that hardly matters has
    /// the weight 0.
    subscript(reference: Int) -> Float { weightByReference[reference] }

    /// Takes the similarity of a reference, at the present position, to the newest live frame.
    func addSimilarity(_ similarity: Float, of reference: Int) {
        meanSimilarityByReference[reference] +=
            (similarity - meanSimilarityByReference[reference]) / averagedFrames
    }

    /// Computes the weights from the similarities taken so far; they apply from the next frame on.
    func computeWeights() {
        averagedFrames = min(averagedFrames + 1, parameters.referenceMemoryFrames)
        guard !areWeightsFixed else { return }
        var best = -Float.infinity
        for reference in 0..<referenceCount { best = max(best, adjustedFit(reference)) }
        for reference in 0..<referenceCount {
            weightByReference[reference] = Float.exp(
                parameters.referenceWeightSharpness * (adjustedFit(reference) - best))
        }
        normalizeShares()
        for reference in 0..<referenceCount where weightByReference[reference] < leastShare {
            weightByReference[reference] = 0
        }
        normalizeShares()
    }

    private func adjustedFit(_ reference: Int) -> Float {
        guard reference >= recordingCount else { return meanSimilarityByReference[reference] }
        return meanSimilarityByReference[reference] - handicap
    }

    /// The similarity by which a copy in a room must fit better than a recording. The error of a mean of n values falls
    /// with the root of n.
    private var handicap: Float {
        parameters.roomHandicap * (parameters.referenceMemoryFrames / averagedFrames).squareRoot()
    }

    private func normalizeShares() {
        var sum: Float = 0
        for reference in 0..<referenceCount { sum += weightByReference[reference] }
        for reference in 0..<referenceCount { weightByReference[reference] /= sum }
    }
}
