/// The newest events that a stand has: the number of the newest event for everybody, and 0. Older versions had private
/// events, and numbered them here.
///
/// Its text has the form `1204.1180`, which is also the last event id of an event stream.
public struct EventCursor: Hashable, Sendable, LosslessStringConvertible {
    public var sharedSequence: Int
    public var privateSequence: Int

    public init(sharedSequence: Int = 0, privateSequence: Int = 0) {
        self.sharedSequence = sharedSequence
        self.privateSequence = privateSequence
    }

    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let shared = Int(parts[0]), let own = Int(parts[1]), shared >= 0, own >= 0
        else {
            return nil
        }
        self.init(sharedSequence: shared, privateSequence: own)
    }

    public var description: String { "\(sharedSequence).\(privateSequence)" }
}

extension EventCursor: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let seen = EventCursor(text) else {
            throw RehearsalFault.invalidEventCursor(String(text.prefix(40)))
        }
        self = seen
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
