/// How a copy of the other server's work does: how old it is, what keeps it from being made, when to ask again.
///
/// A value without a clock; times are durations since an instant the owner chooses, never falling.
public struct CopyWatch: Equatable, Sendable {
    /// Between two questions while all is well: what is acknowledged and not yet asked for is lost with the other.
    public let pause: Duration
    /// When the two last had the same; nil before the first time.
    public private(set) var sameAt: Duration?
    /// Why there is no newer copy; nil where nothing is wrong.
    public private(set) var trouble: String?
    /// When to ask next.
    public private(set) var dueAt: Duration = .zero
    private var failures = 0

    /// An older copy is told as such.
    public static let current = Duration.seconds(2)
    /// What fails is tried again after this, then after twice as long each time: right after a server has come back
    /// its questions may find nobody yet, and until it has the same it waits long before it takes over.
    public static let firstPause = Duration.milliseconds(50)
    /// What fails again and again is tried this often.
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

    /// For the console of the server that has the copy.
    public func sentence(at now: Duration) -> String {
        guard let sameAt else { return trouble ?? "not copied yet" }
        let tenths = (now - sameAt) / .milliseconds(100)
        let age = "same as the main, \(Int(tenths) / 10).\(Int(tenths) % 10) s ago"
        return trouble.map { "\(age); \($0)" } ?? age
    }
}
