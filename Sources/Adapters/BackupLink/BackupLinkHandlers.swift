import Podium

/// The callbacks through which a server handles the other server's messages.
///
/// The link calls them on its own thread, one after another. They must return quickly, because a callback that waits
/// delays heartbeats. Only `readLines` runs on another thread and may read files.
public struct BackupLinkHandlers: Sendable {
    /// Called with each heartbeat of the other server.
    public var handleHeartbeat: @Sendable (Heartbeat) -> Void
    /// Called with the next line of the other server's log, in order, once for each line.
    public var handleLine: @Sendable (BackupLogLine) -> Void
    /// Called if our copy does not match the other server's log. The other server then sends its log again from the
    /// first line, so a new copy begins.
    public var restartCopy: @Sendable () -> Void
    /// Returns the last line of our log, nil if the log is empty. Called when a connection begins, if this server
    /// follows.
    public var readLastLine: @Sendable () -> BackupLogLine?
    /// Returns the lines of our log after a number, ascending, some hundred kilobytes at a time; empty if there are
    /// none.
    public var readLines: @Sendable (_ after: UInt64) -> [BackupLogLine]
    /// Called when the other server has closed its connection, as the system does for a program that ends or is killed;
    /// not when a connection broke or this server closed it.
    public var handleClosedConnection: @Sendable () -> Void
    /// Answers the other server's questions; nil if this server answers none. Runs in a task of its own and may read
    /// files. An answer over 8 MiB is replaced by an empty one.
    public var answerQuestion: (@Sendable (_ question: [UInt8]) async -> [UInt8])?

    public init(
        heartbeat: @escaping @Sendable (Heartbeat) -> Void,
        line: @escaping @Sendable (BackupLogLine) -> Void = { _ in },
        restartCopy: @escaping @Sendable () -> Void = {},
        lastLine: @escaping @Sendable () -> BackupLogLine? = { nil },
        history: @escaping @Sendable (_ after: UInt64) -> [BackupLogLine] = { _ in [] },
        closedConnection: @escaping @Sendable () -> Void = {},
        answer: (@Sendable (_ question: [UInt8]) async -> [UInt8])? = nil
    ) {
        self.handleHeartbeat = heartbeat
        self.handleLine = line
        self.restartCopy = restartCopy
        self.readLastLine = lastLine
        self.readLines = history
        self.handleClosedConnection = closedConnection
        self.answerQuestion = answer
    }
}
