import Testing

@testable import TestHelpers
@testable import WebServer

@Suite(.ownThreads, .serialized) struct RightsWatchTests {
    /// Every kind of stream: the console's, another hub's, one that is for each person alone.
    private static let paths = ["/api/events", "/api/edit/events", "/api/stand"]

    private func stage() throws -> Stage {
        let frame = EncodedStreamMessage(Array("{}".utf8), event: "hello")
        let streams = PersonalStreams(ResourceQuota.Limits(total: 10)) { _ in
            let stream = PersonalStream(slots: 0)
            stream.sendFirstMessages([frame])
            return .stream(stream)
        }
        let hub = EventHub()
        hub.publish("hello", "{}")
        return try Stage(routes: [
            .stream("/api/edit/events", .signedIn, hub), .personalStreams("/api/stand", .signedIn, streams),
        ])
    }

    @Test(arguments: paths, [WebRole.editor, nil])
    func aDemotedOrRemovedPersonsStreamsEndAtOnce(path: String, role: WebRole?) async throws {
        let stage = try stage()
        stage.events.publish("hello", "{}")
        let (token, other) = (stage.accounts.token("ines"), stage.accounts.token("ada"))
        let (took, rest) = try await stage.live { port in
            let (client, bystander) = (try RawClient(port: port), try RawClient(port: port))
            client.get(path, token: token)
            bystander.get(path, token: other)
            _ = client.receive(until: "hello")
            _ = bystander.receive(until: "hello")
            // The watch has seen both sign-ins.
            try await Self.look(2, stage.server.rightsMonitor)
            let begin = ContinuousClock.now
            stage.accounts.give(role, to: token)
            // The last chunk of a body: the stream has ended.
            let text = client.receive(until: "0\r\n\r\n")
            let took = ContinuousClock.now - begin
            stage.events.publish("later", "{}")
            _ = text
            return (took, path == "/api/events" ? bystander.receive(until: "later") : "later")
        }
        #expect(took < EventStream.permissionRecheckInterval / 2, "\(path) went on for \(took)")
        #expect(rest.contains("later"), "somebody else's stream ended too")
    }

    @Test func whoeverSignsInDisturbsNobody() async throws {
        let watch = RightsMonitor()
        let accounts = ListedAccounts()
        let first = accounts.token("ines")
        let running = Task { await watch.watchRights(accounts) }
        defer { running.cancel() }
        try await Self.look(1, watch)
        _ = accounts.token("ada")
        try await Self.look(2, watch)
        #expect(watch.withdrawalCount == 0)
        accounts.give(nil, to: first)
        await watch.waitForWithdrawal(after: 0)
        #expect(watch.withdrawalCount == 1)
    }

    /// Until the watch has looked so many times more.
    private static func look(_ times: UInt64, _ watch: RightsMonitor) async throws {
        let enough = watch.pollCount + times
        try #require(await eventually { watch.pollCount >= enough }, "the watch does not look")
    }

    @Test func whoeverWaitsIsLetGoWhenCancelled() async {
        let watch = RightsMonitor()
        let waiting = Task { await watch.waitForWithdrawal(after: 0) }
        waiting.cancel()
        await waiting.value
        #expect(watch.withdrawalCount == 0)
    }
}
