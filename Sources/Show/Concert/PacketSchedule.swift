/// Which packet leaves when: a value that is told the time and never waits.
///
/// A changed measure leaves at once. In between it is repeated at a steady rate, whatever the follower does:
/// who loses the music simply tells nothing new. While a message is current, every ninth measure packet is
/// followed by one message packet halfway to the next repetition, so the measures keep their beat and one
/// packet in ten is the message. Without a live position no measure leaves, and a current message each half second:
/// before the concert is when phones are silenced.
///
/// Times are durations since an instant the owner chooses, never falling.
public struct PacketSchedule: Sendable {
    static let measuresPerMessage = 9
    /// Between two packets of a message while nothing is live.
    static let messageInterval = Duration.milliseconds(500)

    public let rate: PacketRate
    /// Packets of both kinds so far, those of an earlier run included.
    public private(set) var count: UInt64
    /// What phones are shown; nil while nothing is live.
    public private(set) var live: LivePosition?
    /// The current message; nil where there is none.
    public private(set) var message: PushMessage?

    private var measureDue: Duration?
    private var messageDue: Duration?
    private var measuresSinceMessage = 0

    /// - Parameter count: where a sender that starts again goes on, so that phones do not take its packets
    ///   for late ones: at least the count of the last packet it sent.
    public init(rate: PacketRate = .standard, continuingFrom count: UInt64 = 0) {
        self.rate = rate
        self.count = count
    }

    /// When ``tick(at:)`` has something next; nil while nothing is live and no message is current.
    public var nextDue: Duration? {
        guard let measureDue else { return messageDue }
        return messageDue.map { min($0, measureDue) } ?? measureDue
    }

    /// Shows a measure; one that is shown already changes nothing.
    /// - Returns: what leaves now: the measure first, then a message that was waiting.
    public mutating func position(_ position: LivePosition, at now: Duration) -> [Datagram] {
        guard position != live else { return [] }
        live = position
        let waiting = messageDue != nil
        var leaving = [measureDatagram(position, at: now)]
        measureDue = now + rate.interval
        // Measures faster than the beat would push a waiting message ahead of them for ever.
        if waiting, let message { leaving.append(messageDatagram(message, at: now)) }
        return leaving
    }

    /// Ends the live position: no measure leaves until there is one again. A current message goes on.
    public mutating func endLive() {
        live = nil
        measureDue = nil
        // At once: it may have waited for its turn among the measures.
        messageDue = message.map { _ in .zero }
    }

    /// Makes a message current in the place of any other; the current one again changes nothing.
    /// - Returns: what leaves now: the message.
    public mutating func announce(_ message: PushMessage, at now: Duration) -> [Datagram] {
        guard message != self.message else { return [] }
        self.message = message
        messageDue = now
        return [messageDatagram(message, at: now)]
    }

    /// Ends the current message.
    public mutating func withdrawMessage() {
        message = nil
        messageDue = nil
    }

    /// - Returns: a packet whose time has come, or nil; ask again until it is nil.
    public mutating func tick(at now: Duration) -> Datagram? {
        guard let live, let measureDue else {
            guard let message, let messageDue, messageDue <= now else { return nil }
            return messageDatagram(message, at: now)
        }
        if let message, let messageDue, messageDue <= now, messageDue <= measureDue {
            return messageDatagram(message, at: now)
        }
        guard measureDue <= now else { return nil }
        let next = measureDue + rate.interval
        // On the beat when a tick comes a little late, without a burst when it comes very late.
        self.measureDue = next > now ? next : now + rate.interval
        return measureDatagram(live, at: now)
    }

    private mutating func measureDatagram(_ position: LivePosition, at now: Duration) -> Datagram {
        if message != nil {
            measuresSinceMessage += 1
            if messageDue == nil, measuresSinceMessage >= Self.measuresPerMessage {
                messageDue = now + rate.interval / 2
            }
        }
        countOne()
        return Datagram(packet: .measure(MeasurePacket(position: position, count: count)), count: count)
    }

    private mutating func messageDatagram(_ message: PushMessage, at now: Duration) -> Datagram {
        if live == nil {
            // On the beat when a tick comes a little late, without a burst when it comes very late.
            let next = (messageDue ?? now) + Self.messageInterval
            messageDue = next > now ? next : now + Self.messageInterval
        } else {
            messageDue = nil
        }
        measuresSinceMessage = 0
        countOne()
        return Datagram(packet: .message(message), count: count)
    }

    /// Goes on behind a count that another sender may have reached; one that is lower changes nothing.
    public mutating func raise(countTo other: UInt64) { count = max(count, other) }

    /// A count kept on disk may be anything: one that cannot rise starts over, as a new sender's would.
    private mutating func countOne() {
        count = count == .max ? 1 : count + 1
    }
}
