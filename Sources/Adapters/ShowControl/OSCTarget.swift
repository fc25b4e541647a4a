/// A program that is always sent to, by UDP.
public struct OSCTarget: Hashable, Sendable {
    public var name: String
    public var endpoint: OSCEndpoint
    /// False: only what is sent to it by name, such as the messages of its cues.
    public var takesState: Bool

    public init(name: String, endpoint: OSCEndpoint, takesState: Bool = true) {
        self.name = name
        self.endpoint = endpoint
        self.takesState = takesState
    }

    /// By its name, or by its address, as cue lists of before have it.
    public func isMeant(by text: String) -> Bool { text == name || text == endpoint.description }
}

/// How it stands with a target.
public struct OSCTargetStatus: Hashable, Sendable {
    public var target: OSCTarget
    public var sent: UInt64 = 0
    public var failed: UInt64 = 0
    /// Something has ever come back from it.
    public var hasAnswered = false
    /// The last failure, nil once something came back or five seconds have passed without another.
    public var fault: String?

    public var isOK: Bool { fault == nil }
}

/// What came of asking a target whether it is there.
public enum OSCPing: Equatable, Sendable {
    case answered(after: Duration)
    /// The message left and nothing came back: most show programs do not answer a ping.
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
