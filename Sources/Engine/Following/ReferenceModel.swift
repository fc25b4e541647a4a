import Alignment
import Features
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
    /// Played measures at which a section begins, where somebody has said so; the follower looks there sooner.
    public var sections: [Int]
    /// Frames a second of every reference.
    public var framesPerSecond: Int
    /// The timeline's own frames first; none once the model is ready to follow.
    public var references: [ReferenceFrames]
    /// The same frames as the follower meets them; nil until the model is ready to follow.
    public private(set) var tiles: [ReferenceTiles]?
    /// What those frames hold; ``references`` are always bands.
    public private(set) var features = FrameFeatures.bands

    public init(
        name: PieceName, measures: MeasureMap, framesPerSecond: Int, references: [ReferenceFrames],
        sections: [Int] = []
    ) {
        precondition(!references.isEmpty, "a model has a reference")
        self.name = name
        self.measures = measures
        self.sections = sections
        self.framesPerSecond = framesPerSecond
        self.references = references
    }

    /// The model as a follower needs it: tiled, and without the rows it was tiled from, so that the frames are in
    /// memory once. A model that is ready stays as it is. Cost: one pass over the frames; not for the follow lane.
    /// - Parameter features: what frames are compared by; chroma is folded from the stored bands.
    public func readyToFollow(by features: FrameFeatures = .bands) -> ReferenceModel {
        guard tiles == nil else { return self }
        var ready = self
        ready.features = features
        ready.tiles = references.map { frames in
            let frames = features == .bands ? frames : frames.foldedToChroma()
            return ReferenceTiles(frames: frames.values, dimensions: frames.dimensions)
        }
        ready.references = []
        return ready
    }

    /// Frame `n` ends at (n + 1) / framesPerSecond.
    public func frame(at time: ReferenceTime) -> Double {
        time.seconds * Double(framesPerSecond) - 1
    }

    public func time(ofFrame frame: Double) -> ReferenceTime {
        ReferenceTime(seconds: (frame + 1) / Double(framesPerSecond))
    }

    /// Frames of the timeline.
    public var frameCount: Int { tiles?.first?.frameCount ?? references[0].frameCount }

    /// The bars of the timeline, as an alignment needs them to know where music goes on.
    ///
    /// A repeat opens a section: where the printed number does not go up.
    /// - Complexity: O(measures). Not for the follow lane.
    var landmarks: Landmarks {
        let opening = Set(sections)
        return Landmarks(
            bars: measures.marks.indices.map { played in
                let mark = measures.marks[played]
                let isRepeat = played > 0 && mark.printed <= measures.marks[played - 1].printed
                return Landmarks.Bar(
                    frame: max(Int(frame(at: mark.onset).rounded()), 0), printed: mark.printed,
                    opensSection: isRepeat || opening.contains(played))
            })
    }
}
