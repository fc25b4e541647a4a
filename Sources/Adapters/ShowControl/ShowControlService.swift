import Basics
import NIOCore
import NIOPosix
import Podium

/// The result of a command.
public enum ShowCommandResult: Hashable, Sendable {
    /// The command was carried out. The text is a detail for the reply, such as the new epoch, and may be empty.
    case done(String)
    case refused(sentence: String)
}

/// Connects OSC with the show: receives commands, sends replies and state.
///
/// Commands are passed to `command` as words, one at a time. The changed parts of the state are sent to subscribers
/// and targets at once, the whole state every two seconds.
public final class ShowControlService: Sendable {
    public typealias CommandHandler = @Sendable ([String], OSCPeer) async -> ShowCommandResult

    public struct Settings: Sendable {
        public var serverSettings = OSCServerSettings()
        public var targets: [OSCTarget] = []
        /// The passphrase that senders must give; nil asks for none.
        public var passphrase: String?

        public init() {}

        /// The first endpoint that is open to other machines without a passphrase and without a list of allowed
        /// senders; nil if there is none.
        public var firstUnprotectedEndpoint: OSCEndpoint? {
            let isListed =
                !serverSettings.allowedSenders.isEmpty
                && !serverSettings.allowedSenders.contains(where: \.includesAllAddresses)
            guard !isListed, passphrase == nil else { return nil }
            return (serverSettings.udpEndpoints + serverSettings.tcpEndpoints).first { !$0.isLoopback }
        }
    }

    public let stateReceivers: OSCStateReceivers
    private let oscServer: OSCServer
    private let statePublisher: OSCStatePublisher
    private let heartbeatTask: RepeatedTask

    /// - Throws: ``ExplainedError`` if the service cannot listen on its endpoints.
    public init(settings: Settings, command: @escaping CommandHandler) async throws(ExplainedError) {
        let subscribers = try OSCStateReceivers(targets: settings.targets)
        let outgoing = OSCStatePublisher(subscribers)
        let incoming = OSCMessageHandler(settings, subscribers, outgoing, command)
        do throws(ExplainedError) {
            oscServer = try await OSCServer(settings: settings.serverSettings) {
                await incoming.answerMessage($0, from: $1)
            }
        } catch {
            await subscribers.close()
            throw error
        }
        subscribers.attachServer(oscServer)
        incoming.attachServer(oscServer)
        self.stateReceivers = subscribers
        self.statePublisher = outgoing
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        heartbeatTask = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .milliseconds(250)) { _ in
            outgoing.publishDueMessages()
        }
    }

    public var udpEndpoints: [OSCEndpoint] { oscServer.udpEndpoints }
    public var tcpEndpoints: [OSCEndpoint] { oscServer.tcpEndpoints }
    public var counters: OSCCounters { oscServer.counters }

    /// Sets the current state of the show and sends its changes. May be called for every report of the show engine.
    public func publishState(_ state: PublishedShowState) { statePublisher.publishState(state) }

    /// Sends to all receivers that a cue has fired.
    public func publishFiredCue(_ cue: NamedCue, kind: String) {
        try? stateReceivers.sendToAllReceivers(ShowControlMessages.cueFiredMessage(cue, kind: kind))
    }

    public func close() async {
        heartbeatTask.cancel()
        stateReceivers.detachServer()
        await oscServer.close()
        await stateReceivers.close()
    }
}
