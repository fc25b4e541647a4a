/// Decides which packet is sent when. A value that gets the time passed in and never waits.
///
/// A new measure is sent at once. In between, the current one is repeated at a steady rate, even if the follower has
/// lost the music. While a message is current, every ninth measure packet is followed by a message packet halfway to
/// the next repetition; so the measures stay regular, and one packet in ten is the message. Without a live position
/// no measure is sent, but a current message is, every half second, because phones are asked to be silent before the
/// concert begins.
///
/// Times are durations since an instant that the owner chooses, and never decrease.
public struct PacketSchedule: Sendable {
    static let measuresPerMessage = 9
    /// The interval at which the current message is repeated while there is no live position.
    static let messageInterval = Duration.milliseconds(500)

    public let rate: PacketRate
    /// Number of packets of both kinds so far, including those of an earlier run.
    public private(set) var count: UInt64
    /// The position that phones show; nil while nothing is live.
    public private(set) var live: LivePosition?
    /// The current message; nil if there is none.
    public private(set) var message: PushMessage?

    private var measureDue: Duration?
    private var messageDue: Duration?
    private var measuresSinceMessage = 0

    /// - Parameter count: at least the count of the last packet that this sender sent before its restart, so that
    ///   phones do not drop its packets as late.
    public init(rate: PacketRate = .standard, continuingFrom count: UInt64 = 0) {
        self.rate = rate
        self.count = count
    }

    /// When ``tick(at:)`` next returns a packet; nil while nothing is live and no message is current.
    public var nextDue: Duration? {
        guard let measureDue else { return messageDue }
        return messageDue.map { min($0, measureDue) } ?? measureDue
    }

    /// Sets the position; the present one again changes nothing.
    /// - Returns: the packets to send now: the measure, then a message that was due.
    public mutating func position(_ position: LivePosition, at now: Duration) -> [Datagram] {
        guard position != live else { return [] }
        live = position
        let waiting = messageDue != nil
        var leaving = [measureDatagram(position, at: now)]
        measureDue = now + rate.interval
        // Without this, measures that change faster than the repetition rate would delay a waiting message for ever.
        if waiting, let message { leaving.append(messageDatagram(message, at: now)) }
        return leaving
    }

    /// Ends the live position: no measure is sent until there is a new one. A current message is sent further.
    public mutating func endLive() {
        live = nil
        measureDue = nil
        // The message is due at once, because it may have been waiting for its turn among the measures.
        messageDue = message.map { _ in .zero }
    }

    /// Sets the current message, in place of any other; the current one again changes nothing.
    /// - Returns: the packets to send now: the message.
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

    /// - Returns: a packet that is due, or nil; call again until it returns nil.
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
        // Keeps the rhythm if this tick is a little late, without a burst of packets if it is very late.
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
        incrementCount()
        return Datagram(packet: .measure(MeasurePacket(position: position, count: count)), count: count)
    }

    private mutating func messageDatagram(_ message: PushMessage, at now: Duration) -> Datagram {
        if live == nil {
            // Keeps the rhythm if this tick is a little late, without a burst of packets if it is very late.
            let next = (messageDue ?? now) + Self.messageInterval
            messageDue = next > now ? next : now + Self.messageInterval
        } else {
            messageDue = nil
        }
        measuresSinceMessage = 0
        incrementCount()
        return Datagram(packet: .message(message), count: count)
    }

    /// Continues from a count that another sender may have reached; a lower one changes nothing.
    public mutating func raise(countTo other: UInt64) { count = max(count, other) }

    /// A count read from disk may be anything: one that cannot rise starts again from 1, like a new sender's.
    private mutating func incrementCount() {
        count = count == .max ? 1 : count + 1
    }
}
