/// The content of one datagram or of one frame of a stream.
public indirect enum OSCPacket: Hashable, Sendable {
    case message(OSCMessage)
    case bundle(OSCBundle)

    /// All messages in the order of their bytes. The time tags of bundles are ignored.
    public var messages: [OSCMessage] {
        switch self {
        case .message(let message): [message]
        case .bundle(let bundle): bundle.packets.flatMap(\.messages)
        }
    }
}

/// Packets that belong together, with the time at which they should take effect.
public struct OSCBundle: Hashable, Sendable {
    public var timeTag: OSCTimeTag
    public var packets: [OSCPacket]

    public init(_ elements: [OSCPacket], timeTag: OSCTimeTag = .immediately) {
        self.timeTag = timeTag
        self.packets = elements
    }
}

/// The limits beyond which a packet is refused.
public struct OSCLimits: Hashable, Sendable {
    public var packetBytes = 8_192
    /// The deepest nesting of bundles; a bundle that contains only messages has depth 1.
    public var nesting = 8
    /// The most messages and bundles in one packet, not counting the outermost bundle.
    public var elements = 256
    /// The most arguments of one message.
    public var arguments = 256

    public init() {}
}
