import Alignment
import Features
import Score

/// The pieces of a concert in playing order; each movement is a piece.
public struct ConcertProgramme: Sendable {
    public let title: String
    /// The models of the pieces: at least one, all ready to follow unless ``init(title:loadedModels:)`` made this.
    public let pieceModels: [ReferenceModel]

    /// Creates a programme and makes its models ready to follow.
    /// - Parameter features: the features by which frames are compared, for models that are not ready to follow yet.
    public init(title: String, pieceModels: [ReferenceModel], features: FeatureKind = .refined) {
        precondition(!pieceModels.isEmpty, "a programme has a piece")
        self.title = title
        self.pieceModels = pieceModels.map { $0.preparedForFollowing(by: features) }
    }

    /// Creates a programme of models as they were loaded, for what needs only their names and measures, before a follower
    /// is made of it.
    public init(title: String, loadedModels: [ReferenceModel]) {
        precondition(!loadedModels.isEmpty, "a programme has a piece")
        self.title = title
        pieceModels = loadedModels
    }

    /// A programme to which no piece has been added yet. Its only model is a second of silence, so that indices of
    /// pieces are valid; no follower uses it.
    public static func empty(title: String) -> ConcertProgramme {
        let features = FeatureParameters()
        let frameCount = features.framesPerSecond
        let silence = ReferenceFeatureFrames(
            featureValues: [Float](repeating: 0, count: frameCount * features.dimensions),
            dimensions: features.dimensions, powerByFrame: [Float](repeating: 0, count: frameCount))
        return ConcertProgramme(
            title: title,
            pieceModels: [
                ReferenceModel(
                    pieceName: .noPieceYet, measures: .oneMeasure, framesPerSecond: frameCount,
                    framesByRecording: [silence.packed])
            ])
    }

    /// Returns the index of the piece after another one; nil after the last piece.
    public func nextPieceIndex(after piece: Int) -> Int? { piece + 1 < pieceModels.count ? piece + 1 : nil }
}

/// A position in a programme.
public struct ProgrammePosition: Sendable, Hashable {
    /// The piece, as an index into ``ConcertProgramme/pieceModels``.
    public var pieceIndex: Int
    /// The position in the piece; nil if unknown.
    public var position: ScorePosition?

    public init(pieceIndex: Int, position: ScorePosition?) {
        self.pieceIndex = pieceIndex
        self.position = position
    }

    public static let beginning = ProgrammePosition(
        pieceIndex: 0, position: ScorePosition(played: 0, fraction: 0))
}

/// The report after each hop of a concert: which piece is played, and where in it.
public struct ConcertReport: Sendable, Hashable, BitwiseCopyable {
    /// The piece, as an index into ``ConcertProgramme/pieceModels``.
    public var pieceIndex: Int
    /// The position in the piece. Its live time counts through the whole concert.
    public var positionReport: PositionReport
    /// True if the room has been silent for some seconds, whatever position the follower finds in the noise.
    public var isSilent: Bool

    public init(pieceIndex: Int, positionReport: PositionReport, isSilent: Bool = false) {
        self.pieceIndex = pieceIndex
        self.positionReport = positionReport
        self.isSilent = isSilent
    }
}

/// The pieces that a concert may go on to without an operator.
public enum PieceAdvanceRule: String, Sendable, CaseIterable {
    /// The next piece as printed in the programme; after the last one any piece, for an encore or a concert that begins
    /// again.
    case next
    /// Any piece, also before the last one is over, for a changed order or a rehearsal.
    case any
}
