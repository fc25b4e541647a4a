import NIOCore

/// An IPv4 or IPv6 address in its one normal spelling.
///
/// `::ffff:10.0.0.1`, an IPv4 visitor on a socket for both kinds, becomes `10.0.0.1`.
public struct NumericAddress: Hashable, Sendable, CustomStringConvertible {
    /// The longest addresses have 45 characters.
    private static let mostLetters = 64

    public let description: String

    /// - Returns: nil for anything but a plain address, for example a name, or an address with a port or a network
    ///   length.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.mostLetters,
            let address = try? SocketAddress(ipAddress: String(text), port: 0),
            let spelled = address.ipAddress
        else { return nil }
        let mapped = "::ffff:"
        if spelled.hasPrefix(mapped), spelled.contains(".") {
            description = String(spelled.dropFirst(mapped.utf8.count))
        } else {
            description = spelled
        }
    }

    /// True for the address that stands for all addresses.
    var isUnspecified: Bool { description == "0.0.0.0" || description == "::" }
}
