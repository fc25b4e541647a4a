import Glibc
import NIOCore

/// Tests whether the server can listen on an address, before it starts.
enum ListenAddressCheck {
    static func tryBinding(_ address: String, port: Int) throws {
        let place = try SocketAddress.makeAddressResolvingHost(address, port: port)
        let family = place.protocol == .inet6 ? AF_INET6 : AF_INET
        let socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        defer { close(socket) }
        // The server sets the same socket option, so that old connections that are still closing do not prevent a
        // restart.
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let code = place.withSockAddr { Glibc.bind(socket, $0, socklen_t($1)) == 0 ? 0 : errno }
        guard code == 0 else { throw IOError(errnoCode: code, reason: "bind") }
    }
}
