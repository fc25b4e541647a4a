/// Decides when which packet is sent. The schedule never waits: its owner passes in the time.
///
/// A new measure is sent at once. In between, the current measure is repeated at a steady rate, even if the follower
/// has lost the music. While a message is current, every ninth measure packet is followed by a message packet, halfway
/// to the next repetition. So the measures stay regular, and one packet in ten is the message. Without a live position
/// no measure is sent, but a current message is sent every half second, since phones must be asked to be silent before
/// the concert.
///
/// Times are durations since an instant that the owner chooses, and never decrease.
public struct PacketSchedule: Sendable {
    static let measuresPerMessage = 9
    /// The interval at which the current message is repeated while there is no live position.
    static let messageInterval = Duration.milliseconds(500)

    public let rate: PacketRate
    /// Number of packets of both kinds sent so far, including those of an earlier run.
    public private(set) var packetCount: UInt64
    /// The position that phones show; nil while there is no live position.
    public private(set) var livePosition: LivePosition?
    /// The message that is being repeated; nil if there is none.
    public private(set) var message: PushMessage?

    private var measureDue: Duration?
    private var messageDue: Duration?
    private var measuresSinceMessage = 0

    /// Creates a schedule.
    /// - Parameter count: the count of the last packet that this sender sent before its restart, or a higher one.
    ///   With a lower count phones would drop the packets as late.
    public init(rate: PacketRate = .standard, continuingFrom count: UInt64 = 0) {
        self.rate = rate
        self.packetCount = count
    }

    /// Time at which ``takeDueDatagram(at:)`` next returns a packet; nil if there is neither a live position nor a
    /// message.
    public var nextDatagramDue: Duration? {
        guard let measureDue else { return messageDue }
        return messageDue.map { min($0, measureDue) } ?? measureDue
    }

    /// Sets the live position. Setting the present position again changes nothing.
    /// - Returns: the packets to send now: the measure, and then the message if it was due.
    public mutating func setPosition(_ position: LivePosition, at now: Duration) -> [Datagram] {
        guard position != livePosition else { return [] }
        livePosition = position
        let waiting = messageDue != nil
        var leaving = [makeMeasureDatagram(position, at: now)]
        measureDue = now + rate.interval
        // Without this, measures that change faster than the repetition rate would delay a waiting message for ever.
        if waiting, let message { leaving.append(makeMessageDatagram(message, at: now)) }
        return leaving
    }

    /// Ends the live position: no measure is sent until there is a new one. The current message is still repeated.
    public mutating func endLivePosition() {
        livePosition = nil
        measureDue = nil
        // The message is due at once, because it may have been waiting for its turn among the measures.
        messageDue = message.map { _ in .zero }
    }

    /// Replaces the current message. Setting the current message again changes nothing.
    /// - Returns: the packet to send now, with the message; empty if nothing changed.
    public mutating func announce(_ message: PushMessage, at now: Duration) -> [Datagram] {
        guard message != self.message else { return [] }
        self.message = message
        messageDue = now
        return [makeMessageDatagram(message, at: now)]
    }

    /// Ends the current message, so that it is no longer repeated.
    public mutating func withdrawMessage() {
        message = nil
        messageDue = nil
    }

    /// Returns a packet that is due, or nil. The owner calls it again until it returns nil.
    public mutating func takeDueDatagram(at now: Duration) -> Datagram? {
        guard let livePosition, let measureDue else {
            guard let message, let messageDue, messageDue <= now else { return nil }
            return makeMessageDatagram(message, at: now)
        }
        if let message, let messageDue, messageDue <= now, messageDue <= measureDue {
            return makeMessageDatagram(message, at: now)
        }
        guard measureDue <= now else { return nil }
        let next = measureDue + rate.interval
        // Keeps the rhythm if this tick is a little late, without a burst of packets if it is very late.
        self.measureDue = next > now ? next : now + rate.interval
        return makeMeasureDatagram(livePosition, at: now)
    }

    private mutating func makeMeasureDatagram(_ position: LivePosition, at now: Duration) -> Datagram {
        if message != nil {
            measuresSinceMessage += 1
            if messageDue == nil, measuresSinceMessage >= Self.measuresPerMessage {
                messageDue = now + rate.interval / 2
            }
        }
        incrementCount()
        return Datagram(
            packet: .measure(MeasurePacket(position: position, packetCount: packetCount)),
            packetCount: packetCount)
    }

    private mutating func makeMessageDatagram(_ message: PushMessage, at now: Duration) -> Datagram {
        if livePosition == nil {
            // Keeps the rhythm if this tick is a little late, without a burst of packets if it is very late.
            let next = (messageDue ?? now) + Self.messageInterval
            messageDue = next > now ? next : now + Self.messageInterval
        } else {
            messageDue = nil
        }
        measuresSinceMessage = 0
        incrementCount()
        return Datagram(packet: .message(message), packetCount: packetCount)
    }

    /// Raises the packet count to one that another sender may have reached; a lower one changes nothing.
    public mutating func raise(countTo other: UInt64) { packetCount = max(packetCount, other) }

    /// Adds one to the count. The highest count is followed by 1, as with a new sender. It can only come from a
    /// damaged file.
    private mutating func incrementCount() {
        packetCount = packetCount == .max ? 1 : packetCount + 1
    }
}
