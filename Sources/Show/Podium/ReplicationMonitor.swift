/// Monitors the copy of the other server's data: its age, the reason why it is not newer, and the time of the next
/// request.
///
/// A value without a clock. Times are durations since an instant that the owner chooses, and never decrease.
public struct ReplicationMonitor: Equatable, Sendable {
    /// The time between two requests while all is well. If the other server is lost, so is all data that it
    /// acknowledged since the last request.
    public let requestInterval: Duration
    /// The time at which both servers last had the same data; nil before the first time.
    public private(set) var lastInSyncAt: Duration?
    /// The reason why there is no newer copy, as a sentence; nil if nothing is wrong.
    public private(set) var copyFailureReason: String?
    /// The time of the next request.
    public private(set) var nextRequestAt: Duration = .zero
    private var failureCount = 0

    /// The age above which a copy is reported as old.
    public static let freshnessLimit = Duration.seconds(2)
    /// The wait after a first failure; it doubles with each further one. It starts short, because a server that has
    /// just come back may not be reachable yet. Until that server has the same data, it would take over only after a
    /// long wait.
    public static let firstRetryDelay = Duration.milliseconds(50)
    /// The longest wait between two attempts.
    public static let longestRetryDelay = Duration.seconds(2)

    public init(requestInterval: Duration) { self.requestInterval = requestInterval }

    public mutating func recordInSync(at now: Duration) {
        lastInSyncAt = now
        copyFailureReason = nil
        failureCount = 0
        nextRequestAt = now + requestInterval
    }

    public mutating func recordFailure(_ sentence: String, at now: Duration) {
        copyFailureReason = sentence
        failureCount = min(failureCount + 1, 10)
        nextRequestAt = now + min(Self.firstRetryDelay * (1 << (failureCount - 1)), Self.longestRetryDelay)
    }

    public func isCurrent(at now: Duration) -> Bool {
        lastInSyncAt.map { now - $0 <= Self.freshnessLimit } ?? false
    }

    /// The age of the copy and the reason why it is not newer, in words, for the console of the server that holds the
    /// copy.
    public func copyAgeSentence(at now: Duration) -> String {
        guard let lastInSyncAt else { return copyFailureReason ?? "not copied yet" }
        let tenths = (now - lastInSyncAt) / .milliseconds(100)
        let age = "same as the main, \(Int(tenths) / 10).\(Int(tenths) % 10) s ago"
        return copyFailureReason.map { "\(age); \($0)" } ?? age
    }
}
