import NIOCore

/// An IPv4 or IPv6 address, spelled in one way only.
///
/// `::ffff:10.0.0.1`, as a socket for both kinds names who comes by IPv4, is `10.0.0.1`.
public struct NumericAddress: Hashable, Sendable, CustomStringConvertible {
    /// The longest there are have 45 letters.
    private static let mostLetters = 64

    public let description: String

    /// - Returns: nil for anything but the plain address: a name, a port or a network behind it.
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

    /// Nobody has it: it stands for all addresses.
    var isUnspecified: Bool { description == "0.0.0.0" || description == "::" }
}
