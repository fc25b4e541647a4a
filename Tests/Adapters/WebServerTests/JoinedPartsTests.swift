import Foundation
import Hummingbird
import RouterTesting
import Testing

@testable import TestHelpers
@testable import WebServer

@Suite(.ownThreads) struct JoinedPartsTests {
    private let texts = ["", "<a/>", String(repeating: "one and the same line\n", count: 400), "é – end\n"]

    private func bytes(_ buffers: [ByteBuffer]) -> [UInt8] { buffers.flatMap { Array(buffer: $0) } }

    /// The bytes that gzip itself unpacks; it checks checksum and length.
    private func unpacked(_ packed: [UInt8]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/gzip")
        process.arguments = ["-dc"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        input.fileHandleForWriting.write(Data(packed))
        try input.fileHandleForWriting.close()
        let plain = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return Array(plain)
    }

    @Test(arguments: [[0], [1], [2], [1, 2, 3], [3, 2, 1, 2], [0, 0, 3], []])
    func partsPackedOnceAreOneTextInAnyOrder(order: [Int]) throws {
        let parts = texts.map { CompressedTextPart(Array($0.utf8)) }
        let joined = JoinedTextParts(parts: order.map { parts[$0] }, entityTag: "\"t\"")
        let whole = Array(order.map { texts[$0] }.joined().utf8)
        #expect(bytes(joined.parts.map(\.plain)) == whole)
        #expect(joined.byteCount == whole.count)
        #expect(try unpacked(bytes(joined.gzippedBuffers)) == whole)
    }

    @Test func anAnswerOfPartsIsPackedTaggedAndNotSentTwice() async throws {
        let parts = texts.map { CompressedTextPart(Array($0.utf8)) }
        let stage = try Stage(routes: [
            WebRoute(.get, "/parts", .anybody) { _ in
                .fromJoinedParts(parts, contentType: "text/plain", tag: "r7")
            }
        ])
        func ask(_ fields: HTTPFields) async throws -> TestResponse {
            try await stage.server.makeApplication().test { client in
                try await client.execute(uri: "/parts", method: .get, headers: fields) { $0 }
            }
        }
        let plain = try await ask([:])
        #expect(String(buffer: plain.body) == texts.joined())
        #expect(plain.headers[.eTag] == "W/\"r7\"" && plain.headers[.vary] == "Accept-Encoding")
        let packed = try await ask([.acceptEncoding: "gzip"])
        #expect(packed.headers[.contentEncoding] == "gzip")
        #expect(packed.headers[.contentLength] == String(packed.body.readableBytes))
        #expect(try unpacked(Array(buffer: packed.body)) == Array(texts.joined().utf8))
        let again = try await ask([.ifNoneMatch: "W/\"r7\""])
        #expect(again.status == .notModified && again.body.readableBytes == 0)
    }
}
