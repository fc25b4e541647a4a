import Glibc

/// A client that does exactly what a test says, byte by byte: libraries are too polite.
final class RawClient: @unchecked Sendable {
    // @unchecked: the descriptor is set once; a test uses one client from one task at a time.
    private let descriptor: Int32

    struct CannotConnect: Error {}

    /// - Parameters:
    ///   - receiveBufferBytes: small for a reader that stalls soon.
    ///   - source: another loopback address than the server's stands for another machine.
    init(port: Int, receiveBufferBytes: Int32? = nil, from source: String? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var wait = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        if let source {
            var own = sockaddr_in()
            own.sin_family = sa_family_t(AF_INET)
            own.sin_addr.s_addr = inet_addr(source)
            _ = withUnsafePointer(to: &own) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close()
            throw CannotConnect()
        }
    }

    private var isOpen = true

    func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }

    deinit { close() }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// - Returns: false when the other side has closed.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// The next bytes; empty if the other side closed or nothing came for a minute.
    func receive(_ most: Int = 65_536) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: most)
        let count = recv(descriptor, &buffer, most, 0)
        return count > 0 ? Array(buffer.prefix(count)) : []
    }

    /// All that arrives until `end` was among it, or the other side closed.
    func receive(until end: String, times: Int = 1) -> String {
        var text: [UInt8] = []
        // Heartbeats would keep a stream that lacks the text alive for ever.
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let part = receive()
            if part.isEmpty { break }
            text += part
            if String(decoding: text, as: UTF8.self).components(separatedBy: end).count > times { break }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// All until the other side closes.
    func receiveAll() -> String {
        var text: [UInt8] = []
        while case let part = receive(), !part.isEmpty { text += part }
        return String(decoding: text, as: UTF8.self)
    }

    func get(_ path: String, token: String? = nil) {
        send(
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + (token.map { "Cookie: baton_session=\($0)\r\n" } ?? "") + "\r\n")
    }
}
