/// What one datagram or one frame of a stream carries.
public indirect enum OSCPacket: Hashable, Sendable {
    case message(OSCMessage)
    case bundle(OSCBundle)

    /// The messages in the order in which they stand, whatever the time tags of their bundles say.
    public var messages: [OSCMessage] {
        switch self {
        case .message(let message): [message]
        case .bundle(let bundle): bundle.elements.flatMap(\.messages)
        }
    }
}

/// Packets that belong together, and when they are meant to take effect.
public struct OSCBundle: Hashable, Sendable {
    public var time: OSCTimeTag
    public var elements: [OSCPacket]

    public init(_ elements: [OSCPacket], time: OSCTimeTag = .immediately) {
        self.time = time
        self.elements = elements
    }
}

/// How much of a packet is read before it is refused.
public struct OSCLimits: Hashable, Sendable {
    public var packetBytes = 8_192
    /// Bundles inside bundles; a bundle that holds only messages is the first.
    public var nesting = 8
    /// Messages and bundles in one packet, the outermost bundle left out.
    public var elements = 256
    /// Arguments of one message.
    public var arguments = 256

    public init() {}
}
