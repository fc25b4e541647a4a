import Podium

/// One end of the link between main and backup; both ends can do the same.
public protocol BackupLink: Sendable {
    /// Tells the other server that this one works; every 100 ms, from where the work is done.
    func send(_ heartbeat: Heartbeat)
    /// Sets what this server tells the other about itself from now on.
    func identify(as identity: LinkIdentity)
    /// The next line of this server's log, for the other to copy.
    func offer(_ line: LinkLine)
    /// Whether this server copies the other's log.
    func follow(_ isFollowing: Bool)
    /// Asks the other server for something else than its log; see ``LinkHandlers/answer``.
    ///
    /// Beside the log on the same stream: what is answered at once holds up lines for as long as it takes on the
    /// cable, so ask for much in pieces.
    /// - Parameter question: at most 16 KiB.
    /// - Returns: at most 8 MiB.
    func ask(_ question: [UInt8]) async throws(LinkSilence) -> [UInt8]
    var status: LinkStatus { get }
    /// Ends all connections and the link's thread.
    func close() async
}

extension BackupLinkServer {
    public func identify(as identity: LinkIdentity) { core.identify(as: identity) }
    public func send(_ heartbeat: Heartbeat) { core.send(heartbeat) }
    public func offer(_ line: LinkLine) { core.offer(line) }
    public func follow(_ isFollowing: Bool) { core.follow(isFollowing) }
    public func ask(_ question: [UInt8]) async throws(LinkSilence) -> [UInt8] { try await core.ask(question) }
    public var status: LinkStatus { core.status }
}

extension BackupLinkClient {
    public func identify(as identity: LinkIdentity) { core.identify(as: identity) }
    public func send(_ heartbeat: Heartbeat) { core.send(heartbeat) }
    public func offer(_ line: LinkLine) { core.offer(line) }
    public func follow(_ isFollowing: Bool) { core.follow(isFollowing) }
    public func ask(_ question: [UInt8]) async throws(LinkSilence) -> [UInt8] { try await core.ask(question) }
    public var status: LinkStatus { core.status }
}
