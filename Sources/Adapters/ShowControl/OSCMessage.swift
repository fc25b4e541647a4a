/// An OSC address and its arguments.
public struct OSCMessage: Hashable, Sendable {
    /// Starts with '/'; in a received message it may have wildcards, see ``OSCAddressPattern``.
    public var address: String
    public var arguments: [OSCArgument]

    public init(_ address: String, _ arguments: [OSCArgument] = []) {
        self.address = address
        self.arguments = arguments
    }

    /// The type tag string, for example ",iis".
    public var typeTags: String { "," + String(arguments.map(\.typeTag)) }
}
