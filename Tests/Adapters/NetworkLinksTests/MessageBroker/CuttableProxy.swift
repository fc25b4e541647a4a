import Foundation

/// Passes bytes both ways between a client and a port until it is cut, without a farewell to either.
final class CuttableProxy: @unchecked Sendable {
    let port: Int
    private let listener: Int32
    private let target: Int
    // Guards `sockets`.
    private let lock = NSLock()
    private var sockets: [Int32] = []

    init(to target: Int) throws {
        self.target = target
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = getsockname(listener, $0, &length)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
        listen(listener, 4)
        Thread.detachNewThread { [self] in
            while case let client = accept(listener, nil, nil), client >= 0 { connect(client) }
        }
    }

    private func connect(_ client: Int32) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(target)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        lock.withLock { sockets += [client, server] }
        for (from, to) in [(client, server), (server, client)] {
            Thread.detachNewThread {
                var bytes = [UInt8](repeating: 0, count: 65_536)
                while case let count = recv(from, &bytes, bytes.count, 0), count > 0 {
                    _ = send(to, bytes, count, Int32(MSG_NOSIGNAL))
                }
            }
        }
    }

    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        lock.withLock { for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) } }
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
