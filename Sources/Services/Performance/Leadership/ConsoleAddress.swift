import WebServer

/// Makes the address at which a server's console can be opened from another machine.
enum ConsoleAddress {
    /// Stands for the host if a server listens on all interfaces. The receiver of the address replaces it by the
    /// address from which it hears the server.
    static let anyHostPlaceholder = "*"

    /// Checks and completes an address that another server has sent.
    /// - Parameters:
    ///   - told: the address as the other server sent it, such as `https://baton.example.org`,
    ///     `http://192.168.1.10:8080` or `http://*:8080`.
    ///   - host: the address from which the other server is heard; nil if unknown.
    /// - Returns: an address that can be opened; nil if there is none.
    static func makeOpenableAddress(_ told: String?, at host: String?) -> String? {
        guard let told, told.hasPrefix("http://") || told.hasPrefix("https://"),
            told.unicodeScalars.allSatisfy({
                $0.isASCII && $0.value > 0x20 && !"\"'<>\\".unicodeScalars.contains($0)
            })
        else { return nil }
        guard told.contains("://\(anyHostPlaceholder)") else {
            // A loopback address means the other machine itself, so it is of use only if that machine is this one.
            return isLoopback(told) && !(host.map { isLoopback("//\($0)") } ?? false) ? nil : told
        }
        guard let host, !host.isEmpty else { return nil }
        let written = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return told.replacing("://\(anyHostPlaceholder)", with: "://\(written)")
    }

    private static func isLoopback(_ address: String) -> Bool {
        ["//127.", "//localhost", "//[::1]", "//::1"].contains { address.contains($0) }
    }
}

extension WebSettings {
    /// The address at which other machines open this server's console.
    package var externalConsoleAddress: String {
        if let origin = furtherOrigins.first { return origin.description }
        let host = ["0.0.0.0", "::", "[::]"].contains(address) ? ConsoleAddress.anyHostPlaceholder : address
        let written = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return "\(tls == nil ? "http" : "https")://\(written):\(port)"
    }
}
