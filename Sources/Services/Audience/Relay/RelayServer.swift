import Content
import Foundation
import Hosting
import MessageBroker
import Synchronization
import WebServer

/// Runs a relay: receives the audience's stream and files from the broker and serves them to listeners.
package final class RelayServer: Sendable {
    /// The relay's state, shared with its routes.
    private final class SharedState: Sendable {
        struct State {
            var messageFilter = RelayMessageFilter()
            var status = RelayStatus(broker: false, server: false, revision: nil, refused: 0)
        }

        let state = Mutex(State())
    }

    private let topics: RelayTopics
    private let client: BrokerClient
    private let fileStore: RelayFileStore
    private let hub = EventHub(RelayServer.listeners)
    private let web: WebServer
    private let sharedState = SharedState()
    private let say: @Sendable (String) -> Void

    /// Limits for listeners' connections. No place is reserved for staff, because a relay has no console.
    package static let listeners = ResourceQuota.Shares(total: 10_000, perAddress: 4_000)

    /// - Parameter name: the name of the concert's server in the topics; `settings` contain the relay's own client
    ///   name.
    package init(
        name: String, broker settings: BrokerSettings, web webSettings: WebSettings, data: String,
        say: @escaping @Sendable (String) -> Void
    ) throws {
        topics = RelayTopics(name: name)
        fileStore = try RelayFileStore(data: data)
        self.say = say
        let routes = RelayRoutes(fileStore: fileStore, hub: hub) { [sharedState] in
            sharedState.state.withLock { $0.status }
        }
        web = try WebServer(
            settings: webSettings, accounts: RelayWithoutConsole(), routes: routes.routes,
            onListening: { port in say("Listeners are served at http://\(webSettings.address):\(port)/\n") })
        for section in ["live", "message", "content"] { hub.keep(section, Array("null".utf8)) }
        // Published before anything else, so that listeners know from the start how current the position is.
        hub.keep("source", AudienceConcert.json(sharedState.state.withLock { $0.status }))
        client = try BrokerClient(settings)
    }

    /// Serves listeners until the process is interrupted.
    package func run(until interruption: ShutdownSignal) async throws {
        let live = try client.subscribe(topics.section("live"))
        let messages = try client.subscribe(topics.section("message"))
        let server = try client.subscribe(topics.server)
        let manifests = try client.subscribe(topics.manifest)
        let broker = client.statusChanges()
        let web = web
        let serving = Task { try await web.run() }
        let hearing = [
            Task { for await status in broker { updateStatus(with: status) } },
            Task { for await message in live { receive(live: message.payload) } },
            Task { for await message in messages { receive(message: message.payload) } },
            Task { for await message in server { updateStatus { $0.server = message.text == "1" } } },
            Task { for await message in manifests { await receive(manifest: message.payload) } },
        ]
        await withTaskGroup { group in
            group.addTask { await interruption.run() }
            group.addTask { _ = await serving.result }
            await group.next()
            await web.stop()
            group.cancelAll()
        }
        for task in hearing { task.cancel() }
        await client.close()
        try await serving.value
    }

    // MARK: Messages from the broker

    private func receive(live payload: [UInt8]) {
        let verdict = sharedState.state.withLock { $0.messageFilter.classify(payload) }
        switch verdict {
        case .newer: hub.publish("live", payload)
        case .repeated: break
        case .older:
            updateStatus { $0.refused += 1 }
            // Logged only once, as the old server may go on for long; the section `source` counts the messages.
            if sharedState.state.withLock({ $0.status.refused }) == 1 {
                say("A message of a server that is no longer active was dropped.\n")
            }
        case .unreadable:
            say("The broker's message at \(topics.section("live")) is not a position; it was ignored.\n")
        }
    }

    private func receive(message payload: [UInt8]) {
        guard payload.count <= 8_192,
            (try? JSONSerialization.jsonObject(with: Data(payload), options: .fragmentsAllowed)) != nil,
            hub.newest("message") != payload
        else { return }
        hub.publish("message", payload)
    }

    /// Fetches new and changed files. Texts come first; once they are there, listeners are told to reload them.
    private func receive(manifest payload: [UInt8]) async {
        guard let manifest = RelayManifest(payload) else {
            return say("The broker's message at \(topics.manifest) is not a list of files; it was ignored.\n")
        }
        let fetcher = RelayFileFetcher(topics: topics, client: client)
        for isTextFile in [true, false] {
            for file in manifest.files where file.isTextFile == isTextFile && !fileStore.has(file) {
                guard let bytes = await fetcher.fetch(file) else {
                    say(
                        "“\(file.path)” did not arrive completely from the broker; "
                            + "it is fetched again after the next change.\n"
                    )
                    continue
                }
                do throws(ExplainedError) { try fileStore.keep(bytes, as: file) } catch {
                    say("“\(file.path)” cannot be served: \(error.sentence)\n")
                }
            }
            guard isTextFile else { continue }
            fileStore.activate(manifest)
            updateStatus { $0.revision = manifest.revision }
            let content = AudienceConcert.json(
                AudienceContentSection(
                    revision: manifest.revision, pieces: manifest.changed, versions: fileStore.parts?.versions
                ))
            if hub.newest("content") != content { hub.publish("content", content) }
        }
    }

    // MARK: State of the connections

    private func updateStatus(with status: BrokerStatus) {
        let was = sharedState.state.withLock { $0.status.broker }
        guard status.isConnected != was else { return }
        // Without the broker nothing is known about the server; after reconnecting the broker reports it again.
        updateStatus {
            $0.broker = status.isConnected
            if !status.isConnected { $0.server = false }
        }
        if status.isConnected { return say("Connected to the broker.\n") }
        say(
            "Not connected to the broker: \(status.lastFault ?? "the reason is unknown.") "
                + "Listeners keep the last position.\n"
        )
    }

    private func updateStatus(_ change: (inout RelayStatus) -> Void) {
        let changed = sharedState.state.withLock { state -> RelayStatus? in
            let before = state.status
            change(&state.status)
            return state.status == before ? nil : state.status
        }
        if let changed { hub.publish("source", AudienceConcert.json(changed)) }
    }
}
