import Hummingbird
import Logging
import NIOCore
import Synchronization

/// The connection on which a request arrived, and its addresses.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The numeric address of the connection's other end: the visitor or a proxy.
    let peerAddress: String
    /// The numeric address of this server's end of the connection.
    let localAddress: String?
    /// The request's places in the queues for responses and bodies.
    let turns = RequestTurns()
    /// Whether the request arrived over TLS.
    var transport = WebTransport.plain

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peerAddress = source.channel.remoteAddress?.ipAddress ?? "unknown"
        localAddress = source.channel.localAddress?.ipAddress
    }
}

/// The turn that a request has, and the large body that waits for one.
final class RequestTurns: Sendable {
    private struct State: Sendable {
        var turn: RequestQueue.Turn?
        var isAnonymous = false
        var waitingBody: (body: OutgoingBody, holder: ResourceQuota.Holder)?
    }

    private let state = Mutex(State())

    /// True for the turn of a visitor who is not signed in.
    var isAnonymous: Bool { state.withLock { $0.isAnonymous } }

    /// The body of the response, and for whom it is sent, until its turn comes.
    var waitingBody: (body: OutgoingBody, holder: ResourceQuota.Holder)? {
        get { state.withLock { $0.waitingBody } }
        set { state.withLock { $0.waitingBody = newValue } }
    }

    func begin(_ turn: RequestQueue.Turn?, isAnonymous: Bool = false) {
        state.withLock { ($0.turn, $0.isAnonymous) = (turn, isAnonymous) }
    }

    /// The turn ends outside the lock, because the next request begins then.
    func end() {
        let ended = state.withLock { state in
            defer { state.turn = nil }
            return state.turn
        }
        withExtendedLifetime(ended) {}
    }
}

/// Whether a connection to this server is encrypted. A proxy in front of the server is not counted.
enum WebTransport: Sendable {
    case plain
    /// TLS, on a server that answers nothing without it.
    case secure
    /// TLS, on a server that also answers plain HTTP. Its cookies have names of their own, because browsers let no
    /// plain page replace a cookie that was set over TLS.
    case secureBesidePlain

    var isSecure: Bool { self != .plain }
}
