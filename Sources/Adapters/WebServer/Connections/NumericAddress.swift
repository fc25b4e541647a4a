import NIOCore

/// An IPv4 or IPv6 address in its canonical spelling, so that equal addresses are equal texts.
///
/// An IPv4 address mapped to IPv6, such as `::ffff:10.0.0.1`, becomes `10.0.0.1`. A socket that accepts both versions
/// reports IPv4 visitors in the mapped form.
public struct NumericAddress: Hashable, Sendable, CustomStringConvertible {
    /// The maximum length of the text in bytes; the longest addresses have 45.
    private static let longestTextBytes = 64

    public let description: String

    /// Parses an address.
    /// - Returns: nil if the text is not a plain address, for example a name, or an address with a port or prefix
    ///   length.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.longestTextBytes,
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

    /// True for `0.0.0.0` and `::`, which stand for all addresses of a machine.
    var isUnspecified: Bool { description == "0.0.0.0" || description == "::" }
}
