import Basics

/// A configured program to which Baton sends OSC messages.
public struct OSCTarget: Hashable, Sendable {
    public var name: String
    public var endpoint: OSCEndpoint
    /// The framing of packets on a TCP connection to the target; nil over UDP.
    public var streamFraming: OSCStreamFraming?
    /// True if the target gets the show's state. If false, it gets only messages that name it, for example from a
    /// cue.
    public var receivesState: Bool
    /// True if somebody added the target while the server ran; only such a one can be removed there.
    public var isAdded = false

    public init(
        name: String, endpoint: OSCEndpoint, streamFraming: OSCStreamFraming? = nil,
        receivesState: Bool = true
    ) {
        self.name = name
        self.endpoint = endpoint
        self.streamFraming = streamFraming
        self.receivesState = receivesState
    }

    private static let framingsByPrefix: [(prefix: String, framing: OSCStreamFraming)] = [
        ("tcp:", .lengthPrefix), ("slip:", .slip),
    ]

    /// Reads a target as an option gives it: `[name=]host:port` over UDP, and over TCP `[name=]tcp:host:port`, or
    /// `[name=]slip:host:port` with SLIP. Without a name, it is called by the text.
    /// - Throws: ``ExplainedError`` or ``ExplainedError``.
    public init(_ text: String, receivesState: Bool) throws(ExplainedError) {
        let parts = text.split(separator: "=", maxSplits: 1)
        let place = String(parts.last ?? "")
        let stream = Self.framingsByPrefix.first { place.hasPrefix($0.prefix) }
        self.init(
            name: parts.count == 2 ? String(parts[0]) : text,
            endpoint: try OSCEndpoint(String(place.dropFirst(stream?.prefix.count ?? 0))),
            streamFraming: stream?.framing, receivesState: receivesState)
    }

    /// The target's place as ``init(_:receivesState:)`` reads it, without the name.
    public var address: String {
        (Self.framingsByPrefix.first { $0.framing == streamFraming }?.prefix ?? "") + endpoint.description
    }

    /// True if both are the same program by the same way.
    public func hasPlace(of other: OSCTarget) -> Bool { address == other.address }

    /// True if the text is the target's name, or its address, which older cue lists use.
    public func isIdentified(by text: String) -> Bool { text == name || text == endpoint.description }
}

/// The numbers of sent and failed messages of a target, and its last failure.
public struct OSCTargetStatus: Hashable, Sendable {
    public var target: OSCTarget
    public var sentMessages: UInt64 = 0
    public var failedMessages: UInt64 = 0
    /// True if the target has ever sent a packet back.
    public var hasAnswered = false
    /// The last failure; nil after a packet has come back, and nil five seconds after the failure.
    public var lastFailure: String?

    public var hasNoRecentFailure: Bool { lastFailure == nil }
}

/// The result of a ping to a target.
public enum OSCPingOutcome: Equatable, Sendable {
    case answered(after: Duration)
    /// The message was sent and nothing came back: most show programs do not answer a ping.
    case unconfirmed
    case failed(ExplainedError)

    public var sentence: String {
        switch self {
        case .answered(let after): "It answered within \(Int((after / .milliseconds(1)).rounded(.up))) ms."
        case .unconfirmed: "Sent, unconfirmed: it did not answer, as most programs do not; look at it."
        case .failed(let error): error.sentence
        }
    }
}
