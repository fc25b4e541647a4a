import Basics
import NIOCore

/// One IPv4 address of this machine, and the network interface that has it.
struct NetworkInterface: Hashable, Sendable {
    let name: String
    let address: IPv4Address

    /// Returns all IPv4 addresses of this machine, in the system's order; empty if the system reports none.
    static func all() -> [NetworkInterface] {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.compactMap { device in
            guard let text = device.address?.ipAddress, let address = IPv4Address(text) else { return nil }
            return NetworkInterface(name: device.name, address: address)
        }
    }

    /// Finds the interface with this address or, if the text is not an address, the first with this name.
    /// - Throws: ``ExplainedError``.
    static func named(
        _ text: String, among interfaces: [NetworkInterface]
    ) throws(ExplainedError) -> NetworkInterface {
        if let address = IPv4Address(text) {
            if let found = interfaces.first(where: { $0.address == address }) { return found }
        } else if let found = interfaces.first(where: { $0.name == text }) {
            return found
        }
        throw MulticastError.interfaceUnknown(text, known: interfaces.map { "\($0.name) (\($0.address))" })
    }
}
