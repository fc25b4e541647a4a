/// Keeps track of the copy of the other server's data: how old it is, why it is not newer, and when to request it
/// again.
///
/// A value without a clock. Times are durations since an instant that the owner chooses, and never decrease.
public struct ReplicationMonitor: Equatable, Sendable {
    /// Time between two requests while all is well. Data acknowledged since the last request is lost if the other
    /// server is.
    public let pause: Duration
    /// When both servers last had the same data; nil before the first time.
    public private(set) var sameAt: Duration?
    /// Why there is no newer copy; nil if nothing is wrong.
    public private(set) var trouble: String?
    /// When to send the next request.
    public private(set) var dueAt: Duration = .zero
    private var failures = 0

    /// Age above which a copy is reported as old.
    public static let current = Duration.seconds(2)
    /// Wait after a first failure; it doubles with each further one. It starts short, because a server that has just
    /// come back may not be reachable yet, and until it has the same data it takes over only after a long wait.
    public static let firstPause = Duration.milliseconds(50)
    /// Longest wait between two attempts.
    public static let longestPause = Duration.seconds(2)

    public init(pause: Duration) { self.pause = pause }

    public mutating func isSame(at now: Duration) {
        sameAt = now
        trouble = nil
        failures = 0
        dueAt = now + pause
    }

    public mutating func failed(_ sentence: String, at now: Duration) {
        trouble = sentence
        failures = min(failures + 1, 10)
        dueAt = now + min(Self.firstPause * (1 << (failures - 1)), Self.longestPause)
    }

    public func isCurrent(at now: Duration) -> Bool { sameAt.map { now - $0 <= Self.current } ?? false }

    /// The age of the copy and its trouble in words, for the console of the server that has it.
    public func sentence(at now: Duration) -> String {
        guard let sameAt else { return trouble ?? "not copied yet" }
        let tenths = (now - sameAt) / .milliseconds(100)
        let age = "same as the main, \(Int(tenths) / 10).\(Int(tenths) % 10) s ago"
        return trouble.map { "\(age); \($0)" } ?? age
    }
}
