import Podium

/// The complete state for a restart, as written in the log.
///
/// The show's course is included only if the same file does not have it already: in the first snapshot of a file, and
/// in the first after an edit.
struct ShowSnapshot: Codable, Equatable {
    /// The reason for the snapshot.
    enum Reason: String, Codable {
        /// A show begins.
        case start
        /// The server was restarted, or took over from another: the previous state need not lead to this one.
        case restart
        /// Lines were lost: the previous state need not lead to this one.
        case gap
        /// A minute is over, or a file is full: the state follows from the events before.
        case regular
    }

    var course: ShowProgramme?
    /// Packets sent to the audience so far.
    var packets: UInt64
    var reason: Reason
    var settings: PodiumSettings
    var state: PodiumState

    /// True if the snapshot needs no other line; members are sorted, so the course comes first.
    static func isWhole(_ payload: [UInt8]) -> Bool { payload.starts(with: wholeBeginning) }

    private static let wholeBeginning = Array("{\"course\":".utf8)
}

/// Numbers of packets sent and clients connected, as counted by the senders.
public struct TrafficCount: Codable, Equatable, Sendable {
    /// The number of clients by kind, such as `console`, `audience`, `osc`.
    public var clients: [String: Int]
    /// Packets sent to the audience since the show began.
    public var packets: UInt64

    public init(packets: UInt64, clients: [String: Int]) {
        self.packets = packets
        self.clients = clients
    }
}
