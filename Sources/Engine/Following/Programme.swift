import Features
import Score

/// The pieces of an evening, movements counted as pieces, in the order in which they are played.
public struct Programme: Sendable {
    public let title: String
    /// At least one; all ready to follow.
    public let models: [ReferenceModel]

    /// - Parameter features: what the models' frames are compared by, where they are not ready yet.
    public init(title: String, models: [ReferenceModel], features: FrameFeatures = .bands) {
        precondition(!models.isEmpty, "a programme has a piece")
        self.title = title
        self.models = models.map { $0.readyToFollow(by: features) }
    }

    /// The piece that follows another one; nil behind the last.
    public func piece(after piece: Int) -> Int? { piece + 1 < models.count ? piece + 1 : nil }
}

/// Where in a programme the music begins.
public struct ProgrammePlace: Sendable, Hashable {
    /// Index into ``Programme/models``.
    public var piece: Int
    /// Nil where nobody knows the measure.
    public var position: ScorePosition?

    public init(piece: Int, position: ScorePosition?) {
        self.piece = piece
        self.position = position
    }

    public static let beginning = ProgrammePlace(
        piece: 0, position: ScorePosition(played: 0, fraction: 0))
}

/// What is said after each hop of a concert: which piece, and where in it.
public struct ConcertReport: Sendable, Hashable, BitwiseCopyable {
    /// Index into ``Programme/models``.
    public var piece: Int
    /// Its live time counts through the whole concert.
    public var report: PositionReport
    /// The room has been silent for some seconds, whatever the follower makes of its noise.
    public var isSilent: Bool

    public init(piece: Int, report: PositionReport, isSilent: Bool = false) {
        self.piece = piece
        self.report = report
        self.isSilent = isSilent
    }
}

/// Which piece a concert may go on with by itself.
public enum ConcertAdvance: String, Sendable, CaseIterable {
    /// The next one, as printed in the programme.
    case next
    /// Any other one: a concert that begins again, an encore, a changed order.
    case any
}
