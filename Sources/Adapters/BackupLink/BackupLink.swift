import Basics
import Podium

/// One end of the link between the main server and the backup server. Both ends offer the same calls.
public protocol BackupLink: Sendable {
    /// Sends a heartbeat to the other server. Call this every 100 ms from the thread that does the server's work, so
    /// that a server that hangs sends no more heartbeats.
    func sendHeartbeat(_ heartbeat: Heartbeat)
    /// Sets the identity that this server sends to the other server from now on.
    func identify(as identity: LinkedServerIdentity)
    /// Adds the next line of this server's log, for the other server to copy.
    func addLogLine(_ line: BackupLogLine)
    /// Starts or stops copying the other server's log.
    func setCopyingOtherLog(_ isFollowing: Bool)
    /// Sends a question to the other server and waits for its answer; see ``BackupLinkHandlers/answerQuestion``.
    ///
    /// Questions share the stream with the log: a long answer delays log lines while it is transmitted, so ask for
    /// large data in pieces.
    /// - Parameter question: at most 16 KiB.
    /// - Returns: the answer, at most 8 MiB.
    func askOtherServer(_ question: [UInt8]) async throws(ExplainedError) -> [UInt8]
    var status: BackupLinkStatus { get }
    /// Ends all connections and the link's thread.
    func close() async
}

extension BackupLinkServer {
    public func identify(as identity: LinkedServerIdentity) { sharedLinkState.identify(as: identity) }
    public func sendHeartbeat(_ heartbeat: Heartbeat) { sharedLinkState.sendHeartbeat(heartbeat) }
    public func addLogLine(_ line: BackupLogLine) { sharedLinkState.addLogLine(line) }
    public func setCopyingOtherLog(_ isFollowing: Bool) { sharedLinkState.setCopyingOtherLog(isFollowing) }
    public func askOtherServer(_ question: [UInt8]) async throws(ExplainedError) -> [UInt8] {
        try await sharedLinkState.askOtherServer(question)
    }
    public var status: BackupLinkStatus { sharedLinkState.status }
}

extension BackupLinkClient {
    public func identify(as identity: LinkedServerIdentity) { sharedLinkState.identify(as: identity) }
    public func sendHeartbeat(_ heartbeat: Heartbeat) { sharedLinkState.sendHeartbeat(heartbeat) }
    public func addLogLine(_ line: BackupLogLine) { sharedLinkState.addLogLine(line) }
    public func setCopyingOtherLog(_ isFollowing: Bool) { sharedLinkState.setCopyingOtherLog(isFollowing) }
    public func askOtherServer(_ question: [UInt8]) async throws(ExplainedError) -> [UInt8] {
        try await sharedLinkState.askOtherServer(question)
    }
    public var status: BackupLinkStatus { sharedLinkState.status }
}
