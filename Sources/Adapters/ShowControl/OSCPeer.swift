/// The sender of an OSC message, with the address that is needed for an answer.
public struct OSCPeer: Hashable, Sendable, CustomStringConvertible {
    /// The protocol that carries the OSC messages.
    public enum Transport: Hashable, Sendable {
        case udp
        /// The connection's number, counted since the start of the server.
        case tcp(UInt64)
    }

    /// The numeric IP address, without the prefix "::ffff:" of an IPv4 sender on an IPv6 socket.
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
