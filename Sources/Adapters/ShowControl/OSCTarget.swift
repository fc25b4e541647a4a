/// A configured program to which Baton sends OSC messages over UDP.
public struct OSCTarget: Hashable, Sendable {
    public var name: String
    public var endpoint: OSCEndpoint
    /// True if the target gets the show's state. If false, it gets only messages that name it, for example from a
    /// cue.
    public var receivesState: Bool

    public init(name: String, endpoint: OSCEndpoint, receivesState: Bool = true) {
        self.name = name
        self.endpoint = endpoint
        self.receivesState = receivesState
    }

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
    case failed(ShowControlError)

    public var sentence: String {
        switch self {
        case .answered(let after): "It answered within \(Int((after / .milliseconds(1)).rounded(.up))) ms."
        case .unconfirmed: "Sent, unconfirmed: it did not answer, as most programs do not; look at it."
        case .failed(let error): error.sentence
        }
    }
}
