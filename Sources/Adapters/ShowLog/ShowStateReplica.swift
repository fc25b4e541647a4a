import Podium

/// A copy of another server's show state, updated line by line as its log arrives.
public struct ShowStateReplica: Sendable {
    /// The other server's state after the last line; nil until a snapshot has brought the programme, which not every
    /// snapshot contains.
    public private(set) var podium: Podium?
    /// Packets that the other server is known to have sent.
    public private(set) var packets: UInt64 = 0
    /// The show time of the last line.
    public private(set) var time = ShowTime.zero

    public init() {}

    /// Continues from a known state, such as one recovered from a copy.
    public init(_ podium: Podium, packets: UInt64, at time: ShowTime) {
        self.podium = podium
        self.packets = packets
        self.time = time
    }

    /// Applies the next line. A line that cannot be parsed changes nothing.
    /// - Returns: false for a line that is damaged or unknown.
    /// - Complexity: that of the Podium; a snapshot costs a few milliseconds.
    public mutating func take(_ bytes: [UInt8]) -> Bool {
        guard let line = LogLine(bytes: bytes) else { return false }
        time = max(time, ShowTime(milliseconds: line.milliseconds))
        switch line.kind {
        case .snapshot:
            guard let snapshot = try? LogJSON.value(ShowSnapshot.self, from: line.payload) else {
                return false
            }
            packets = max(packets, snapshot.packets)
            guard let course = snapshot.course ?? podium?.course else { return false }
            podium = Podium(course: course, settings: snapshot.settings, continuing: snapshot.state)
        case .event:
            guard let event = try? LogJSON.value(PodiumEvent.self, from: line.payload) else { return false }
            _ = podium?.take(event, at: ShowTime(milliseconds: line.milliseconds))
        case .count:
            guard let count = try? LogJSON.value(TrafficCount.self, from: line.payload) else { return false }
            packets = max(packets, count.packets)
        case .effects, .note, .gap, .end: break
        }
        return true
    }
}
