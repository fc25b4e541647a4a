/// How the link does, for the console.
public struct LinkStatus: Equatable, Sendable {
    /// True while believed heartbeats came within the last second.
    public var isHeard = false
    /// Since the last believed heartbeat; nil before the first.
    public var heardMillisecondsAgo: Int64?
    /// A connection for the log stands.
    public var isConnected = false
    /// The other server copies our log; then the lag says how far it is behind.
    public var isFollowed = false
    public var lagLines = 0
    /// How long the oldest line it does not have yet has been waiting.
    public var lagMilliseconds: Int64 = 0
    /// As it calls itself; nil before its first heartbeat.
    public var other: LinkIdentity?
    /// The address its last heartbeat came from, without a port.
    public var otherAddress: String?
    /// It answers questions; false for a version that knows none, nil before its first heartbeat.
    public var otherAnswers: Bool?
    /// What differs between the two and should not.
    public var warnings: [LinkWarning] = []
    public var counters = LinkCounters()

    public init() {}
}

/// What was sent, heard and refused since the start.
public struct LinkCounters: Equatable, Sendable {
    public var heartbeatsSent = 0
    public var heartbeatsFailed = 0
    public var heartbeatsHeard = 0
    public var forged = 0
    public var replayed = 0
    public var oversized = 0
    public var malformed = 0
    public var otherVersion = 0
    public var connections = 0
    /// Followers cut off because they took nothing any more.
    public var slowFollowers = 0
    public var linesSent = 0
    public var linesReceived = 0

    public init() {}
}

/// Which program with which show.
public struct LinkIdentity: Codable, Equatable, Sendable {
    /// Of the program.
    public var version: String
    /// The title of the show.
    public var show: String
    /// Of programme, models and cues: equal where both would do the same.
    public var showDigest: String
    /// Where people open its console; `*` for a host it does not know itself. Nil from a version that does not say.
    public var console: String?

    public init(version: String, show: String, showDigest: String, console: String? = nil) {
        self.version = version
        self.show = show
        self.showDigest = showDigest
        self.console = console
    }

    /// What a technician should know before relying on the pair.
    func warnings(about other: LinkIdentity) -> [LinkWarning] {
        var found: [LinkWarning] = []
        if version != other.version { found.append(.otherVersion(ours: version, theirs: other.version)) }
        if show != other.show {
            found.append(.otherShow(ours: show, theirs: other.show))
        } else if showDigest != other.showDigest {
            found.append(.otherContent(show: show))
        }
        return found
    }

    /// As much of the texts as fits into a datagram.
    var shortened: LinkIdentity {
        func cut(_ text: String, _ bytes: Int) -> String {
            var text = text
            while text.utf8.count > bytes { text.removeLast() }
            return text
        }
        return LinkIdentity(
            version: cut(version, 64), show: cut(show, 200), showDigest: cut(showDigest, 64),
            console: console.map { cut($0, 200) })
    }
}

public enum LinkWarning: Equatable, Sendable {
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
