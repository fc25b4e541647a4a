import Foundation
import NIOCore
import Platform
import Testing

@testable import TestHelpers
@testable import WebServer

@Suite(.ownThreads) struct BodySendingTests {
    private let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

    // MARK: Chunks

    private func readAll(_ body: OutgoingBody) throws -> [UInt8] {
        var reader = try #require(BodyReader(body))
        var read: [UInt8] = []
        while let chunk = reader.takeNextChunk() {
            let buffer =
                switch chunk {
                case .ready(let buffer): buffer
                case .onDisk(let file, let offset, let count): try file.read(at: offset, count: count)
                }
            #expect(buffer.readableBytes <= OutgoingBody.chunkBytes && buffer.readableBytes > 0)
            read += Array(buffer.readableBytesView)
        }
        #expect(reader.remainingBytes == 0)
        return read
    }

    @Test func theChunksOfABodyAreTheBody() throws {
        let folder = try PageFolder()
        try Data(bytes).write(to: URL(filePath: folder.path + "/large.bin"))
        #expect(try readAll(OutgoingBody(.own(bytes))) == bytes)
        let file = OutgoingBody.Content.file(path: folder.path + "/large.bin", range: 100..<250_001)
        #expect(try readAll(OutgoingBody(file)) == Array(bytes[100..<250_001]))
        for cuts in [[0, 300_000], [0, 0, 5, 16_389, 16_389, 300_000], [0, 100_000, 300_000, 300_000]] {
            let buffers = zip(cuts, cuts.dropFirst()).map { ByteBuffer(bytes: bytes[$0..<$1]) }
            #expect(try readAll(OutgoingBody(.shared(buffers))) == bytes)
        }
    }

    @Test func aFileThatBecameShorterIsNoticed() throws {
        let folder = try PageFolder()
        let path = folder.path + "/short.bin"
        try Data(bytes.prefix(20_000)).write(to: URL(filePath: path))
        #expect(throws: OpenFile.ReadError.self) {
            _ = try readAll(OutgoingBody(.file(path: path, range: 0..<30_000)))
        }
    }

    // MARK: Slow readers

    private func isServed(megabytes: Double, chunk: Int, every wait: Duration) -> Bool {
        var pace = ReaderPace(stallTimeLimit: .seconds(20))
        for _ in 0..<Int(megabytes * 1_048_576) / chunk {
            if pace.isTooSlow(pendingFor: wait) { return false }
            pace.countAcceptedChunk(chunk, afterWaiting: wait)
        }
        return !pace.isTooSlow(pendingFor: .zero)
    }

    /// 5 KB/s, in spurts with pauses of 13 s.
    @Test func aPhoneInABadNetworkGetsAPictureOfFiveMegabytes() {
        #expect(isServed(megabytes: 5, chunk: 16_384, every: .seconds(3.2)))
        var pace = ReaderPace(stallTimeLimit: .seconds(20))
        for _ in 0..<80 {
            #expect(!pace.isTooSlow(pendingFor: .seconds(13)))
            pace.countAcceptedChunk(16_384, afterWaiting: .seconds(13))
            for _ in 0..<3 { pace.countAcceptedChunk(16_384, afterWaiting: .milliseconds(20)) }
        }
        #expect(!pace.isTooSlow(pendingFor: .zero))
    }

    @Test func whoeverTakesALittleNowAndThenIsDisconnected() {
        #expect(!isServed(megabytes: 1, chunk: 16_384, every: .seconds(16)))
        #expect(!isServed(megabytes: 0.1, chunk: 100, every: .seconds(1)))
        #expect(ReaderPace(stallTimeLimit: .seconds(20)).isTooSlow(pendingFor: .seconds(20)))
        // Once a reader was quick, it may not be slow for ever.
        var pace = ReaderPace(stallTimeLimit: .seconds(20))
        for _ in 0..<10_000 { pace.countAcceptedChunk(16_384, afterWaiting: .milliseconds(10)) }
        let slow = (0..<20).contains { _ in
            defer { pace.countAcceptedChunk(1_000, afterWaiting: .seconds(15)) }
            return pace.isTooSlow(pendingFor: .seconds(15))
        }
        #expect(slow)
    }

    @Test func theRateHoldsOverAnySecond() {
        var limit = RateLimit<String>(unitsPerSecond: 1_000_000, burst: 50_000)
        let start = ContinuousClock.now
        var sent = 0
        for millisecond in 0..<3_000 {
            while limit.admits("", units: 1_000, at: start + .milliseconds(millisecond)) { sent += 1_000 }
        }
        #expect((2_990_000...3_050_000).contains(sent))
        // A pause saves up the burst and no more.
        var burst = 0
        while limit.admits("", units: 1_000, at: start + .seconds(60)) { burst += 1_000 }
        #expect(burst == 50_000)
    }

    // MARK: The server

    private func stage(_ change: (inout WebSettings) -> Void = { _ in }) throws -> Stage {
        let folder = try PageFolder()
        let path = folder.path + "/large.bin"
        try Data(bytes).write(to: URL(filePath: path))
        let text = bytes
        return try Stage(
            change,
            routes: [
                WebRoute(.get, "/file", .anybody) { [folder] _ in
                    withExtendedLifetime(folder) { .file(path, contentType: "image/png", tag: "x") }
                },
                WebRoute(.get, "/text", .anybody) { _ in WebResponse(contentType: "text/plain", body: text) },
                WebRoute(.get, "/own", .signedIn) { _ in .file(path, contentType: "image/png", tag: "x") },
            ])
    }

    private func receiveBody(_ client: RawClient) -> [UInt8] {
        var answer: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let head = answer.firstRange(of: end), answer.count - head.upperBound >= bytes.count {
                return Array(answer[head.upperBound...])
            }
            let part = client.receive()
            if part.isEmpty { return answer }
            answer += part
        }
    }

    @Test(arguments: ["/file", "/text"]) func aConnectionReceivesLargeBodiesOneAfterAnother(path: String)
        async throws
    {
        let stage = try stage()
        let (bodies, small) = try await stage.live { port in
            let client = try RawClient(port: port)
            var bodies: [[UInt8]] = []
            for _ in 0..<3 {
                client.get(path)
                bodies.append(receiveBody(client))
            }
            client.get("/healthz")
            return (bodies, client.receive(until: "}"))
        }
        for body in bodies { #expect(body == bytes) }
        #expect(small.hasPrefix("HTTP/1.1 200") || small.hasPrefix("HTTP/1.1 404"))
    }

    /// Some clients send their request and close their direction.
    @Test func aClientThatSendsNothingMoreGetsTheWholeFile() async throws {
        let stage = try stage()
        let body = try await stage.live { port in
            let client = try RawClient(port: port)
            client.get("/file")
            client.finishSending()
            return receiveBody(client)
        }
        #expect(body == bytes)
    }

    @Test func aReaderThatTakesNothingLosesItsPlace() async throws {
        let stage = try stage { $0.timeouts.slowReader = .milliseconds(400) }
        let isGone = try await stage.live { port in
            let client = try RawClient(port: port, receiveBufferBytes: 4_096)
            client.get("/file")
            client.get("/file")
            _ = client.receive(1_000)
            return await eventually { stage.server.connectionCount == 0 && stage.server.sentBodyPlaces == 0 }
        }
        #expect(isGone)
    }

    /// One account has 128 places; whatever it asks for, others and a technician's other account are served at once.
    @Test func unreadDownloadsOfOneAccountKeepNobodyWaiting() async throws {
        let stage = try stage { $0.limits.connectionsPerAddress = 1_000 }
        let (ed, ines) = (stage.accounts.token("ed"), stage.accounts.token("ines"))
        let share = RequestQueue.Limits.forBodies.quota.perAccount
        try await stage.live { port in
            let clients = try (0..<share + 40).map { _ in
                try RawClient(port: port, receiveBufferBytes: 4_096, from: "127.0.0.9")
            }
            for client in clients { client.get("/own", token: ed) }
            #expect(await eventually { stage.server.sentBodyPlaces == share })
            for (path, token) in [("/file", nil), ("/own", ines)] {
                let client = try RawClient(port: port, from: "127.0.0.9")
                client.get(path, token: token)
                #expect(receiveBody(client) == bytes)
            }
            #expect(stage.server.sentBodyPlaces <= share + 1)
            for client in clients { client.close() }
            #expect(await eventually { stage.server.sentBodyPlaces == 0 })
        }
    }
}
