/// Decides whether the reader of a response accepts its bytes too slowly. It counts only the time during which the
/// server waits for the reader, and has no clock.
///
/// A phone in a bad wireless network may be slow, and may accept nothing for some seconds. A reader that takes a byte
/// now and then only keeps a place.
struct ReaderPace {
    /// The waiting time after which the rate is judged.
    static let window: Duration = .seconds(30)
    /// A picture of 5 MB may take 20 minutes.
    static let leastBytesPerSecond = 4_096

    /// A wait of at least this length begins a new spurt. The rate is judged only between spurts, because a reader that
    /// pauses and then takes much at once is judged unfairly in the middle.
    static let spurtGap: Duration = .milliseconds(500)

    /// The longest time without any accepted chunk.
    let stallTimeLimit: Duration
    private var waited: Duration = .zero
    private var acceptedBytes = 0
    private var isBelowLeastRate = false

    init(stallTimeLimit: Duration) { self.stallTimeLimit = stallTimeLimit }

    /// - Parameter wait: the time from the write to the moment at which the system had taken the whole chunk.
    mutating func countAcceptedChunk(_ byteCount: Int, afterWaiting wait: Duration) {
        if waited >= Self.window, wait >= Self.spurtGap {
            if Double(acceptedBytes) < waited / .seconds(1) * Double(Self.leastBytesPerSecond) {
                isBelowLeastRate = true
            }
            (waited, acceptedBytes) = (.zero, 0)
        }
        waited += wait
        acceptedBytes += byteCount
    }

    /// - Parameter pending: the time since the write of the present chunk; zero if nothing waits for the reader.
    func isTooSlow(pendingFor pending: Duration) -> Bool { isBelowLeastRate || pending >= stallTimeLimit }
}
