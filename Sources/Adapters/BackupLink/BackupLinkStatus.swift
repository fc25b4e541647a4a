/// The state of the link between the two servers, for the console.
public struct BackupLinkStatus: Equatable, Sendable {
    /// True if an authentic heartbeat arrived within the last second.
    public var isOtherServerHeard = false
    /// Milliseconds since the last authentic heartbeat; nil before the first.
    public var heardMillisecondsAgo: Int64?
    /// True while the stream connection for the log is open.
    public var isConnected = false
    /// True if the other server copies our log. Only then is the lag meaningful.
    public var isLogCopiedByOtherServer = false
    /// The number of log lines that the other server has not confirmed yet.
    public var logLagLines = 0
    /// Milliseconds for which the oldest unconfirmed log line has waited for the other server's confirmation.
    public var logLagMilliseconds: Int64 = 0
    /// The other server's identity; nil before its first heartbeat.
    public var otherServer: LinkedServerIdentity?
    /// The IP address that the other server's last heartbeat came from, without a port.
    public var otherAddress: String?
    /// True if the other server answers questions, false if its version cannot; nil before its first heartbeat.
    public var otherAnswersQuestions: Bool?
    /// The differences between the two servers that a technician should remove.
    public var warnings: [ServerMismatchWarning] = []
    public var counters = BackupLinkCounters()

    public init() {}
}

/// Counts of messages sent, received and refused since the start.
public struct BackupLinkCounters: Equatable, Sendable {
    public var heartbeatsSent = 0
    public var heartbeatsFailed = 0
    public var heartbeatsHeard = 0
    public var forgedMessages = 0
    public var replayedDatagrams = 0
    public var oversizedMessages = 0
    public var malformedMessages = 0
    public var otherVersionMessages = 0
    public var authenticatedConnections = 0
    /// The number of connections that were closed because the other server accepted no more log lines.
    public var disconnectedSlowLogFollowers = 0
    public var linesSent = 0
    public var linesReceived = 0

    public init() {}
}

/// Identifies a server: its program version, its show, its console address.
public struct LinkedServerIdentity: Codable, Equatable, Sendable {
    /// The version of the server's program.
    public var version: String
    /// The title of the show.
    public var show: String
    /// A hash of programme, models and cues. Two servers have the same hash if they would behave alike.
    public var showDigest: String
    /// The URL of the server's console; the host is `*` if the server does not know its own address. Nil from a version
    /// that does not send the URL.
    public var console: String?

    public init(version: String, show: String, showDigest: String, console: String? = nil) {
        self.version = version
        self.show = show
        self.showDigest = showDigest
        self.console = console
    }

    /// Lists the differences between the two servers that a technician should know before relying on the backup.
    func warnings(about other: LinkedServerIdentity) -> [ServerMismatchWarning] {
        var found: [ServerMismatchWarning] = []
        if version != other.version { found.append(.otherVersion(ours: version, theirs: other.version)) }
        if show != other.show {
            found.append(.otherShow(ours: show, theirs: other.show))
        } else if showDigest != other.showDigest {
            found.append(.otherContent(show: show))
        }
        return found
    }

    /// A copy of the identity with texts short enough for one datagram.
    var shortened: LinkedServerIdentity {
        func cut(_ text: String, _ bytes: Int) -> String {
            var text = text
            while text.utf8.count > bytes { text.removeLast() }
            return text
        }
        return LinkedServerIdentity(
            version: cut(version, 64), show: cut(show, 200), showDigest: cut(showDigest, 64),
            console: console.map { cut($0, 200) })
    }
}

/// A difference between the two servers of a pair, for the console.
public enum ServerMismatchWarning: Equatable, Sendable {
    case otherVersion(ours: String, theirs: String)
    case otherShow(ours: String, theirs: String)
    case otherContent(show: String)

    public var sentence: String {
        switch self {
        case .otherVersion(let ours, let theirs):
            "This server runs baton \(ours), the other \(theirs); install the same version on both."
        case .otherShow(let ours, let theirs):
            "This server plays '\(ours)', the other '\(theirs)'; start both with the same show."
        case .otherContent(let show):
            "The two servers have different programmes, models or cues for '\(show)'; copy the folder of the "
                + "show from one to the other."
        }
    }
}
