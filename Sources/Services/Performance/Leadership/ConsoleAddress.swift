import WebServer

/// The address at which one server's console is reached from elsewhere.
enum ConsoleAddress {
    /// What stands for a host that the server does not know itself: whoever hears it puts in the address it heard from.
    static let anyHost = "*"

    /// - Parameters:
    ///   - told: as the other server told it, such as `https://baton.example.org`, `http://192.168.1.10:8080` or
    ///     `http://*:8080`.
    ///   - host: where the other server is heard from; nil where nobody knows.
    /// - Returns: nil where nothing that could be opened is known.
    static func of(_ told: String?, at host: String?) -> String? {
        guard let told, told.hasPrefix("http://") || told.hasPrefix("https://"),
            told.unicodeScalars.allSatisfy({
                $0.isASCII && $0.value > 0x20 && !"\"'<>\\".unicodeScalars.contains($0)
            })
        else { return nil }
        guard told.contains("://\(anyHost)") else {
            // Its own loopback address means this machine here.
            return isLoopback(told) && !(host.map { isLoopback("//\($0)") } ?? false) ? nil : told
        }
        guard let host, !host.isEmpty else { return nil }
        let written = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return told.replacing("://\(anyHost)", with: "://\(written)")
    }

    private static func isLoopback(_ address: String) -> Bool {
        ["//127.", "//localhost", "//[::1]", "//::1"].contains { address.contains($0) }
    }
}

extension WebSettings {
    /// Under which address others open this server's console.
    var consoleForOthers: String {
        if let origin = furtherOrigins.first { return origin.description }
        let host = ["0.0.0.0", "::", "[::]"].contains(address) ? ConsoleAddress.anyHost : address
        let written = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return "\(tls == nil ? "http" : "https")://\(written):\(port)"
    }
}
