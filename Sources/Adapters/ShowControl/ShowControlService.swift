import NIOCore
import NIOPosix
import Podium

/// The result of a command.
public enum ShowControlResult: Hashable, Sendable {
    /// The command was carried out. The text is a detail for the reply, such as the new epoch, and may be empty.
    case done(String)
    case refused(sentence: String)
}

/// Connects OSC with the show: receives commands, sends replies and state.
///
/// Commands are passed to `command` as words, one at a time. The changed parts of the state are sent to subscribers
/// and targets at once, the whole state every two seconds.
public final class ShowControlService: Sendable {
    public typealias CommandHandler = @Sendable ([String], OSCPeer) async -> ShowControlResult

    public struct Settings: Sendable {
        public var server = OSCServerSettings()
        public var targets: [OSCTarget] = []
        /// The passphrase that senders must give; nil asks for none.
        public var passphrase: String?

        public init() {}

        /// The first endpoint at which machines other than this one may send commands without a passphrase and
        /// without a list of allowed senders; nil if there is none.
        public var unprotectedEndpoint: OSCEndpoint? {
            let isListed =
                !server.allowedSenders.isEmpty
                && !server.allowedSenders.contains(where: \.includesAllAddresses)
            guard !isListed, passphrase == nil else { return nil }
            return (server.udp + server.tcp).first { !$0.isLoopback }
        }
    }

    public let subscribers: OSCSubscribers
    private let server: OSCServer
    private let statePublisher: OSCStatePublisher
    private let heartbeatTask: RepeatedTask

    /// - Throws: ``ShowControlError`` if the service cannot listen on its endpoints.
    public init(settings: Settings, command: @escaping CommandHandler) async throws(ShowControlError) {
        let subscribers = try OSCSubscribers(targets: settings.targets)
        let outgoing = OSCStatePublisher(subscribers)
        let incoming = OSCMessageHandler(settings.passphrase, subscribers, outgoing, command)
        do throws(ShowControlError) {
            server = try await OSCServer(settings: settings.server) { await incoming.answer($0, from: $1) }
        } catch {
            await subscribers.close()
            throw error
        }
        subscribers.attach(server)
        self.subscribers = subscribers
        self.statePublisher = outgoing
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        heartbeatTask = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .milliseconds(250)) { _ in
            outgoing.publishDueMessages()
        }
    }

    public var udp: [OSCEndpoint] { server.udp }
    public var tcp: [OSCEndpoint] { server.tcp }
    public var counters: OSCCounters { server.counters }

    /// Sets the current state of the show and sends its changes. May be called for every report of the show engine.
    public func publish(_ state: PublishedShowState) { statePublisher.publish(state) }

    /// Sends to all receivers that a cue has fired.
    public func publishFiredCue(_ cue: CueName, kind: String) {
        try? subscribers.publish(ShowControlMessages.cueFired(cue, kind: kind))
    }

    public func close() async {
        heartbeatTask.cancel()
        subscribers.detach()
        await server.close()
        await subscribers.close()
    }
}
