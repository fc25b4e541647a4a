import Foundation
import Hummingbird
import NIOPosix
import RouterTesting
import Synchronization
import Testing

@testable import TestHelpers
@testable import WebServer

/// Requests that create something are accepted only while there is room for it.
@Suite(.ownThreads) struct IntakeTests {
    private final class Room: Sendable {
        let isThere = Mutex(true)
        let asked = Mutex<[Int]>([])

        func refusal(_ bytes: Int) -> WebResponse? {
            asked.withLock { $0.append(bytes) }
            return isThere.withLock { $0 } ? nil : .refused(507, "disk-full", "There is no room.")
        }
    }

    @Test func itIsAskedBeforeTheBodyIsReadAndNotForWhatIsRemovedOrRead() async throws {
        let room = Room()
        let reached = Mutex(0)
        room.isThere.withLock { $0 = false }
        let answer: @Sendable (WebRequest) async -> WebResponse = { _ in
            reached.withLock { $0 += 1 }
            return .succeeded
        }
        let folder = FileManager.default.temporaryDirectory.path
        let routes = [
            WebRoute(.post, "/api/thing", .anybody, answer: answer),
            WebRoute(.delete, "/api/thing", .anybody, answer: answer),
            WebRoute(.get, "/api/thing", .anybody, answer: answer),
            WebRoute.upload(.put, "/api/file", .anybody, limitBytes: 100, folder: folder, answer: answer),
        ].map { $0.addingWriteCheck { _, bytes in room.refusal(bytes) } }
        let stage = try Stage(routes: routes.map { $0.refusingChanges { nil } })
        try await stage.server.makeApplication().test { client in
            func status(_ path: String, _ method: HTTPRequest.Method) async throws -> Int {
                try await client.execute(
                    uri: path, method: method, headers: headers(),
                    body: method == .get ? nil : ByteBuffer(string: "1234567")
                ) { $0.status.code }
            }
            let before = try await [status("/api/thing", .post), status("/api/file", .put)]
            #expect(before == [507, 507])
            #expect(reached.withLock { $0 } == 0)
            let further = try await [status("/api/thing", .delete), status("/api/thing", .get)]
            #expect(further == [200, 200])
            room.isThere.withLock { $0 = true }
            let after = try await [status("/api/thing", .post), status("/api/file", .put)]
            #expect(after == [200, 200])
        }
    }

    @Test func aFileOfUnknownLengthIsAskedAboutWhileItArrivesAndLeavesNothingBehind() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "intake-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let room = Room()
        let chunks = AsyncStream<ByteBuffer> { stream in
            for _ in 0..<12 { stream.yield(ByteBuffer(repeating: 7, count: 1 << 20)) }
            stream.finish()
        }
        let request = Request(
            head: .init(method: .put, scheme: "http", authority: "hall", path: "/"),
            body: RequestBody(asyncSequence: chunks))
        let outcome = await UploadReader.receiveFile(
            request, into: folder, limitBytes: 1 << 30, patience: .seconds(30),
            on: MultiThreadedEventLoopGroup.singleton.any()
        ) { bytes in
            defer { room.isThere.withLock { $0 = false } }
            return room.refusal(bytes)
        }
        #expect(outcome == .refused(.refused(507, "disk-full", "There is no room.")))
        #expect(room.asked.withLock { $0.count } == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
