/// One thing that is written down about a room.
public enum RoomEntry: Equatable, Sendable {
    case event(sequence: Int, json: [UInt8])
    /// The whole room as of an event, from which the next start goes on.
    case state(sequence: Int, json: [UInt8])
    case sessionBegan(id: String, atMilliseconds: Int64, sequence: Int)
    case sessionEnded(id: String, atMilliseconds: Int64)
    /// Where the music was.
    case word(session: String, atMilliseconds: Int64, json: [UInt8])
    /// Which page a user's stand shows, and since when.
    case spot(user: String, part: Int, page: Int, atMilliseconds: Int64? = nil)
    /// How a user wants pages turned in a score, in whatever room.
    case settings(user: String, score: String, json: [UInt8])
}

/// A room as it lies on the disk.
public struct StoredRoom: Equatable, Sendable {
    public struct Spot: Equatable, Sendable {
        public var user: String
        public var part: Int
        public var page: Int
        public var atMilliseconds: Int64?
    }

    public var id: String
    public var score: String
    public var state: [UInt8]
    /// What was written behind the state, in order.
    public var events: [[UInt8]]
    public var spots: [Spot]
}

/// A session as it lies on the disk.
public struct StoredSession: Equatable, Sendable {
    public var id: String
    public var beganMilliseconds: Int64
    public var endedMilliseconds: Int64?
    /// Of the event that began it.
    public var sequence: Int
}

/// Where the music was at an instant of a session.
public struct StoredWord: Equatable, Sendable {
    public var atMilliseconds: Int64
    public var json: [UInt8]
}
