import Basics
import RealModule

/// Searches all pieces of a programme at once, coarsely and continuously, for the one that is being played and the
/// place in it.
///
/// Each piece has its own ``WholeReferenceSearch``. A piece becomes more probable by how well it explains each pooled
/// frame, and the music may change to any other piece with a small probability.
///
/// Belongs to one thread; after `init` no allocation, no lock. Cost: one step of a whole search per piece and pooled
/// frame. The pieces take turns in the frames between two pooled ones, so that no frame carries all the work.
public final class ProgrammeSearch {
    /// A place in one of the pieces.
    public struct Place: Equatable, Sendable {
        public var pieceIndex: Int
        public var frame: FeatureFrameIndex
        public var tempo: TempoRatio
        /// The probability of the piece.
        public var probability: Double
    }

    private let searches: [WholeReferenceSearch]
    private let turnByPiece: [Int]
    private let parameters: ForwardFilterParameters
    private let dimensions: Int
    private let weightedFrame: UnsafeMutablePointer<Float>
    private var probabilityByPiece: [Double]
    /// For each piece, the natural logarithm of the likelihood of its newest pooled frame.
    private var logLikelihoodByPiece: [Double]
    /// The number of frames since the newest pooled frame was complete; with the initial value no piece has a turn.
    private var framesSincePooled: Int
    /// The number of quiet frames without a break, and of frames of sound since the last silence.
    private var quietFrameCount = 0
    private var soundFrameCount = 0

    /// The probability per pooled frame that the music changes to another piece.
    private static let pieceChangeProbability = 1e-3
    /// The probability from which a piece, or a place in it, counts as found.
    private static let foundPieceProbability = 0.95
    private static let foundPlaceProbability = 0.5
    /// Music is likelier to be at a piece's beginning than at a later bar that sounds alike. Where it is at one of both,
    /// the beginning needs only this share of the other's probability. The beginning are the first three seconds.
    private static let leastShareOfBeginning = 0.2
    private static let beginningFrames = 150
    /// After a second of silence, in the first six seconds of sound, a piece is far likelier to have begun than to go on
    /// at one of its many bars: the opening then needs only this share of another place's probability. The opening is as
    /// far as the music can have come since the silence, at most the first ten seconds.
    private static let leastShareOfOpening = 1e-4
    private static let framesOfSilence = 50
    private static let framesOfOpeningSound = 300
    private static let openingFrames = 500
    private static let fastestOpening = 2.5

    /// Creates a search of the references of several filters; their pooled frames and scratch memory are shared.
    /// - Parameter filters: the filter of each piece, all with the same kind of frames.
    public init(filters: [ForwardFilter]) {
        precondition(!filters.isEmpty, "a programme needs a piece")
        parameters = filters[0].parameters
        dimensions = filters[0].wholeReferenceSearch.pooledReferenceTiles.dimensions
        searches = filters.map {
            let own = $0.wholeReferenceSearch
            return WholeReferenceSearch(
                pooled: own.pooledReferenceTiles, parameters: $0.parameters, sharedBuffers: own.sharedBuffers)
        }
        turnByPiece = Self.evenTurns(
            of: searches.map { $0.pooledFrameCount }, count: max(parameters.framesPerPooledFrame - 1, 1))
        weightedFrame = zeroedFloats(dimensions)
        probabilityByPiece = Array(repeating: 1 / Double(filters.count), count: filters.count)
        logLikelihoodByPiece = Array(repeating: 0, count: filters.count)
        framesSincePooled = parameters.framesPerPooledFrame
        for search in searches { search.setJumpLikely(true) }
    }

    deinit { weightedFrame.deallocate() }

    /// Spreads pieces over turns so that each turn has about the same number of frames.
    private static func evenTurns(of frameCounts: [Int], count: Int) -> [Int] {
        var turns = Array(repeating: 0, count: frameCounts.count)
        var load = Array(repeating: 0, count: count)
        for piece in frameCounts.indices.sorted(by: { frameCounts[$0] > frameCounts[$1] }) {
            let turn = load.indices.min { load[$0] < load[$1] } ?? 0
            turns[piece] = turn + 1
            load[turn] += frameCounts[piece]
        }
        return turns
    }

    /// Makes every place of every piece possible again.
    public func reset() {
        for piece in searches.indices {
            searches[piece].reset()
            probabilityByPiece[piece] = 1 / Double(searches.count)
            logLikelihoodByPiece[piece] = 0
        }
        framesSincePooled = parameters.framesPerPooledFrame
        (quietFrameCount, soundFrameCount) = (0, 0)
    }

    /// Takes a live frame.
    /// - Returns: true if all pieces have moved by a pooled frame; ``found`` may then have changed.
    public func advance(_ live: LiveFeatureFrame) -> Bool {
        parameters.applyWeights(live.featureValues, dimensions: dimensions, into: weightedFrame)
        // Quiet frames, like lost ones, say nothing about the piece.
        let isDropout = live.isDropout || live.isQuiet
        countSound(isQuiet: isDropout)
        var isPooled = false
        for search in searches where search.poolLiveFrame(weightedFrame, isDropout: isDropout) {
            isPooled = true
        }
        framesSincePooled = isPooled ? 0 : framesSincePooled + 1
        for piece in searches.indices where turnByPiece[piece] == framesSincePooled {
            searches[piece].advanceByPooledFrame()
            logLikelihoodByPiece[piece] = Double(searches[piece].stepLogLikelihood)
        }
        guard framesSincePooled == parameters.framesPerPooledFrame - 1 else { return false }
        updateProbabilities()
        return true
    }

    private func countSound(isQuiet: Bool) {
        if isQuiet {
            quietFrameCount += 1
            if quietFrameCount == Self.framesOfSilence { soundFrameCount = 0 }
        } else {
            quietFrameCount = 0
            soundFrameCount += 1
        }
    }

    private func updateProbabilities() {
        var best = logLikelihoodByPiece[0]
        for value in logLikelihoodByPiece { best = max(best, value) }
        let arriving = Self.pieceChangeProbability / Double(searches.count)
        var sum = 0.0
        for piece in searches.indices {
            let stayed = probabilityByPiece[piece] * (1 - Self.pieceChangeProbability)
            probabilityByPiece[piece] =
                (stayed + arriving) * Double.exp(logLikelihoodByPiece[piece] - best)
            sum += probabilityByPiece[piece]
        }
        for piece in searches.indices { probabilityByPiece[piece] /= max(sum, 1e-300) }
    }

    /// The place in a piece's opening, if the piece may have begun after the last silence; nil if it cannot.
    /// - Parameter mass: the probability of the piece's most probable place.
    private func likelyOpening(
        of search: WholeReferenceSearch, beside mass: Double
    ) -> (frame: Int, mass: Double, tempo: Float)? {
        let reached = Int(Self.fastestOpening * Double(soundFrameCount)) + Self.framesOfSilence
        let end = min(Self.openingFrames, reached, search.pooledFrameCount * search.framesPerPooledFrame)
        let opening = search.mostProbablePlace(in: 0..<end)
        guard opening.mass >= Self.leastShareOfOpening * mass else { return nil }
        let beginning = search.mostProbablePlace(in: 0..<min(Self.beginningFrames, end))
        return beginning.mass >= Self.leastShareOfBeginning * opening.mass ? beginning : opening
    }

    /// The piece and the place that are being played; nil if no piece, or no place in it, is probable enough.
    /// - Complexity: O(frames of the piece / pooling).
    public var found: Place? {
        var best = 0
        for piece in 1..<searches.count where probabilityByPiece[piece] > probabilityByPiece[best] {
            best = piece
        }
        guard probabilityByPiece[best] >= Self.foundPieceProbability else { return nil }
        let search = searches[best]
        var place = search.mostProbablePlace(in: 0..<search.pooledFrameCount * search.framesPerPooledFrame)
        let beginning = search.mostProbablePlace(in: 0..<Self.beginningFrames)
        if beginning.mass >= Self.leastShareOfBeginning * place.mass,
            beginning.mass + place.mass >= parameters.certainCopiesProbability
        {
            place = (beginning.frame, max(beginning.mass, place.mass), beginning.tempo)
        }
        if soundFrameCount <= Self.framesOfOpeningSound,
            let opening = likelyOpening(of: search, beside: place.mass)
        {
            place = (opening.frame, max(opening.mass, place.mass), opening.tempo)
        }
        guard place.mass >= Self.foundPlaceProbability else { return nil }
        return Place(
            pieceIndex: best, frame: FeatureFrameIndex(place.frame), tempo: TempoRatio(Double(place.tempo)),
            probability: probabilityByPiece[best])
    }
}
