import Alignment
import MusicalTime
import Score

/// Everything the follower needs of a piece: a timeline, its measures, and how it sounds.
///
/// The first reference is the timeline. Others of the same music are stored warped onto it, frame by frame, so
/// that all of them explain a live frame together.
public struct ReferenceModel: Sendable {
    public var name: PieceName
    /// Measures of the timeline.
    public var measures: MeasureMap
    /// Frames a second of every reference.
    public var framesPerSecond: Int
    /// The timeline's own frames first.
    public var references: [ReferenceFrames]

    public init(
        name: PieceName, measures: MeasureMap, framesPerSecond: Int, references: [ReferenceFrames]
    ) {
        precondition(!references.isEmpty, "a model has a reference")
        self.name = name
        self.measures = measures
        self.framesPerSecond = framesPerSecond
        self.references = references
    }

    /// Frame `n` ends at (n + 1) / framesPerSecond.
    public func frame(at time: ReferenceTime) -> Double {
        time.seconds * Double(framesPerSecond) - 1
    }

    public func time(ofFrame frame: Double) -> ReferenceTime {
        ReferenceTime(seconds: (frame + 1) / Double(framesPerSecond))
    }
}
