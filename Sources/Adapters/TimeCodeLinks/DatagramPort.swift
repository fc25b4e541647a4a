import Basics
import Glibc

/// Sends datagrams to one IPv4 address, which may be a broadcast address.
public final class DatagramPort {
    private let descriptor: Int32
    private var address: sockaddr_in
    private let name: String

    /// Opens the socket; nothing is sent yet.
    /// - Parameters:
    ///   - text: `192.168.1.20` or `192.168.1.20:6454`.
    ///   - defaultPort: the port if the text names none.
    /// - Throws: ``ExplainedError`` if the text is no such address.
    public init(_ text: String, defaultPort: Int) throws(ExplainedError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        let port = parts.count == 2 ? Int(parts[1]) : defaultPort
        guard (1...2).contains(parts.count), let port, (1...65_535).contains(port),
            inet_pton(AF_INET, String(parts[0]), &address.sin_addr) == 1
        else {
            throw ExplainedError(
                "“\(text.prefix(60))” is no address for time code; write it in numbers, such as 192.168.1.20, or "
                    + "192.168.1.255 for everybody on that network.")
        }
        address.sin_port = UInt16(port).bigEndian
        name = "\(parts[0]):\(port)"
        descriptor = socket(
            AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw ExplainedError(
                "No socket for time code (\(String(cString: strerror(errno)))); close other programs.")
        }
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Sends a datagram without waiting. One for which there is no room is left out.
    /// - Throws: ``ExplainedError`` if the network cannot be reached.
    public func send(_ bytes: [UInt8]) throws(ExplainedError) {
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard sent < 0, ![EAGAIN, ECONNREFUSED, ENOBUFS].contains(errno) else { return }
        throw ExplainedError(
            "Time code does not reach \(name) (\(String(cString: strerror(errno)))). Look at the network.")
    }
}
