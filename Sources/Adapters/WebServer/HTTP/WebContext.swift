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

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peerAddress = source.channel.remoteAddress?.ipAddress ?? "unknown"
        localAddress = source.channel.localAddress?.ipAddress
    }
}
