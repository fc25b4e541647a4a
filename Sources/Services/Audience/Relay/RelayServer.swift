import Content
import Foundation
import Hosting
import NetworkLinks
import Synchronization
import WebServer

/// Runs a relay: receives the audience's stream and files from the broker and serves them to listeners.
package final class RelayServer: Sendable {
    /// The relay's state, shared with its routes.
    private final class SharedState: Sendable {
        struct State {
            var messageFilter = RelayMessageFilter()
            var status = RelayStatus(
                isBrokerConnected: false, isServerConnected: false, contentRevision: nil,
                droppedMessageCount: 0)
        }

        let state = Mutex(State())
    }

    private let topics: RelayTopics
    private let brokerClient: MQTTClient
    private let fileStore: RelayFileStore
    private let eventHub = EventHub(RelayServer.listenerConnectionLimits)
    private let webServer: WebServer
    private let sharedState = SharedState()
    private let writeLogLine: @Sendable (String) -> Void

    /// Limits for connections of listeners. None are reserved for staff, because a relay has no console.
    package static let listenerConnectionLimits = ResourceQuota.Limits(total: 10_000, perAddress: 4_000)

    /// Creates a relay; nothing is served before ``run(until:)``.
    /// - Parameters:
    ///   - name: the name of the concert's server in the MQTT topics.
    ///   - settings: how to reach the broker, with the relay's own client name.
    package init(
        name: String, broker settings: MQTTSettings, web webSettings: WebSettings, data: String,
        writeLogLine: @escaping @Sendable (String) -> Void
    ) throws {
        topics = RelayTopics(serverName: name)
        fileStore = try RelayFileStore(data: data)
        self.writeLogLine = writeLogLine
        let routes = RelayRoutes(fileStore: fileStore, eventHub: eventHub) { [sharedState] in
            sharedState.state.withLock { $0.status }
        }
        webServer = try WebServer(
            settings: webSettings, accounts: RefusingAccounts(), routes: routes.routes,
            onListening: { port in
                writeLogLine("Listeners are served at http://\(webSettings.address):\(port)/\n")
            })
        for section in RelayTopics.relayedSections + ["content"] {
            eventHub.setStateSectionForNewListeners(section, Array("null".utf8))
        }
        // Published before anything else, so that listeners know from the start how current the position is.
        eventHub.setStateSectionForNewListeners(
            "source", AudienceConcert.encodeJSON(sharedState.state.withLock { $0.status }))
        brokerClient = try MQTTClient(settings)
    }

    /// Serves listeners until the process is interrupted.
    package func run(until interruption: ShutdownSignal) async throws {
        let live = try brokerClient.subscribe(topics.sectionTopic("live"))
        let messages = try brokerClient.subscribe(topics.sectionTopic("message"))
        let titles = try brokerClient.subscribe(topics.sectionTopic("title"))
        let people = try brokerClient.subscribe(topics.sectionTopic("people"))
        let server = try brokerClient.subscribe(topics.serverOnlineTopic)
        let manifests = try brokerClient.subscribe(topics.manifestTopic)
        let broker = brokerClient.statusChanges()
        let web = webServer
        let serving = Task { try await web.run() }
        let hearing = [
            Task { for await status in broker { noteBrokerConnection(with: status) } },
            Task { for await message in live { receive(live: message.payload) } },
            Task { for await message in messages { receive(message.payload, of: "message", upTo: 8_192) } },
            // A title has a text of a thousand bytes in each of eight languages.
            Task { for await title in titles { receive(title.payload, of: "title", upTo: 65_536) } },
            Task { for await message in people { receive(message.payload, of: "people", upTo: 65_536) } },
            Task {
                for await message in server { changeStatus { $0.isServerConnected = message.text == "1" } }
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
        await brokerClient.close()
        try await serving.value
    }

    // MARK: Messages from the broker

    private func receive(live payload: [UInt8]) {
        let verdict = sharedState.state.withLock { $0.messageFilter.classifyMessage(payload) }
        switch verdict {
        case .newer: eventHub.publishStateSection("live", payload)
        case .repeated: break
        case .older:
            changeStatus { $0.droppedMessageCount += 1 }
            // Logged only once, as the old server may go on for long; the section `source` counts the messages.
            if sharedState.state.withLock({ $0.status.droppedMessageCount }) == 1 {
                writeLogLine("A message of a server that is no longer active was dropped.\n")
            }
        case .unreadable:
            writeLogLine(
                "The broker's message at \(topics.sectionTopic("live")) is not a position; it was ignored.\n")
        }
    }

    /// Passes on a section that has no order: the newest one counts.
    private func receive(_ payload: [UInt8], of section: String, upTo limit: Int) {
        guard payload.count <= limit,
            (try? JSONSerialization.jsonObject(with: Data(payload), options: .fragmentsAllowed)) != nil,
            eventHub.newestValue(section) != payload
        else { return }
        eventHub.publishStateSection(section, payload)
    }

    /// Fetches new and changed files, texts first. As soon as all texts are there, listeners are told to reload them.
    private func receive(manifest payload: [UInt8]) async {
        guard let manifest = RelayManifest(payload) else {
            return writeLogLine(
                "The broker's message at \(topics.manifestTopic) is not a list of files; it was ignored.\n")
        }
        let fetcher = RelayFileFetcher(topics: topics, brokerClient: brokerClient)
        for isTextFile in [true, false] {
            for file in manifest.files where file.isTextFile == isTextFile && !fileStore.hasFile(file) {
                guard let bytes = await fetcher.fetchFile(file) else {
                    writeLogLine(
                        "“\(file.path)” did not arrive completely from the broker; "
                            + "it is fetched again after the next change.\n"
                    )
                    continue
                }
                do { try fileStore.storeFile(bytes, as: file) } catch {
                    writeLogLine("“\(file.path)” cannot be served: \(error.explanation)\n")
                }
            }
            guard isTextFile else { continue }
            fileStore.activateRevision(manifest)
            changeStatus { $0.contentRevision = manifest.revision }
            let content =
                manifest.files.isEmpty
                ? Array("null".utf8)
                : AudienceConcert.encodeJSON(
                    AudienceContentSection(
                        revision: manifest.revision, pieces: manifest.changed,
                        versions: fileStore.concertParts?.versions
                    ))
            if eventHub.newestValue("content") != content { eventHub.publishStateSection("content", content) }
        }
    }

    // MARK: State of the connections

    private func noteBrokerConnection(with status: MQTTConnectionStatus) {
        let was = sharedState.state.withLock { $0.status.isBrokerConnected }
        guard status.isConnected != was else { return }
        // Without the broker nothing is known about the server; after reconnecting the broker reports it again.
        changeStatus {
            $0.isBrokerConnected = status.isConnected
            if !status.isConnected { $0.isServerConnected = false }
        }
        if status.isConnected { return writeLogLine("Connected to the broker.\n") }
        writeLogLine(
            "Not connected to the broker: \(status.lastFault ?? "the reason is unknown.") "
                + "Listeners keep the last position.\n"
        )
    }

    private func changeStatus(_ change: (inout RelayStatus) -> Void) {
        let changed = sharedState.state.withLock { state -> RelayStatus? in
            let before = state.status
            change(&state.status)
            return state.status == before ? nil : state.status
        }
        if let changed { eventHub.publishStateSection("source", AudienceConcert.encodeJSON(changed)) }
    }
}
