import Glibc
import NIOCore
import NIOSSL

/// The names by which browsers may reach what changes something or needs a sign-in.
///
/// Another website can give itself a name that points to this server (DNS rebinding). Its page would then be of the
/// same origin as this server's, in a browser on this machine or in this network. Such a name has a dot, because only
/// names with a dot are sold. So a host must be an address in numbers, a name without a dot, or a name that belongs to
/// this server.
struct OwnHostNames: Sendable {
    private let names: Set<String>
    /// The names in the server's certificate, which may be replaced while the server runs.
    private let certificateNames: @Sendable () -> Set<String>

    init(
        _ settings: WebSettings, certificateNames: @autoclosure @escaping @Sendable () -> Set<String> = []
    ) {
        self.certificateNames = certificateNames
        names = Self.namesOfThisMachine()
            .union(settings.hostNames.map { $0.lowercased() })
            .union([settings.address.lowercased()])
            .union(settings.furtherOrigins.map { Self.hostWithoutPort(in: $0.hostAndPort) })
    }

    /// - Parameter host: the header field Host, with the port.
    func contains(_ host: String) -> Bool {
        var name = Self.hostWithoutPort(in: host).lowercased()
        if name.last == "." { name.removeLast() }
        if name.hasPrefix("[") { return true }
        guard let dot = name.firstIndex(of: ".") else { return !name.isEmpty }
        return NumericAddress(name) != nil
            || [names, certificateNames()].contains { $0.contains(name) || $0.contains("*" + name[dot...]) }
    }

    /// The refusal of a request under another name.
    static func refusal(of host: String) -> WebResponse {
        let name = hostWithoutPort(in: host).prefix(100)
        return .refused(
            403, "wrong-host",
            "This server does not know itself as “\(name)”. Open it by its address in numbers, or start it with "
                + "--host-name \(name).")
    }

    /// The host without its port; an IPv6 address keeps its brackets.
    static func hostWithoutPort(in host: String) -> String {
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return String(host.prefix { $0 != ":" })
    }

    /// The DNS names and the addresses in a certificate; a name may begin with “*.”.
    static func names(in certificate: NIOSSLCertificate) -> Set<String> {
        Set(
            certificate._subjectAlternativeNames().compactMap { name in
                switch name.nameType {
                case .dnsName: String(decoding: name.contents, as: UTF8.self).lowercased()
                case .ipAddress:
                    try? SocketAddress(packedIPAddress: ByteBuffer(bytes: name.contents), port: 0).ipAddress
                default: nil
                }
            })
    }

    /// The machine's own name: alone, in the local network (mDNS), in the domains of its network, and as written in
    /// `/etc/hosts`. Nothing is looked up.
    static func namesOfThisMachine() -> Set<String> {
        let full = machineName
        guard !full.isEmpty else { return [] }
        let short = full.prefix { $0 != "." }
        let domains = lines(of: "/etc/resolv.conf").filter { ["search", "domain"].contains($0.first) }
            .flatMap { $0.dropFirst() }
        let own = Set((try? System.enumerateDevices())?.compactMap { $0.address?.ipAddress } ?? [])
        let listed = lines(of: "/etc/hosts").filter { words in
            words.first.map { Loopback.contains($0) || own.contains($0) } ?? false
        }
        return Set([full, "\(short).local"]).union(domains.map { "\(short).\($0)" })
            .union(listed.flatMap { $0.dropFirst() })
    }

    /// The machine's name in lower case; empty if the system gives none.
    static var machineName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            .lowercased()
    }

    /// The words of each line of a small text file, in lower case and without comments.
    private static func lines(of path: String) -> [[String]] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self).lowercased()
            .split(whereSeparator: \.isNewline)
            .map { $0.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init) }
    }
}
