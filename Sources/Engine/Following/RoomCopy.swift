import Alignment
import Features

/// The frames of a reference recording as a microphone in a made room would have heard it.
public struct RoomCopy: Hashable, Sendable {
    public var room: RoomShape
    public var frames: PackedFrames

    public init(room: RoomShape, frames: PackedFrames) {
        self.room = room
        self.frames = frames
    }
}
