import Podium

/// What a server does with what the other one says.
///
/// Called on the link's own thread, one after another: they pass things on and return; who waits in them
/// delays heartbeats. `history` alone runs on another thread and may read files.
public struct LinkHandlers: Sendable {
    /// The other server lives and says this.
    public var heartbeat: @Sendable (Heartbeat) -> Void
    /// The next line of the other's log, in order, each once.
    public var line: @Sendable (LinkLine) -> Void
    /// Our copy is not the beginning of the other's log: its lines come anew from the first, for a new copy.
    public var beginAgain: @Sendable () -> Void
    /// The last line of our log, asked when a connection begins and we follow; nil for an empty log.
    public var lastLine: @Sendable () -> LinkLine?
    /// Lines of our log behind a number, rising, some hundred kilobytes at a time; empty where there are none.
    public var history: @Sendable (_ after: UInt64) -> [LinkLine]
    /// Answers what the other server asks beside the log; runs on a task of its own and may read files. More
    /// than 8 MiB are sent as none. Nil where this server answers nothing.
    public var answer: (@Sendable (_ question: [UInt8]) async -> [UInt8])?

    public init(
        heartbeat: @escaping @Sendable (Heartbeat) -> Void,
        line: @escaping @Sendable (LinkLine) -> Void = { _ in },
        beginAgain: @escaping @Sendable () -> Void = {},
        lastLine: @escaping @Sendable () -> LinkLine? = { nil },
        history: @escaping @Sendable (_ after: UInt64) -> [LinkLine] = { _ in [] },
        answer: (@Sendable (_ question: [UInt8]) async -> [UInt8])? = nil
    ) {
        self.heartbeat = heartbeat
        self.line = line
        self.beginAgain = beginAgain
        self.lastLine = lastLine
        self.history = history
        self.answer = answer
    }
}
