import Podium

/// One end of the link between main and backup; both ends can do the same.
public protocol BackupLink: Sendable {
    /// Tells the other server that this one works; every 100 ms, from where the work is done.
    func send(_ heartbeat: Heartbeat)
    /// The next line of this server's log, for the other to copy.
    func offer(_ line: LinkLine)
    /// Whether this server copies the other's log.
    func follow(_ isFollowing: Bool)
    var status: LinkStatus { get }
    /// Ends all connections and the link's thread.
    func close() async
}

extension BackupLinkServer {
    public func send(_ heartbeat: Heartbeat) { core.send(heartbeat) }
    public func offer(_ line: LinkLine) { core.offer(line) }
    public func follow(_ isFollowing: Bool) { core.follow(isFollowing) }
    public var status: LinkStatus { core.status }
}

extension BackupLinkClient {
    public func send(_ heartbeat: Heartbeat) { core.send(heartbeat) }
    public func offer(_ line: LinkLine) { core.offer(line) }
    public func follow(_ isFollowing: Bool) { core.follow(isFollowing) }
    public var status: LinkStatus { core.status }
}
