import Basics

/// A multicast group, its port, and the local network interface to use for the group.
///
/// The interface is always explicit. If the routing table chose the interface, packets would leave through the
/// default route. In a hall this is seldom the phones' network.
public struct MulticastEndpoint: Hashable, Sendable {
    public static let standardGroup = "239.255.255.251"
    public static let standardPort = 12_345
    public static let standardInterface = "127.0.0.1"

    public let group: IPv4Address
    public let port: Int
    /// An IPv4 address of this machine, or the name of a network interface. The name is looked up each time a socket is
    /// opened, so that it stays valid when its address changes.
    public let interface: String

    /// Makes an endpoint from its texts.
    /// - Throws: ``ExplainedError`` for a group that is not a multicast address, or a port outside 1...65535.
    public init(
        group: String = standardGroup, port: Int = standardPort, interface: String = standardInterface
    ) throws(ExplainedError) {
        guard let address = IPv4Address(group), address.isMulticast else {
            throw ExplainedError(
                "'\(group)' is not a multicast address; give one from 224.0.0.0 to 239.255.255.255.")
        }
        guard (1...65_535).contains(port) else {
            throw ExplainedError("Port \(port) does not exist; give one from 1 to 65535.")
        }
        self.group = address
        self.port = port
        self.interface = interface
    }
}
