/// One record about a rehearsal room, for its database.
public enum RehearsalRoomRecord: Equatable, Sendable {
    case event(sequence: Int, json: [UInt8])
    /// The room's whole state after an event; the next start of the program continues from it.
    case state(sequence: Int, json: [UInt8])
    case sessionBegan(id: String, atMilliseconds: Int64, sequence: Int)
    case sessionEnded(id: String, atMilliseconds: Int64)
    /// The position in the score that the music had reached at an instant.
    case scorePosition(session: String, atMilliseconds: Int64, json: [UInt8])
    /// The page that a user's stand shows, and the time at which it was opened.
    /// The score is nil if it is the one with which the room was made.
    case openPage(user: String, score: String? = nil, part: Int, page: Int, atMilliseconds: Int64? = nil)
    /// A user's page-turning settings for a score, in any room.
    case pageTurningSettings(user: String, score: String, json: [UInt8])
}

/// A room as stored on disk.
public struct StoredRehearsalRoom: Equatable, Sendable {
    /// The page that a user's stand showed last in a score.
    public struct OpenPage: Equatable, Sendable {
        public var user: String
        public var score: String?
        public var part: Int
        public var page: Int
        public var atMilliseconds: Int64?
    }

    public var id: String
    public var scoreID: String
    public var stateJSON: [UInt8]
    /// The events written after the stored state, in order, as JSON.
    public var eventsAfterState: [[UInt8]]
    public var openPages: [OpenPage]
}

/// A rehearsal session as stored on disk.
public struct StoredRehearsalSession: Equatable, Sendable {
    public var id: String
    public var beganMilliseconds: Int64
    public var endedMilliseconds: Int64?
    /// The sequence number of the event that began the session.
    public var beginningEventSequence: Int
}

/// The position in the score that the music had reached at an instant of a session.
public struct StoredScorePosition: Equatable, Sendable {
    public var atMilliseconds: Int64
    public var json: [UInt8]
}
