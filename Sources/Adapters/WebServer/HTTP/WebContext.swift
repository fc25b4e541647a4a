import Hummingbird
import Logging
import NIOCore

/// The connection on which a request arrived, and its addresses.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The numeric address of the connection's other end: the visitor or a proxy.
    let peerAddress: String
    /// The numeric address of this server's end of the connection.
    let localAddress: String?
    /// How the request came.
    var transport = WebTransport.plain

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peerAddress = source.channel.remoteAddress?.ipAddress ?? "unknown"
        localAddress = source.channel.localAddress?.ipAddress
    }
}

/// How a request reached the server, as far as the server itself knows; a proxy may have encrypted it before.
enum WebTransport: Sendable {
    case plain
    /// TLS, on a server that answers nothing without it.
    case secure
    /// TLS, on a server that also answers plain HTTP. Its cookies have names of their own, because browsers let no
    /// plain page replace a cookie that was set over TLS.
    case secureBesidePlain

    var isSecure: Bool { self != .plain }
}
