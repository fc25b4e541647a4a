/// Receives a stream of packets as a phone does, and keeps statistics on it.
///
/// The owner passes every packet with its arrival time, as a duration since an instant of its choice. Memory is
/// bounded, and no bytes can crash the inspector.
public struct PacketInspector: Sendable {
    /// If more measure packets than this arrive without the message, the message counts as withdrawn.
    static let mostMeasuresWithoutMessage = 30

    /// The longest acceptable silence between two measure packets.
    public let allowedGap: Duration
    /// The packet that phones show now; nil before the first measure packet.
    public private(set) var shownPacket: MeasurePacket?
    /// The message that is currently repeated; nil if none has arrived lately.
    public private(set) var repeatedMessage: PushMessage?
    /// The longest silence between two measure packets so far; nil before the second one.
    public private(set) var longestGap: Duration?

    private var tallyWithoutLosses = PacketTally()
    private var lostFromEarlierSenders: UInt64 = 0
    private var countWindow: PacketCountWindow?
    private var restartSuspicion: SenderRestartSuspicion?
    private var arrivalRate = ArrivalRate()
    private var newestArrival: Duration?
    private var newestMeasureArrival: Duration?
    private var measuresSinceMessage = 0

    /// Creates an inspector.
    /// - Parameter allowedGap: the default of one second lets a phone that joins show the measure within that time.
    public init(allowedGap: Duration = .seconds(1)) { self.allowedGap = allowedGap }

    public var tally: PacketTally {
        var tally = tallyWithoutLosses
        tally.lost = saturatingSum(lostFromEarlierSenders, countWindow?.lostPackets ?? 0)
        return tally
    }

    /// Packets per second over the last five seconds.
    public func packetsPerSecond(at now: Duration) -> Double { arrivalRate.packetsPerSecond(at: now) }

    /// Time since the newest well-formed packet arrived; nil before the first one.
    public func newestPacketAge(at now: Duration) -> Duration? { newestArrival.map { max(.zero, now - $0) } }

    public mutating func receive(_ bytes: [UInt8], at arrival: Duration) -> PacketVerdict {
        let packet: BroadcastPacket
        do { packet = try BroadcastPacket(bytes: bytes) } catch {
            tallyWithoutLosses.malformed += 1
            return .malformed(error)
        }
        arrivalRate.insert(arrival)
        newestArrival = arrival
        switch packet {
        case .measure(let packet): return receiveMeasure(packet, at: arrival)
        case .message(let message): return receiveMessage(message)
        }
    }

    private mutating func receiveMessage(_ message: PushMessage) -> PacketVerdict {
        tallyWithoutLosses.messages += 1
        countWindow?.countMessage()
        measuresSinceMessage = 0
        defer { self.repeatedMessage = message }
        return .message(message, isNew: message != self.repeatedMessage)
    }

    private mutating func receiveMeasure(_ packet: MeasurePacket, at arrival: Duration) -> PacketVerdict {
        tallyWithoutLosses.measures += 1
        recordGap(until: arrival)
        measuresSinceMessage += 1
        if measuresSinceMessage > Self.mostMeasuresWithoutMessage { repeatedMessage = nil }

        guard let countWindow else {
            self.countWindow = PacketCountWindow(firstCount: packet.packetCount)
            shownPacket = packet
            return .shown(packet)
        }
        if packet.packetCount > countWindow.newestCount {
            restartSuspicion = nil
            self.countWindow?.insert(packet.packetCount)
            shownPacket = packet
            return .shown(packet)
        }
        return receiveOldMeasure(packet, in: countWindow)
    }

    private mutating func recordGap(until arrival: Duration) {
        if let before = newestMeasureArrival {
            let gap = max(.zero, arrival - before)
            longestGap = max(gap, longestGap ?? .zero)
            if gap > allowedGap { tallyWithoutLosses.longGaps += 1 }
        }
        newestMeasureArrival = arrival
    }

    /// Handles a packet whose count does not rise: a delayed packet, a duplicate, or one from a restarted sender.
    private mutating func receiveOldMeasure(_ packet: MeasurePacket, in window: PacketCountWindow)
        -> PacketVerdict
    {
        var suspicion = self.restartSuspicion ?? SenderRestartSuspicion(packet.packetCount)
        if self.restartSuspicion != nil { suspicion.insert(packet.packetCount) }
        if window.isTooOld(packet.packetCount) || suspicion.isProven {
            return acceptRestart(with: packet, after: suspicion)
        }
        let isDuplicate = window.contains(packet.packetCount)
        suspicion.recordDroppedPacket(duplicate: isDuplicate)
        self.restartSuspicion = suspicion
        if isDuplicate {
            tallyWithoutLosses.duplicates += 1
            return .duplicate(packet)
        }
        tallyWithoutLosses.late += 1
        self.countWindow?.insert(packet.packetCount)
        return .late(packet)
    }

    private mutating func acceptRestart(with packet: MeasurePacket, after suspicion: SenderRestartSuspicion)
        -> PacketVerdict
    {
        tallyWithoutLosses.late -= suspicion.lateSinceSuspected
        tallyWithoutLosses.duplicates -= suspicion.duplicatesSinceSuspected
        tallyWithoutLosses.restarts += 1
        lostFromEarlierSenders = saturatingSum(lostFromEarlierSenders, countWindow?.lostPackets ?? 0)
        var fresh = PacketCountWindow(firstCount: suspicion.risingCounts[0])
        for count in suspicion.risingCounts.dropFirst() { fresh.insert(count) }
        countWindow = fresh
        self.restartSuspicion = nil
        shownPacket = packet
        return .restarted(packet)
    }

    private func saturatingSum(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
