import Basics
import Testing

@testable import TestHelpers
@testable import WebServer

/// Over loopback, with sockets that behave badly.
@Suite(.ownThreads, .serialized) struct LiveServerTests {
    @Test func snapshotComesFirstThenSectionsThenBeats() async throws {
        let stage = try Stage()
        let events = stage.events
        events.publish("show", #"{"title":"Tonight"}"#)
        let token = stage.accounts.token("ines")
        let text = try await stage.live { port in
            let client = try RawClient(port: port)
            client.get("/api/events", token: token)
            var text = client.receive(until: "event: snapshot")
            events.publish("position", #"{"measure":57}"#)
            text += client.receive(until: "event: position")
            text += client.receive(until: "event: beat")
            return text
        }
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        let head = text.components(separatedBy: "\r\n\r\n")[0].lowercased()
        #expect(head.contains("content-type: text/event-stream") && head.contains("cache-control: no-store"))
        #expect(head.contains("x-accel-buffering: no"))
        #expect(text.contains("retry: 500\n") && text.contains(#"data: {"show":{"title":"Tonight"}"#))
        #expect(text.contains("event: position\ndata: {\"measure\":57}\n\n"))
        #expect(text.contains("event: beat\ndata: {\"at\":"))
    }

    @Test func eventsNeedASignIn() async throws {
        let stage = try Stage()
        let text = try await stage.live { port in
            let client = try RawClient(port: port)
            client.get("/api/events", token: "nonsense")
            return client.receive(until: "}")
        }
        #expect(text.hasPrefix("HTTP/1.1 401") && text.contains(#""code":"sign-in""#))
    }

    @Test func readerThatStallsGetsTheNewestAndCostsNoMemory() async throws {
        // Longer than a slow machine needs to publish it all.
        let stage = try Stage { $0.timeouts.slowReader = .seconds(600) }
        let events = stage.events
        let token = stage.accounts.token("ines")
        let filling = String(repeating: "x", count: 10_000)
        let (first, rest, sent) = try await stage.live { port in
            let client = try RawClient(port: port, receiveBufferBytes: 4_096)
            client.get("/api/events", token: token)
            let first = client.receive(until: "snapshot")
            for number in 1...5_000 {
                events.publish("position", #"{"n":\#(number),"filling":"\#(filling)"}"#)
                // Values that are published at once become one frame: the stream must get its turns.
                if number % 100 == 0 { await Task.yield() }
            }
            let sent = events.newestEventID
            let rest = client.receive(until: #"{"n":5000,"#)
            return (first, rest, sent)
        }
        #expect(first.contains("snapshot") && sent >= 5_000)
        #expect(rest.contains(#"{"n":5000,"#))
        // 50 MB were published; what waited was a socket's buffers.
        #expect(rest.utf8.count < 4_000_000, "\(rest.utf8.count) bytes")
    }

    @Test func readerThatTakesNothingIsDisconnected() async throws {
        let stage = try Stage { $0.timeouts.slowReader = .milliseconds(400) }
        let events = stage.events
        let token = stage.accounts.token("ines")
        let gone = try await stage.live { port in
            let client = try RawClient(port: port, receiveBufferBytes: 4_096)
            client.get("/api/events", token: token)
            _ = client.receive(until: "snapshot")
            let filling = String(repeating: "x", count: 200_000)
            var number = 0
            return await eventually {
                number += 1
                events.publish("position", #"{"n":\#(number),"filling":"\#(filling)"}"#)
                return events.listenerCount == 0
            }
        }
        #expect(gone)
    }

    @Test func twoHundredListenersLeaveAndNoneIsCounted() async throws {
        let stage = try Stage {
            $0.limits.consoleStreams = 300
            $0.limits.consoleStreamsPerAccount = 300
        }
        let events = stage.events
        let token = stage.accounts.token("ines")
        let (most, left, open) = try await stage.live { port in
            var clients = try (0..<200).map { _ in try RawClient(port: port) }
            for client in clients { client.get("/api/events", token: token) }
            for client in clients { _ = client.receive(until: "snapshot") }
            let most = events.listenerCount
            events.publish("position", "1")
            for client in clients {
                #expect(client.receive(until: "event: position").contains("event: position"))
            }
            for client in clients { client.close() }
            clients = []
            _ = await eventually { events.listenerCount + stage.server.connectionCount == 0 }
            return (most, events.listenerCount, stage.server.connectionCount)
        }
        #expect(most == 200 && left == 0 && open == 0)
    }

    @Test func streamLimitIsKept() async throws {
        let stage = try Stage { $0.limits.consoleStreams = 1 }
        let token = stage.accounts.token("ines")
        let text = try await stage.live { port in
            let (one, two) = (try RawClient(port: port), try RawClient(port: port))
            one.get("/api/events", token: token)
            _ = one.receive(until: "snapshot")
            two.get("/api/events", token: token)
            return two.receive(until: "}")
        }
        #expect(text.hasPrefix("HTTP/1.1 503") && text.contains(#""code":"full""#))
    }

    @Test func stoppingClosesStreamsAtOnce() async throws {
        let stage = try Stage { $0.limits.consoleStreamsPerAccount = 20 }
        let token = stage.accounts.token("ines")
        let time = try await stage.live { port in
            let clients = try (0..<20).map { _ in try RawClient(port: port) }
            for client in clients { client.get("/api/events", token: token) }
            for client in clients { _ = client.receive(until: "snapshot") }
            return ContinuousClock.now
        }
        // If the server waited for its readers, this would take the readers' time limit, twenty seconds.
        #expect(ContinuousClock.now - time < .seconds(10))
        #expect(stage.events.listenerCount == 0)
    }

    @Test func halfARequestIsNotWaitedForLong() async throws {
        let stage = try Stage { $0.timeouts.requestHead = .milliseconds(300) }
        let (silent, dripping) = try await stage.live { port in
            let (silent, dripping) = (try RawClient(port: port), try RawClient(port: port))
            let start = ContinuousClock.now
            dripping.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            var dripped = true
            while dripped, ContinuousClock.now - start < .seconds(14) {
                dripped = dripping.send("X-A: b\r\n")
                // The pace of a client that drips is what is tried.
                try await Task.sleep(for: .milliseconds(50))
            }
            let drippingTook = ContinuousClock.now - start
            _ = silent.receive()
            return (ContinuousClock.now - start, drippingTook)
        }
        // Without the setting it would be fifteen seconds.
        #expect(silent < .seconds(10) && dripping < .seconds(10))
    }

    @Test func bodyThatDripsIsNotWaitedForLong() async throws {
        let stage = try Stage { $0.timeouts.requestBody = .milliseconds(300) }
        let text = try await stage.live { port in
            let client = try RawClient(port: port)
            client.send(
                "POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Baton: 1\r\nContent-Length: 1000\r\n\r\n")
            // The pace of a client that drips is what is tried.
            let dripping = Task {
                while client.send(" ") { try await Task.sleep(for: .milliseconds(30)) }
            }
            defer { dripping.cancel() }
            return client.receiveAll()
        }
        #expect(text.hasPrefix("HTTP/1.1 408") && text.contains(#""code":"too-slow""#))
    }

    @Test func hugeBodyIsRefusedBeforeItIsSent() async throws {
        let stage = try Stage()
        let (stated, chunked) = try await stage.live { port in
            let (stated, chunked) = (try RawClient(port: port), try RawClient(port: port))
            let head = "POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Baton: 1\r\n"
            stated.send(head + "Content-Length: 99999999999\r\n\r\n")
            let first = stated.receive(until: "}")
            chunked.send(head + "Transfer-Encoding: chunked\r\n\r\n")
            let chunk = "1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n"
            for _ in 0..<40 where !chunked.send(chunk) { break }
            return (first, chunked.receive(until: "}"))
        }
        #expect(stated.hasPrefix("HTTP/1.1 413") && chunked.hasPrefix("HTTP/1.1 413"))
    }

    @Test(arguments: [
        "nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\u{3}\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: 40_000) + "\r\n\r\n",
        "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        "GET /\u{7F} HTTP/1.1\r\nHost: x\r\n\r\n", "GET http:// HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET %%% HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
    ])
    func oddRequestsAreRefusedAndHarmNobody(request: String) async throws {
        let stage = try Stage { $0.timeouts.requestHead = .milliseconds(500) }
        let (odd, after) = try await stage.live { port in
            let odd = try RawClient(port: port)
            odd.send(request)
            let answer = odd.receiveAll()
            let after = try RawClient(port: port)
            after.get("/healthz")
            return (answer, after.receive(until: "}"))
        }
        #expect(
            odd.isEmpty || odd.hasPrefix("HTTP/1.1 302") || odd.hasPrefix("HTTP/1.1 4")
                || odd.hasPrefix("HTTP/1.1 5"), "\(odd)")
        #expect(after.hasSuffix(#"{"ok":true}"#))
    }

    @Test func addressesHaveALimitOfConnections() async throws {
        let stage = try Stage { $0.limits.connectionsPerAddress = 3 }
        let (refused, again) = try await stage.live { port in
            let clients = try (0..<3).map { _ in try RawClient(port: port, from: "127.0.0.9") }
            for client in clients {
                client.get("/healthz")
                _ = client.receive(until: "}")
            }
            let fourth = try RawClient(port: port, from: "127.0.0.9")
            fourth.get("/healthz")
            let refused = fourth.receive()
            clients[0].close()
            // The place is free a moment after the connection is gone, and an address may open so many a second.
            let again = await eventually {
                guard let fifth = try? RawClient(port: port, from: "127.0.0.9") else { return false }
                fifth.get("/healthz")
                return fifth.receive(until: "}").hasSuffix(#"{"ok":true}"#)
            }
            return (refused, again)
        }
        #expect(refused.isEmpty)
        #expect(again)
    }

    @Test func portInUseIsSaidInASentence() async throws {
        let stage = try Stage()
        let second = try await stage.live { port -> ExplainedError? in
            let second = try Stage { $0.port = port }
            do {
                try await second.server.run()
                return nil
            } catch {
                return error as? ExplainedError
            }
        }
        #expect(second?.sentence.contains(" of 127.0.0.1 is in use") == true, "\(String(describing: second))")
    }

    @Test func anAddressIsTriedWithoutListeningOnIt() async throws {
        let stage = try Stage()
        let used = try await stage.live { port in
            #expect(
                throws: ExplainedError(
                    "Port \(port) of 127.0.0.1 is in use, perhaps by another Baton server; end that "
                        + "program or choose another port with --http.")
            ) {
                try WebServer.checkAddress(of: WebSettings(port: port))
            }
            // A listener who is already connected is not disturbed.
            let client = try RawClient(port: port)
            client.get("/healthz")
            #expect(client.receive(until: "}").contains(#"{"ok":true}"#))
            return port
        }
        for _ in 0..<3 { try WebServer.checkAddress(of: WebSettings(port: used)) }
        #expect(
            throws: ExplainedError(
                "This machine has no address 203.0.113.7 to listen on; see its addresses with ip address.")
        ) {
            try WebServer.checkAddress(of: WebSettings(address: "203.0.113.7", port: used))
        }
    }

    @Test func serverStoppedBeforeItRanDoesNotRun() async throws {
        let stage = try Stage()
        await stage.server.stop()
        try await stage.server.run()
        #expect(stage.server.boundPort == nil)
    }

    @Test func addressOfAnotherMachineIsSaidInASentence() async throws {
        let stage = try Stage { $0.address = "192.0.2.1" }
        await #expect(
            throws: ExplainedError(
                "This machine has no address 192.0.2.1 to listen on; see its addresses with ip address.")
        ) { try await stage.server.run() }
    }

    @Test func keptConnectionServesManyRequests() async throws {
        let stage = try Stage()
        let count = try await stage.live { port in
            let client = try RawClient(port: port)
            var count = 0
            for _ in 0..<50 {
                client.get("/healthz")
                if client.receive(until: "}").hasSuffix(#"{"ok":true}"#) { count += 1 }
            }
            return count
        }
        #expect(count == 50)
    }
}
