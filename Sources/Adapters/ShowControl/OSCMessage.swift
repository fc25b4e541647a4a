/// An address and its arguments: what one program asks or tells another.
public struct OSCMessage: Hashable, Sendable {
    /// Starts with '/'; from a sender it may hold wildcards, see ``OSCAddressPattern``.
    public var address: String
    public var arguments: [OSCArgument]

    public init(_ address: String, _ arguments: [OSCArgument] = []) {
        self.address = address
        self.arguments = arguments
    }

    /// For example ",iis".
    public var typeTags: String { "," + String(arguments.map(\.tag)) }
}
