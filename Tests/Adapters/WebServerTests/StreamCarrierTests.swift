import Testing

@testable import TestHelpers
@testable import WebServer

/// One connection carries the streams of all pages of a browser.
@Suite(.ownThreads, .serialized) struct StreamCarrierTests {
    private static let id = String(repeating: "0a", count: 16)

    /// Asks for a path and returns the response's first bytes.
    private static func answer(_ port: Int, _ path: String, token: String? = nil) throws -> String {
        let client = try RawClient(port: port)
        client.get(path, token: token)
        return client.receive(until: "}")
    }

    private static func end(_ port: Int, _ number: Int) throws -> String {
        let client = try RawClient(port: port)
        client.send(
            "POST \(StreamCarriers.path)/end?carrier=\(id).\(number) HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Baton: 1\r\n"
                + "Content-Length: 0\r\n\r\n")
        return client.receive(until: "}")
    }

    private static func open(_ port: Int) throws -> RawClient {
        let carrier = try RawClient(port: port)
        carrier.get("\(StreamCarriers.path)?carrier=\(id)")
        #expect(carrier.receive(until: "event: snapshot").hasPrefix("HTTP/1.1 200 OK"))
        return carrier
    }

    @Test func severalStreamsComeOverOneConnectionEachUnderItsNumber() async throws {
        let stage = try Stage()
        let events = stage.events
        events.publish("show", #"{"title":"Tonight"}"#)
        let token = stage.accounts.token("ines")
        let (first, second, text) = try await stage.live { port in
            let carrier = try Self.open(port)
            let first = try Self.answer(port, "/api/events?carrier=\(Self.id).1", token: token)
            let second = try Self.answer(port, "/api/events?carrier=\(Self.id).2", token: token)
            var text = carrier.receive(until: "stream: 2")
            events.publish("position", #"{"measure":57}"#)
            text += carrier.receive(until: #"{"measure":57}"#, times: 2)
            return (first, second, text)
        }
        #expect(first.hasPrefix("HTTP/1.1 200") && second.hasPrefix("HTTP/1.1 200"))
        let plain = text.replacing(#/\r\n[0-9a-f]+\r\n/#, with: "")
        for number in 1...2 {
            #expect(plain.contains("stream: \(number)\n\nretry: 500\nid: "), "\(plain)")
        }
        #expect(plain.components(separatedBy: "event: position\ndata: {\"measure\":57}").count == 3)
    }

    @Test func eachStreamIsCheckedLikeOneOfItsOwn() async throws {
        let stage = try Stage { $0.limits.consoleStreamsPerAccount = 1 }
        let (token, other) = (stage.accounts.token("ines"), stage.accounts.token("ada"))
        let answers = try await stage.live { port in
            let carrier = try Self.open(port)
            defer { carrier.close() }
            return [
                try Self.answer(port, "/api/events?carrier=\(Self.id).1"),
                try Self.answer(port, "/api/events?carrier=\(Self.id).2", token: token),
                try Self.answer(port, "/api/events?carrier=\(Self.id).3", token: token),
                try Self.answer(port, "/api/events?carrier=\(Self.id)", token: other),
                try Self.answer(
                    port, "/api/events?carrier=\(String(repeating: "f", count: 32)).1", token: other),
            ]
        }
        #expect(answers.map { $0.dropFirst(9).prefix(3) } == ["401", "200", "409", "400", "409"])
        #expect(
            answers.dropFirst(2).map { code in
                ["too-many", "bad-carrier", "no-carrier"].first { code.contains($0) }
            }
                == ["too-many", "bad-carrier", "no-carrier"], "\(answers)")
    }

    @Test func streamEndsWhenItsPageLeavesAndItsPlaceIsFree() async throws {
        let stage = try Stage { $0.limits.consoleStreamsPerAccount = 1 }
        let events = stage.events
        let token = stage.accounts.token("ines")
        let (text, isFree, again) = try await stage.live { port in
            let carrier = try Self.open(port)
            _ = try Self.answer(port, "/api/events?carrier=\(Self.id).1", token: token)
            _ = carrier.receive(until: "stream: 1")
            #expect(try Self.end(port, 1).hasPrefix("HTTP/1.1 200"))
            let text = carrier.receive(until: "ended: 1")
            let isFree = await eventually { events.listenerCount == 0 }
            return (text, isFree, try Self.answer(port, "/api/events?carrier=\(Self.id).2", token: token))
        }
        #expect(text.contains("ended: 1\n\n") && isFree && again.hasPrefix("HTTP/1.1 200"))
    }

    @Test func streamEndsWithItsReadersRightAndTheCarrierGoesOn() async throws {
        let stage = try Stage()
        let (events, accounts) = (stage.events, stage.accounts)
        let (leaver, stayer) = (accounts.token("ines"), accounts.token("ada"))
        let text = try await stage.live { port in
            let carrier = try Self.open(port)
            _ = try Self.answer(port, "/api/events?carrier=\(Self.id).1", token: leaver)
            _ = try Self.answer(port, "/api/events?carrier=\(Self.id).2", token: stayer)
            _ = carrier.receive(until: "stream: 2")
            await accounts.signOut(token: leaver)
            let text = carrier.receive(until: "ended: 1")
            events.publish("position", "58")
            return text + carrier.receive(until: "data: 58")
        }
        #expect(text.contains("ended: 1\n\n") && text.contains("data: 58"))
        #expect(!text.contains("ended: 2"))
    }

    @Test func nothingIsLeftOfStreamsWhoseConnectionHasEnded() async throws {
        let stage = try Stage()
        let events = stage.events
        let token = stage.accounts.token("ines")
        let (most, isFree, late) = try await stage.live { port in
            let carrier = try Self.open(port)
            for number in 1...5 {
                _ = try Self.answer(port, "/api/events?carrier=\(Self.id).\(number)", token: token)
            }
            _ = await eventually { events.listenerCount == 5 }
            let most = events.listenerCount
            carrier.close()
            let isFree = await eventually { events.listenerCount == 0 }
            return (most, isFree, try Self.answer(port, "/api/events?carrier=\(Self.id).6", token: token))
        }
        #expect(most == 5 && isFree && late.contains("no-carrier"))
    }

    @Test func personalMessagesComeOverACarrierToo() async throws {
        let opened = PersonalStream(slots: 0)
        let streams = PersonalStreams(ResourceQuota.Limits(total: 4)) { _ in .stream(opened) }
        let stage = try Stage(routes: [.personalStreams("/api/mine", .anybody, streams)])
        let text = try await stage.live { port in
            let carrier = try Self.open(port)
            _ = try Self.answer(port, "/api/mine?carrier=\(Self.id).7")
            opened.sendFirstMessages([EncodedStreamMessage(Array(#"{"n":1}"#.utf8))])
            var text = carrier.receive(until: #"{"n":1}"#)
            opened.send(EncodedStreamMessage(Array(#"{"n":2}"#.utf8)))
            text += carrier.receive(until: #"{"n":2}"#)
            opened.close()
            return text + carrier.receive(until: "ended: 7")
        }
        #expect(text.components(separatedBy: "stream: 7\n\n").count == 3 && text.contains("ended: 7\n\n"))
        #expect(streams.openStreamCount == 0)
    }

    @Test func aSnapshotIsToldOnceToNetworksThatHoldStreamsBack() async throws {
        let stage = try Stage()
        stage.events.publish("show", #"{"title":"Tonight"}"#)
        let events = stage.events
        let token = stage.accounts.token("ines")
        let text = try await stage.live { port in
            let client = try RawClient(port: port)
            client.get("/api/events?brief=1", token: token)
            let text = client.receive(until: "}}\n\n")
            #expect(events.listenerCount == 0)
            return text
        }
        #expect(text.lowercased().contains("content-length: ") && text.contains(#"{"title":"Tonight"}"#))
    }
}
