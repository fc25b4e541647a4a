import Glibc
import NIOCore

/// Tests whether the server can listen on an address.
enum ListeningProbe {
    static func bind(_ address: String, port: Int) throws {
        let place = try SocketAddress.makeAddressResolvingHost(address, port: port)
        let family = place.protocol == .inet6 ? AF_INET6 : AF_INET
        let socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        defer { close(socket) }
        // The socket option is the server's: old connections that are still closing must not prevent a restart from
        // listening.
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let code = place.withSockAddr { Glibc.bind(socket, $0, socklen_t($1)) == 0 ? 0 : errno }
        guard code == 0 else { throw IOError(errnoCode: code, reason: "bind") }
    }
}
