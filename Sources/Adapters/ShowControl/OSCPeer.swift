/// Who sent a message, and how an answer reaches it.
public struct OSCPeer: Hashable, Sendable, CustomStringConvertible {
    public enum Transport: Hashable, Sendable {
        case udp
        /// The number of the connection since the start.
        case tcp(UInt64)
    }

    /// In numbers; "::ffff:" of an IPv4 sender on an IPv6 socket is left out.
    public let address: String
    public let port: Int
    public let transport: Transport

    public init(address: String, port: Int, transport: Transport) {
        self.address = address
        self.port = port
        self.transport = transport
    }

    public var isUDP: Bool { transport == .udp }

    public var description: String {
        "\(isUDP ? "udp" : "tcp") \(OSCEndpoint(host: address, port: port))"
    }
}
