import Podium

/// A copy of another server's show state, updated with each line of that server's log.
public struct ShowStateReplica: Sendable {
    /// The other server's state after the last line. It is nil until a snapshot has arrived that contains the
    /// programme.
    public private(set) var podium: Podium?
    /// The number of packets sent by the other server, as last logged.
    public private(set) var sentPacketCount: UInt64 = 0
    /// Where the other server's show began; nil until a snapshot of this version has arrived.
    public private(set) var origin: ShowOrigin?
    /// The show time of the last line that was applied.
    public private(set) var time = ShowTime.zero

    public init() {}

    /// Starts from a known state, for example one that was restored from a copied log.
    public init(_ podium: Podium, packets: UInt64, origin: ShowOrigin? = nil, at time: ShowTime) {
        self.podium = podium
        self.origin = origin
        self.sentPacketCount = packets
        self.time = time
    }

    /// Applies the next line of the other server's log. A line that cannot be parsed changes nothing.
    /// - Returns: false if the line is damaged or its content unknown.
    /// - Complexity: that of the Podium; a snapshot costs a few milliseconds.
    public mutating func applyLine(_ bytes: [UInt8]) -> Bool {
        guard let line = LogLine(bytes: bytes) else { return false }
        time = max(time, ShowTime(milliseconds: line.milliseconds))
        switch line.kind {
        case .snapshot:
            guard let snapshot = try? LogJSON.decode(ShowSnapshot.self, from: line.payload) else {
                return false
            }
            sentPacketCount = max(sentPacketCount, snapshot.packets)
            origin = snapshot.origin ?? origin
            guard let course = snapshot.course ?? podium?.course else { return false }
            podium = Podium(course: course, settings: snapshot.settings, continuing: snapshot.state)
        case .event:
            guard let event = try? LogJSON.decode(PodiumEvent.self, from: line.payload) else { return false }
            _ = podium?.process(event, at: ShowTime(milliseconds: line.milliseconds))
        case .traffic:
            guard let count = try? LogJSON.decode(PacketAndClientCounts.self, from: line.payload) else {
                return false
            }
            sentPacketCount = max(sentPacketCount, count.packets)
        case .effects, .note, .gap, .end: break
        }
        return true
    }
}
