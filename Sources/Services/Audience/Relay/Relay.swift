import Content
import Hosting
import NetworkLinks
import Synchronization

/// Runs a relay: hears the audience's stream from one or more brokers and passes on what is newest to an edge: to its
/// nginx for listeners in the present, and as files for those of a broadcast.
package final class Relay: Sendable {
    /// The state of the way to the hall over one broker.
    private struct Link {
        var isBrokerConnected = false
        /// True while the concert's server is connected to the broker, according to the broker.
        var isServerConnected = false
    }

    private struct State {
        var fence = RelayFence()
        var links: [Link]
        var isHeard = false
        var hasDroppedMessages = false
    }

    /// The section `source` of the stream.
    private struct Source: Encodable {
        /// True while listeners get the present position; false while they see only the last one that was received.
        var isHeard: Bool
    }

    private let topics: RelayTopics
    private let brokers: [MQTTClient]
    private let edge: EdgePublisher?
    private let timeline: TimelineWriter?
    private let state: Mutex<State>
    private let writeLogLine: @Sendable (String) -> Void

    /// Creates a relay.
    /// - Parameters:
    ///   - name: the name of the concert's server in the MQTT topics.
    ///   - settings: how to reach the brokers, with the relay's own client name; the newest message counts, whichever
    ///     broker brings it.
    ///   - edge: the address at which nginx takes the stream; nil for none.
    ///   - timeline: the folder for the stream's files; nil for none.
    /// - Throws: for settings that can never work, and a folder that cannot be made.
    package init(
        name: String, brokers settings: [MQTTSettings], edge: String?, timeline: String?,
        writeLogLine: @escaping @Sendable (String) -> Void
    ) throws {
        topics = RelayTopics(serverName: name)
        self.edge = try edge.map { try EdgePublisher(address: $0, hall: name, writeLogLine: writeLogLine) }
        self.timeline = try timeline.map { try TimelineWriter(folder: $0, writeLogLine: writeLogLine) }
        brokers = try settings.map { try MQTTClient($0) }
        state = Mutex(State(links: settings.map { _ in Link() }))
        self.writeLogLine = writeLogLine
        publishSource(isHeard: false)
    }

    /// Repeats the stream until the process is interrupted.
    package func run(until interruption: ShutdownSignal) async throws {
        try await withThrowingTaskGroup { group in
            for (number, broker) in brokers.enumerated() {
                let sections = try broker.subscribe(topics.allSectionsFilter)
                let server = try broker.subscribe(topics.serverOnlineTopic)
                group.addTask { for await status in broker.statusChanges() { self.note(status, of: number) } }
                group.addTask { for await message in sections { self.receive(message) } }
                group.addTask {
                    for await message in server {
                        self.change(number) { $0.isServerConnected = message.text == "1" }
                    }
                }
            }
            group.addTask { await self.edge?.run() }
            group.addTask { await self.timeline?.run() }
            await interruption.run()
            group.cancelAll()
        }
        for broker in brokers { await broker.close() }
    }

    private func receive(_ message: MQTTMessage) {
        guard let section = RelayTopics.sections.first(where: { topics.sectionTopic($0) == message.topic })
        else { return }
        guard let received = RelayMessage(message.payload) else {
            return writeLogLine(
                "The broker's message at \(message.topic) is not a section of the stream; it was ignored.\n")
        }
        let (verdict, isFirst) = state.withLock { state in
            let verdict = state.fence.judge(received.order, of: section)
            // Two ways may bring different messages at once; the newer one is published last.
            if verdict == .newer { publish(section, received.json) }
            defer { state.hasDroppedMessages = state.hasDroppedMessages || verdict == .older }
            return (verdict, !state.hasDroppedMessages)
        }
        // Logged only once, as an old server may go on for long.
        if verdict == .older, isFirst {
            writeLogLine("A message that is older than the newest was dropped.\n")
        }
    }

    private func note(_ status: MQTTConnectionStatus, of number: Int) {
        let was = state.withLock { $0.links[number].isBrokerConnected }
        guard status.isConnected != was else { return }
        // Without the broker nothing is known about the server; after reconnecting the broker reports it again.
        change(number) { $0 = Link(isBrokerConnected: status.isConnected) }
        let settings = brokers[number].settings
        let broker = "the broker at \(settings.host):\(settings.port)"
        if status.isConnected { return writeLogLine("Connected to \(broker).\n") }
        writeLogLine("Not connected to \(broker): \(status.lastFault ?? "the reason is unknown.")\n")
    }

    private func change(_ number: Int, _ change: (inout Link) -> Void) {
        state.withLock { state in
            change(&state.links[number])
            let isHeard = state.links.contains { $0.isBrokerConnected && $0.isServerConnected }
            guard isHeard != state.isHeard else { return }
            state.isHeard = isHeard
            publishSource(isHeard: isHeard)
        }
    }

    private func publishSource(isHeard: Bool) {
        publish(EdgePublisher.beat, AudienceConcert.encodeJSON(Source(isHeard: isHeard)))
    }

    private func publish(_ section: String, _ json: [UInt8]) {
        edge?.publish(section, json)
        timeline?.publish(section, json)
    }
}
