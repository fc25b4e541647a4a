import Hummingbird
import Logging
import NIOCore

/// Facts about a request that are not part of the request itself.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// Numeric address of the other side.
    let address: String
    /// The numeric address at which the connection arrived.
    let localAddress: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        address = source.channel.remoteAddress?.ipAddress ?? "unknown"
        localAddress = source.channel.localAddress?.ipAddress
    }
}
