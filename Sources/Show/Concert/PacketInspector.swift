/// Receives a stream of packets as a phone does, and keeps statistics on it.
///
/// The owner passes every packet with its arrival time, as a duration since an instant of its choice. Memory is
/// bounded, and no bytes can crash the inspector.
public struct PacketInspector: Sendable {
    /// If more measure packets than this arrive without the message, the message counts as withdrawn.
    static let measuresPerMessageAtMost = 30

    /// The longest acceptable silence between two measure packets.
    public let allowedGap: Duration
    /// The packet that phones show now; nil before the first measure packet.
    public private(set) var shownPacket: MeasurePacket?
    /// The message that is currently repeated; nil if none has arrived lately.
    public private(set) var message: PushMessage?
    /// The longest silence between two measure packets so far; nil before the second one.
    public private(set) var longestGap: Duration?

    private var counters = PacketTally()
    private var lostFromEarlierSenders: UInt64 = 0
    private var window: PacketCountWindow?
    private var suspicion: RestartSuspicion?
    private var rate = ArrivalRate()
    private var newestArrival: Duration?
    private var newestMeasureArrival: Duration?
    private var measuresSinceMessage = 0

    /// Creates an inspector.
    /// - Parameter allowedGap: the default of one second lets a phone that joins show the measure within that time.
    public init(allowedGap: Duration = .seconds(1)) { self.allowedGap = allowedGap }

    public var tally: PacketTally {
        var tally = counters
        tally.lost = saturatingSum(lostFromEarlierSenders, window?.lost ?? 0)
        return tally
    }

    /// Packets per second over the last five seconds.
    public func packetsPerSecond(at now: Duration) -> Double { rate.packetsPerSecond(at: now) }

    /// Time since the newest well-formed packet arrived; nil before the first one.
    public func newestPacketAge(at now: Duration) -> Duration? { newestArrival.map { max(.zero, now - $0) } }

    public mutating func receive(_ bytes: [UInt8], at arrival: Duration) -> PacketVerdict {
        let packet: BroadcastPacket
        do { packet = try BroadcastPacket(bytes: bytes) } catch {
            counters.malformed += 1
            return .malformed(error)
        }
        rate.insert(arrival)
        newestArrival = arrival
        switch packet {
        case .measure(let packet): return receive(packet, at: arrival)
        case .message(let message): return receive(message)
        }
    }

    private mutating func receive(_ message: PushMessage) -> PacketVerdict {
        counters.messages += 1
        window?.countMessage()
        measuresSinceMessage = 0
        defer { self.message = message }
        return .message(message, isNew: message != self.message)
    }

    private mutating func receive(_ packet: MeasurePacket, at arrival: Duration) -> PacketVerdict {
        counters.measures += 1
        noteGap(until: arrival)
        measuresSinceMessage += 1
        if measuresSinceMessage > Self.measuresPerMessageAtMost { message = nil }

        guard let window else {
            self.window = PacketCountWindow(first: packet.packetCount)
            shownPacket = packet
            return .shown(packet)
        }
        if packet.packetCount > window.newest {
            suspicion = nil
            self.window?.insert(packet.packetCount)
            shownPacket = packet
            return .shown(packet)
        }
        return receiveOld(packet, in: window)
    }

    private mutating func noteGap(until arrival: Duration) {
        if let before = newestMeasureArrival {
            let gap = max(.zero, arrival - before)
            longestGap = max(gap, longestGap ?? .zero)
            if gap > allowedGap { counters.longGaps += 1 }
        }
        newestMeasureArrival = arrival
    }

    /// Handles a packet whose count does not rise: a delayed packet, a duplicate, or one from a restarted sender.
    private mutating func receiveOld(_ packet: MeasurePacket, in window: PacketCountWindow) -> PacketVerdict {
        var suspicion = self.suspicion ?? RestartSuspicion(packet.packetCount)
        if self.suspicion != nil { suspicion.insert(packet.packetCount) }
        if window.isTooOld(packet.packetCount) || suspicion.isProven {
            return acceptRestart(with: packet, after: suspicion)
        }
        let isDuplicate = window.contains(packet.packetCount)
        suspicion.recordDroppedPacket(duplicate: isDuplicate)
        self.suspicion = suspicion
        if isDuplicate {
            counters.duplicates += 1
            return .duplicate(packet)
        }
        counters.late += 1
        self.window?.insert(packet.packetCount)
        return .late(packet)
    }

    private mutating func acceptRestart(with packet: MeasurePacket, after suspicion: RestartSuspicion)
        -> PacketVerdict
    {
        counters.late -= suspicion.late
        counters.duplicates -= suspicion.duplicates
        counters.restarts += 1
        lostFromEarlierSenders = saturatingSum(lostFromEarlierSenders, window?.lost ?? 0)
        var fresh = PacketCountWindow(first: suspicion.counts[0])
        for count in suspicion.counts.dropFirst() { fresh.insert(count) }
        window = fresh
        self.suspicion = nil
        shownPacket = packet
        return .restarted(packet)
    }

    private func saturatingSum(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
