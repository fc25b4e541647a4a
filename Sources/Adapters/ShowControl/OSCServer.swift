import Basics
import NIOCore
import NIOPosix

/// Receives OSC over UDP and over TCP (SLIP or lengths, see ``OSCStreamFraming``) and answers.
///
/// Every message goes to the handler, one after the other in the order of arrival, and the messages of a bundle
/// together. Time tags in the future are ignored. Replies go back to the sender: over UDP to the port from which the
/// message came, over TCP on the same connection. Malformed, too long or too frequent messages are counted and
/// answered with an error message; over TCP, bytes that are no OSC packet end the connection. The handler runs on a
/// thread of its own.
public final class OSCServer: Sendable {
    public typealias MessageHandler = @Sendable (OSCMessage, OSCPeer) async -> [OSCMessage]

    public let settings: OSCServerSettings
    private let core: OSCServerCore
    private let listeningChannels: [any Channel]
    private let handlerTask: Task<Void, Never>
    /// The thread of the handler. It is separate, so that a handler that waits for a disk does not delay a socket.
    private let handlerThread: MultiThreadedEventLoopGroup
    /// The UDP endpoints on which the server listens. If port 0 was requested, they contain the port that the system
    /// chose.
    public let udpEndpoints: [OSCEndpoint]
    public let tcpEndpoints: [OSCEndpoint]

    /// - Throws: ``ExplainedError`` if the server cannot listen on one of the endpoints; then it listens on none.
    public init(settings: OSCServerSettings, handler: @escaping MessageHandler) async throws(ExplainedError) {
        let hub = OSCServerCore(settings: settings)
        var channels: [any Channel] = []
        var udp: [OSCEndpoint] = []
        var tcp: [OSCEndpoint] = []
        var fault: ExplainedError?
        for (endpoint, isUDP) in settings.udpEndpoints.map({ ($0, true) })
            + settings.tcpEndpoints.map({ ($0, false) })
        {
            do {
                let channel = try await isUDP ? hub.bindUDP(endpoint) : hub.bindTCP(endpoint)
                channels.append(channel)
                let bound = OSCEndpoint(
                    host: endpoint.host, port: channel.localAddress?.port ?? endpoint.port)
                if isUDP { udp.append(bound) } else { tcp.append(bound) }
            } catch {
                let transport = isUDP ? "UDP" : "TCP"
                fault = ShowControlError.wrappingSystemError(
                    error, action: "listen on \(transport) \(endpoint)", endpoint: endpoint,
                    transport: transport)
                break
            }
        }
        if let fault {
            for channel in channels { try? await channel.close() }
            throw fault
        }
        self.settings = settings
        self.core = hub
        self.listeningChannels = channels
        self.udpEndpoints = udp
        self.tcpEndpoints = tcp
        let lane = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        self.handlerThread = lane
        handlerTask = Task(executorPreference: EventLoopExecutor(lane.next())) {
            await hub.handleQueuedMessages(handler)
        }
    }

    public var counters: OSCCounters { core.counters }

    /// Counts a command that had neither a passphrase nor a named sender.
    func countUnprotectedCommand(_ sentence: String, from peer: OSCPeer) {
        core.countRefusal(sentence, from: peer, counter: \.unprotectedCommands)
    }

    /// Sends a packet to a peer without waiting; returns false if the peer is gone or too slow.
    @discardableResult public func sendPacket(_ packet: [UInt8], to peer: OSCPeer) -> Bool {
        core.sendPacket(packet, to: peer)
    }

    /// Sets the function that is called when a TCP peer has disconnected.
    public func setDisconnectHandler(_ act: @escaping @Sendable (OSCPeer) -> Void) {
        core.setDisconnectHandler(act)
    }

    public func close() async {
        for channel in listeningChannels { try? await channel.close() }
        await core.close()
        await handlerTask.value
        try? await handlerThread.shutdownGracefully()
    }
}
