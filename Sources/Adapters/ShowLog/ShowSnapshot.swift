import Podium

/// Everything a restart needs, as it stands in the log.
///
/// The course stands only where it is not already in the same file: with the first snapshot of a file, and
/// with the first after an edit.
struct ShowSnapshot: Codable, Equatable {
    /// Why it was written.
    enum Reason: String, Codable {
        /// A show begins.
        case start
        /// The server came back, or took over from another: the state before it need not lead to it.
        case restart
        /// Lines were lost: neither here.
        case gap
        /// A minute is over, or a file is full: the state is what the events before lead to.
        case regular
    }

    var course: ShowCourse?
    /// Packets sent to the audience so far.
    var packets: UInt64
    var reason: Reason
    var settings: PodiumSettings
    var state: PodiumState

    /// True where nothing from another line is needed; the members are sorted, so the course comes first.
    static func isWhole(_ payload: [UInt8]) -> Bool { payload.starts(with: wholeBeginning) }

    private static let wholeBeginning = Array("{\"course\":".utf8)
}

/// Packets sent and clients connected, as counted by those who send.
public struct ShowCount: Codable, Equatable, Sendable {
    /// By kind, such as `console`, `audience`, `osc`.
    public var clients: [String: Int]
    /// Packets sent to the audience since the show began.
    public var packets: UInt64

    public init(packets: UInt64, clients: [String: Int]) {
        self.packets = packets
        self.clients = clients
    }
}
