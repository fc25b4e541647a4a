import NIOCore

/// The names and addresses in numbers by which browsers reach a server, as they stand in a certificate.
enum ServerNames {
    /// The domains that nobody can own in the Internet. Sources: RFC 6761, 6762, 8375; ICANN, resolution 2024.07.29.06.
    static let localDomains = ["home.arpa", "internal", "lan", "local", "localhost"]
    /// Networks that the Internet does not reach, with their masks. Sources: RFC 1122, 1918, 3927, 4193, 6598.
    static let privateNetworks = [
        "10.0.0.0/255.0.0.0", "100.64.0.0/255.192.0.0", "127.0.0.0/255.0.0.0", "169.254.0.0/255.255.0.0",
        "172.16.0.0/255.240.0.0", "192.168.0.0/255.255.0.0",
        "::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fc00::/fe00::",
    ]

    /// The names and IPv4 addresses of this machine, and those of the settings. IPv6 addresses change too often for a
    /// certificate, unless the settings name one.
    static func wantedNames(of settings: WebSettings, further: Set<String> = []) -> Set<String> {
        let devices = (try? System.enumerateDevices()) ?? []
        let addresses = devices.compactMap { $0.address?.ipAddress }.filter { !$0.contains(":") }
        let listening = NumericAddress(settings.address).map { $0.isUnspecified ? [] : [$0.description] }
        let own = OwnHostNames.namesOfThisMachine().filter { !$0.hasPrefix("ip6-") }
        let all =
            own.union(addresses).union(settings.hostNames.map { $0.lowercased() }).union(further)
            .union(listening ?? [settings.address.lowercased()])
            .union(["localhost", "127.0.0.1", "::1", shortMachineName])
        return all.filter(isUsable)
    }

    /// The machine's name without its domain.
    static var shortMachineName: String {
        OwnHostNames.machineName.prefix { $0 != "." }.filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
        }
    }

    /// True for an address in numbers, and for a name that a certificate can hold.
    static func isUsable(_ name: String) -> Bool {
        if NumericAddress(name) != nil { return true }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return name.utf8.count <= 253 && !labels.isEmpty
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy {
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
                    }
            }
    }

    /// True if the name, or the address, means nothing outside a local network.
    static func isLocal(_ name: String) -> Bool {
        guard let address = NumericAddress(name)?.description else {
            return localDomains.contains { name == $0 || name.hasSuffix("." + $0) }
        }
        guard !address.contains(":") else {
            return address == "::1" || address.hasPrefix("fc") || address.hasPrefix("fd")
        }
        let numbers = address.split(separator: ".").compactMap { UInt8($0) }
        guard numbers.count == 4 else { return false }
        return switch (numbers[0], numbers[1]) {
        case (10, _), (127, _), (169, 254), (192, 168), (172, 16...31), (100, 64...127): true
        default: false
        }
    }

    static func split(_ names: Set<String>) -> (addresses: [String], names: [String]) {
        (
            names.filter { NumericAddress($0) != nil }.sorted(),
            names.filter { NumericAddress($0) == nil }.sorted()
        )
    }

    /// The order in which people should try them: given names, local names, addresses; what means only the machine
    /// itself comes last.
    static func isShownFirst(_ one: String, _ other: String) -> Bool {
        (rank(one), one) < (rank(other), other)
    }

    private static func rank(_ name: String) -> Int {
        if Loopback.contains(name) { return 4 }
        if NumericAddress(name) != nil { return 2 }
        return name.contains(".") ? (isLocal(name) ? 1 : 0) : 3
    }
}
