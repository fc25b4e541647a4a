import Basics
import NIOCore

/// Recognises addresses that lead to one of this server's own sockets.
extension OSCEndpoint {
    /// True if packets sent to this endpoint arrive at a socket that is bound to `listening`. Looks up host names,
    /// which may take a moment.
    /// - Parameter own: this machine's numeric addresses.
    func deliversPackets(to listening: OSCEndpoint, own: Set<String> = OSCEndpoint.addressesOfThisMachine())
        -> Bool
    {
        guard port == listening.port else { return false }
        let (there, here) = (resolvedNumericAddress, listening.resolvedNumericAddress)
        if here == there { return true }
        // All of 127.0.0.0/8 is this machine, and so is the “any” address.
        let isHere = Self.isWildcardAddress(there) || Self.isLoopbackAddress(there) || own.contains(there)
        guard isHere else { return false }
        if Self.isWildcardAddress(here) { return true }
        return Self.isLoopbackAddress(here)
            ? Self.isLoopbackAddress(there) || Self.isWildcardAddress(there) : Self.isWildcardAddress(there)
    }

    static func addressesOfThisMachine() -> Set<String> {
        let devices = (try? System.enumerateDevices()) ?? []
        return Set(devices.compactMap { $0.address?.ipAddress })
    }

    /// The numeric address of a host, with an IPv4 address inside IPv6 written as IPv4; the name itself if it cannot
    /// be looked up.
    private var resolvedNumericAddress: String {
        let address = (try? SocketAddress.makeAddressResolvingHost(host, port: port))?.ipAddress ?? host
        let text = address.lowercased()
        return text.hasPrefix("::ffff:") ? String(text.dropFirst(7)) : text
    }

    private static func isWildcardAddress(_ address: String) -> Bool {
        address == "0.0.0.0" || address == "::"
    }

    private static func isLoopbackAddress(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1" || address == "localhost"
    }
}

extension ShowControlService.Settings {
    /// Refuses targets at which this server itself listens.
    /// - Throws: ``ExplainedError``.
    public func refuseTargetsAtThisServer() throws(ExplainedError) {
        let own = targets.isEmpty ? [] : OSCEndpoint.addressesOfThisMachine()
        for target in targets {
            let endpoints =
                target.streamFraming == nil ? serverSettings.udpEndpoints : serverSettings.tcpEndpoints
            for listening in endpoints
            where target.endpoint.deliversPackets(to: listening, own: own) {
                throw ExplainedError(
                    "The target “\(target.name)” is this server itself, which listens on "
                        + "\(listening.description): its cues would command it. Give the address of another "
                        + "program.")
            }
        }
    }
}
