import Alignment
import Basics
import Features
import Score

/// Everything the follower needs to know about a piece: a timeline, its measures, and its sound.
///
/// The first reference recording is the timeline. Further recordings of the same music are stored warped onto the
/// timeline, frame by frame, so that all recordings explain a live frame together.
public struct ReferenceModel: Sendable {
    public var pieceName: PieceName
    /// The measures on the timeline.
    public var measures: MeasureMap
    /// The beats of a bar; nil if they are unknown or change. The follower does not need them.
    public var beatsPerBar: Int?
    /// The played measures at which a section begins, if known. Music that leaves its path is expected to continue
    /// there.
    public var sectionStartMeasures: [Int]
    /// The number of frames per second in every reference.
    public var framesPerSecond: Int
    /// The timeline's own frames first; empty once the model is ready to follow.
    public var framesByRecording: [PackedFrames]
    /// For each reference, its copies in rooms, on the same timeline as the reference. Always empty once the model is
    /// ready to follow.
    public var roomCopies: [[RoomCopy]]
    /// The frames of all references and, after them, of their copies in rooms, in the layout that the follower uses;
    /// nil until the model is ready to follow.
    public private(set) var tiledFramesByRecording: [CompactTiles]?
    /// The kind of features in ``tiledFramesByRecording``; ``framesByRecording`` always hold semitone bands.
    public private(set) var featureKind = FeatureKind.refined
    /// For each element of ``tiledFramesByRecording`` the number of its room in ``RoomShares``; 0 for a recording.
    private(set) var roomNumbers: [Int] = []

    public init(
        pieceName: PieceName, measures: MeasureMap, framesPerSecond: Int,
        framesByRecording: [PackedFrames],
        roomCopies: [[RoomCopy]] = [], sectionStartMeasures: [Int] = []
    ) {
        precondition(!framesByRecording.isEmpty, "a model has a reference")
        self.pieceName = pieceName
        self.measures = measures
        self.sectionStartMeasures = sectionStartMeasures
        self.framesPerSecond = framesPerSecond
        self.framesByRecording = framesByRecording
        self.roomCopies = roomCopies
    }

    /// Adds a further recording.
    /// - Parameter warped: moves its frames onto the timeline.
    public mutating func addReference(
        _ frames: ReferenceFeatureFrames, roomCopies copies: [RoomCopy],
        warped: (ReferenceFeatureFrames) -> ReferenceFeatureFrames
    ) {
        if roomCopies.isEmpty { roomCopies = framesByRecording.map { _ in [] } }
        framesByRecording.append(warped(frames).packed)
        roomCopies.append(
            copies.map { RoomCopy(room: $0.room, frames: warped($0.frames.unpacked).packed) })
    }

    /// Returns the model in the form that a follower needs: its frames are laid out as tiles, and the originals are
    /// dropped. Until then these take a quarter more memory. A model that is ready already is returned as it is.
    ///
    /// Cost: one pass over the frames, and ``FrameRefinement`` for each of them; not for the real-time threads.
    /// - Parameter features: the features that frames are compared by; they are made of the stored bands.
    public func preparedForFollowing(by features: FeatureKind = .refined) -> ReferenceModel {
        guard !isReadyToFollow else { return self }
        var ready = self
        ready.featureKind = features
        let copies = roomCopies.joined().map { $0.frames }
        ready.tiledFramesByRecording = (framesByRecording + copies).map { $0.tiles(of: features) }
        ready.roomNumbers =
            framesByRecording.map { _ in 0 } + roomCopies.joined().map { $0.room.numberInShares }
        ready.framesByRecording = []
        ready.roomCopies = []
        return ready
    }

    /// True if a follower can use the model as it is.
    public var isReadyToFollow: Bool { tiledFramesByRecording != nil }

    /// The number of reference recordings, the timeline's included.
    public var recordingCount: Int {
        tiledFramesByRecording == nil ? framesByRecording.count : roomNumbers.prefix { $0 == 0 }.count
    }

    /// Returns the frame at an instant, with a fraction. Frame `n` ends at (n + 1) / framesPerSecond.
    public func frameNumber(at time: ReferenceTime) -> Double {
        time.seconds * Double(framesPerSecond) - 1
    }

    public func time(ofFrame frame: Double) -> ReferenceTime {
        ReferenceTime(seconds: (frame + 1) / Double(framesPerSecond))
    }

    /// The number of frames in the timeline.
    public var timelineFrameCount: Int {
        tiledFramesByRecording?.first?.frameCount ?? framesByRecording[0].frameCount
    }

    /// The bars of the timeline, at which an alignment expects music to continue.
    ///
    /// A section also opens at each repeat, which is where the printed number does not rise.
    /// - Complexity: O(measures). Do not call this on the real-time following thread.
    var referenceBars: ReferenceBars {
        let opening = Set(sectionStartMeasures)
        return ReferenceBars(
            bars: measures.marks.indices.map { played in
                let mark = measures.marks[played]
                let isRepeat = played > 0 && mark.printed <= measures.marks[played - 1].printed
                return ReferenceBars.Bar(
                    firstFrame: max(Int(frameNumber(at: mark.onset).rounded()), 0),
                    printedNumber: mark.printed,
                    opensSection: isRepeat || opening.contains(played))
            })
    }
}

extension RoomShape {
    /// The number in ``RoomShares`` of the room of ``RoomShape/ofReferences`` whose direct sound is most like this
    /// one's.
    fileprivate var numberInShares: Int {
        let rooms = RoomShape.ofReferences.prefix(RoomShares.lastRoomNumber)
        let nearest = rooms.indices.min {
            abs(rooms[$0].directToReverberantDecibels - directToReverberantDecibels)
                < abs(rooms[$1].directToReverberantDecibels - directToReverberantDecibels)
        }
        return (nearest ?? 0) + 1
    }
}
