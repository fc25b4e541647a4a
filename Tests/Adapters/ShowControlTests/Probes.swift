import Glibc
import ShowControl

/// A plain UDP socket on loopback, waiting at most `patience` for each datagram.
final class UDPProbe {
    let descriptor: Int32
    let port: Int

    init(patience: Double = 30) {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        port = Probes.bind(descriptor)
        Probes.setPatience(patience, of: descriptor)
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8], to port: Int) {
        var address = Probes.loopback(port)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    func send(_ message: OSCMessage, to port: Int) throws { send(try message.encodedBytes(), to: port) }

    func receiveBytes() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count >= 0 ? Array(bytes[..<count]) : nil
    }

    func receive() throws -> OSCMessage? {
        guard let bytes = receiveBytes() else { return nil }
        return try OSCPacket(bytes: bytes).messages.first
    }
}

/// A plain TCP connection to loopback.
final class TCPProbe {
    let descriptor: Int32
    private var reader = OSCStreamReader()
    private var waiting: [OSCMessage] = []

    /// How the server frames what it sends; nil until something has come.
    var framing: OSCStreamFraming? { reader.framing }

    init(port: Int, patience: Double = 30, receiveBuffer: Int32? = nil) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        Probes.setPatience(patience, of: descriptor)
        var address = Probes.loopback(port)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) {
        var left = bytes[...]
        while !left.isEmpty {
            let sent = left.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            left = left.dropFirst(sent)
        }
    }

    func send(_ message: OSCMessage, as framing: OSCStreamFraming = .slip) throws {
        send(framing.makeFrame(try message.encodedBytes()))
    }

    /// nil at the end of the connection and when patience ends.
    func receive() throws -> OSCMessage? {
        while waiting.isEmpty {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return nil }
            for result in reader.readPackets(in: bytes[..<count]) {
                waiting += try OSCPacket(bytes: try result.get()).messages
            }
        }
        return waiting.removeFirst()
    }

    /// True once the other side has closed; false when patience ends first.
    func isClosed() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count == 0 { return true }
            if count < 0 { return errno == ECONNRESET }
        }
    }
}

enum Probes {
    static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    static func bind(_ descriptor: Int32) -> Int {
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = Glibc.bind(descriptor, $0, length)
                _ = getsockname(descriptor, $0, &length)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
    }

    static func setPatience(_ seconds: Double, of descriptor: Int32) {
        var time = timeval(
            tv_sec: Int(seconds), tv_usec: Int((seconds - seconds.rounded(.down)) * 1_000_000))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// A port nobody listens on: bound once and let go.
    static func deadPort() -> Int { UDPProbe().port }
}
