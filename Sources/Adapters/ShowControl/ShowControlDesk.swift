import NIOCore
import NIOPosix
import Podium

/// What came of a command.
public enum ShowControlAnswer: Hashable, Sendable {
    /// With a detail for the reply, such as the new epoch; may be empty.
    case done(String)
    case refused(sentence: String)
}

/// All of OSC in one place: commands in, replies and state out.
///
/// Commands reach `command` as words, one at a time. The state goes to subscribers and targets as it
/// changes, and whole every two seconds.
public final class ShowControlDesk: Sendable {
    public typealias Command = @Sendable ([String], OSCPeer) async -> ShowControlAnswer

    public struct Settings: Sendable {
        public var server = OSCServerSettings()
        public var targets: [OSCTarget] = []
        /// nil: none is asked for.
        public var passphrase: String?

        public init() {}

        /// The first address it listens on where anybody but this machine may command, neither from a list of
        /// senders nor with a passphrase; nil where there is none.
        public var openToStrangers: OSCEndpoint? {
            let isListed = !server.sources.isEmpty && !server.sources.contains(where: \.isEverybody)
            guard !isListed, passphrase == nil else { return nil }
            return (server.udp + server.tcp).first { !$0.isLoopback }
        }
    }

    public let subscribers: OSCSubscribers
    private let server: OSCServer
    private let outgoing: Outgoing
    private let beat: RepeatedTask

    /// - Throws: ``ShowControlError`` where it cannot listen.
    public init(settings: Settings, command: @escaping Command) async throws(ShowControlError) {
        let subscribers = try OSCSubscribers(targets: settings.targets)
        let outgoing = Outgoing(subscribers)
        let incoming = Incoming(settings.passphrase, subscribers, outgoing, command)
        do throws(ShowControlError) {
            server = try await OSCServer(settings: settings.server) { await incoming.answer($0, from: $1) }
        } catch {
            await subscribers.close()
            throw error
        }
        subscribers.attach(server)
        self.subscribers = subscribers
        self.outgoing = outgoing
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        beat = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .milliseconds(250)) { _ in
            outgoing.again()
        }
    }

    public var udp: [OSCEndpoint] { server.udp }
    public var tcp: [OSCEndpoint] { server.tcp }
    public var counters: OSCCounters { server.counters }

    /// The state as it is now. May be called as often as reports come.
    public func show(_ state: ShowState) { outgoing.show(state) }

    /// Tells everyone that a cue has fired.
    public func fired(_ cue: NamedCue, kind: String) {
        try? subscribers.publish(ShowControlWords.fired(cue, kind: kind))
    }

    public func close() async {
        beat.cancel()
        subscribers.detach()
        await server.close()
        await subscribers.close()
    }
}
