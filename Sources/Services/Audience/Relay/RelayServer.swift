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
            var status = RelayStatus(
                isBrokerConnected: false, isServerConnected: false, revision: nil, droppedCount: 0)
        }

        let state = Mutex(State())
    }

    private let topics: RelayTopics
    private let client: BrokerClient
    private let fileStore: RelayFileStore
    private let eventHub = EventHub(RelayServer.connectionShares)
    private let web: WebServer
    private let sharedState = SharedState()
    private let logLine: @Sendable (String) -> Void

    /// Limits for connections of listeners. None are reserved for staff, because a relay has no console.
    package static let connectionShares = ResourceQuota.Shares(total: 10_000, perAddress: 4_000)

    /// Creates a relay; nothing is served before ``run(until:)``.
    /// - Parameters:
    ///   - name: the name of the concert's server in the MQTT topics.
    ///   - settings: how to reach the broker, with the relay's own client name.
    package init(
        name: String, broker settings: BrokerSettings, web webSettings: WebSettings, data: String,
        logLine: @escaping @Sendable (String) -> Void
    ) throws {
        topics = RelayTopics(name: name)
        fileStore = try RelayFileStore(data: data)
        self.logLine = logLine
        let routes = RelayRoutes(fileStore: fileStore, eventHub: eventHub) { [sharedState] in
            sharedState.state.withLock { $0.status }
        }
        web = try WebServer(
            settings: webSettings, accounts: RefusingAccounts(), routes: routes.routes,
            onListening: { port in logLine("Listeners are served at http://\(webSettings.address):\(port)/\n")
            })
        for section in ["live", "message", "content"] {
            eventHub.setForSnapshots(section, Array("null".utf8))
        }
        // Published before anything else, so that listeners know from the start how current the position is.
        eventHub.setForSnapshots("source", AudienceConcert.json(sharedState.state.withLock { $0.status }))
        client = try BrokerClient(settings)
    }

    /// Serves listeners until the process is interrupted.
    package func run(until interruption: ShutdownSignal) async throws {
        let live = try client.subscribe(topics.section("live"))
        let messages = try client.subscribe(topics.section("message"))
        let server = try client.subscribe(topics.serverOnline)
        let manifests = try client.subscribe(topics.manifest)
        let broker = client.statusChanges()
        let web = web
        let serving = Task { try await web.run() }
        let hearing = [
            Task { for await status in broker { updateStatus(with: status) } },
            Task { for await message in live { receive(live: message.payload) } },
            Task { for await message in messages { receive(message: message.payload) } },
            Task {
                for await message in server { updateStatus { $0.isServerConnected = message.text == "1" } }
            },
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
        case .newer: eventHub.publish("live", payload)
        case .repeated: break
        case .older:
            updateStatus { $0.droppedCount += 1 }
            // Logged only once, as the old server may go on for long; the section `source` counts the messages.
            if sharedState.state.withLock({ $0.status.droppedCount }) == 1 {
                logLine("A message of a server that is no longer active was dropped.\n")
            }
        case .unreadable:
            logLine("The broker's message at \(topics.section("live")) is not a position; it was ignored.\n")
        }
    }

    private func receive(message payload: [UInt8]) {
        guard payload.count <= 8_192,
            (try? JSONSerialization.jsonObject(with: Data(payload), options: .fragmentsAllowed)) != nil,
            eventHub.newest("message") != payload
        else { return }
        eventHub.publish("message", payload)
    }

    /// Fetches new and changed files, texts first. As soon as all texts are there, listeners are told to reload them.
    private func receive(manifest payload: [UInt8]) async {
        guard let manifest = RelayManifest(payload) else {
            return logLine(
                "The broker's message at \(topics.manifest) is not a list of files; it was ignored.\n")
        }
        let fetcher = RelayFileFetcher(topics: topics, client: client)
        for isTextFile in [true, false] {
            for file in manifest.files where file.isTextFile == isTextFile && !fileStore.contains(file) {
                guard let bytes = await fetcher.fetch(file) else {
                    logLine(
                        "“\(file.path)” did not arrive completely from the broker; "
                            + "it is fetched again after the next change.\n"
                    )
                    continue
                }
                do throws(ExplainedError) { try fileStore.store(bytes, as: file) } catch {
                    logLine("“\(file.path)” cannot be served: \(error.sentence)\n")
                }
            }
            guard isTextFile else { continue }
            fileStore.activate(manifest)
            updateStatus { $0.revision = manifest.revision }
            let content = AudienceConcert.json(
                AudienceContentSection(
                    revision: manifest.revision, pieces: manifest.changed,
                    versions: fileStore.concertParts?.versions
                ))
            if eventHub.newest("content") != content { eventHub.publish("content", content) }
        }
    }

    // MARK: State of the connections

    private func updateStatus(with status: BrokerStatus) {
        let was = sharedState.state.withLock { $0.status.isBrokerConnected }
        guard status.isConnected != was else { return }
        // Without the broker nothing is known about the server; after reconnecting the broker reports it again.
        updateStatus {
            $0.isBrokerConnected = status.isConnected
            if !status.isConnected { $0.isServerConnected = false }
        }
        if status.isConnected { return logLine("Connected to the broker.\n") }
        logLine(
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
        if let changed { eventHub.publish("source", AudienceConcert.json(changed)) }
    }
}
