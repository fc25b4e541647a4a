/// The moments at which a source may be asked: never sooner than an interval after the last request, not while it asked
/// for a pause, and not more often than it allows in a day. A value without a clock.
struct RequestPace: Sendable {
    enum Decision: Equatable, Sendable {
        case now
        /// Wait until this moment, and decide again.
        case wait(until: Duration)
        /// The source asked for a pause.
        case paused(Duration)
        case dayIsFull
    }

    /// The time between the beginnings of two requests.
    let interval: Duration
    /// Nil if a day has no limit.
    let mostInADay: Int?

    private var last: Duration?
    private var pausedUntil: Duration = .zero
    private var dayBegan: Duration = .zero
    private var countOfDay = 0

    static let day: Duration = .seconds(86_400)
    /// A source cannot silence this server for longer than this with one answer.
    static let longestPause: Duration = .seconds(3_600)

    init(interval: Duration, mostInADay: Int? = nil) {
        self.interval = interval
        self.mostInADay = mostInADay
    }

    /// Decides whether a request may begin, and counts it if it may.
    /// - Parameter now: the time since any fixed moment; it never goes back.
    mutating func decide(at now: Duration) -> Decision {
        if pausedUntil > now { return .paused(pausedUntil - now) }
        if let last, now < last + interval { return .wait(until: last + interval) }
        if countOfDay == 0 || now - dayBegan >= Self.day { (dayBegan, countOfDay) = (now, 0) }
        if let mostInADay, countOfDay >= mostInADay { return .dayIsFull }
        last = now
        countOfDay += 1
        return .now
    }

    /// Notes that the source asks for a pause.
    mutating func pause(for wanted: Duration, at now: Duration) {
        pausedUntil = max(pausedUntil, now + min(max(wanted, .seconds(1)), Self.longestPause))
    }
}
