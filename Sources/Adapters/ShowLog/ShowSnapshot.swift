import Podium

/// The complete state of a show as written in its log, from which a restarted server continues.
///
/// The show's programme is included only in the first snapshot of a log file and in the first one after an edit of the
/// programme.
struct ShowSnapshot: Codable, Equatable {
    /// The reason why a snapshot was written.
    enum Reason: String, Codable {
        /// The show begins.
        case start
        /// The server was restarted, or it took over from another. The state does not have to follow from the lines
        /// before.
        case restart
        /// Lines were lost. The state does not have to follow from the lines before.
        case gap
        /// The interval between snapshots is over, or the log file is full. The state follows from the lines before.
        case regular
    }

    var course: ShowProgramme?
    /// Nil in the logs of earlier versions.
    var origin: ShowOrigin?
    /// The number of packets sent to the audience since the show began.
    var packets: UInt64
    var reason: Reason
    var settings: PodiumSettings
    var state: PodiumState

    /// True if the snapshot contains the programme and so depends on no other line. JSON members are sorted, so the
    /// programme comes first.
    static func isSelfContained(_ payload: [UInt8]) -> Bool { payload.starts(with: selfContainedJSONPrefix) }

    private static let selfContainedJSONPrefix = Array("{\"course\":".utf8)
}

/// The numbers of packets sent and of clients connected, as counted by the senders.
public struct PacketAndClientCounts: Codable, Equatable, Sendable {
    /// The number of connected clients by kind, such as `console`, `audience`, `osc`.
    public var clients: [String: Int]
    /// The number of packets sent to the audience since the show began.
    public var packets: UInt64

    public init(packets: UInt64, clients: [String: Int]) {
        self.packets = packets
        self.clients = clients
    }
}
