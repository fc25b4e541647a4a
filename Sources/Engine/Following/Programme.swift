import Features
import Score

/// The pieces of a concert in playing order; each movement is a piece.
public struct Programme: Sendable {
    public let title: String
    /// The models of the pieces: at least one, all ready to follow.
    public let models: [ReferenceModel]

    /// Creates a programme and makes its models ready to follow.
    /// - Parameter features: the features by which frames are compared, for models that are not ready to follow yet.
    public init(title: String, models: [ReferenceModel], features: FrameFeatures = .bands) {
        precondition(!models.isEmpty, "a programme has a piece")
        self.title = title
        self.models = models.map { $0.readyToFollow(by: features) }
    }

    /// Returns the index of the piece after another one; nil after the last piece.
    public func piece(after piece: Int) -> Int? { piece + 1 < models.count ? piece + 1 : nil }
}

/// A position in a programme.
public struct ProgrammePosition: Sendable, Hashable {
    /// The piece, as an index into ``Programme/models``.
    public var piece: Int
    /// The position in the piece; nil if unknown.
    public var position: ScorePosition?

    public init(piece: Int, position: ScorePosition?) {
        self.piece = piece
        self.position = position
    }

    public static let beginning = ProgrammePosition(
        piece: 0, position: ScorePosition(played: 0, fraction: 0))
}

/// The report after each hop of a concert: which piece is played, and where in it.
public struct ConcertReport: Sendable, Hashable, BitwiseCopyable {
    /// The piece, as an index into ``Programme/models``.
    public var piece: Int
    /// The position in the piece. Its live time counts through the whole concert.
    public var report: PositionReport
    /// True if the room has been silent for some seconds, whatever position the follower finds in the noise.
    public var isSilent: Bool

    public init(piece: Int, report: PositionReport, isSilent: Bool = false) {
        self.piece = piece
        self.report = report
        self.isSilent = isSilent
    }
}

/// Which pieces a concert may go on to without an operator.
public enum ConcertAdvance: String, Sendable, CaseIterable {
    /// The next piece as printed in the programme.
    case next
    /// Any piece, for a concert that begins again, an encore or a changed order.
    case any
}
