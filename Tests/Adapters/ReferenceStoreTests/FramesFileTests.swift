import Alignment
import Basics
import Platform
import Testing

@testable import ReferenceStore

@Suite struct FramesFileTests {
    @Test func framesAreReadBack() throws {
        let frames = Made.frames(57, dimensions: 6)
        let content = try ReferenceFramesFile.decode(
            of: ReferenceFramesFile.encode(of: frames, framesPerSecond: 50).bytes)
        #expect(content.framesPerSecond == 50 && content.frames == frames)
    }

    @Test func theLayoutIsTheDocumentedOne() {
        let frames = Made.frames(70_000, dimensions: 3)
        let bytes = ReferenceFramesFile.encode(of: frames, framesPerSecond: 50).bytes
        let head: [UInt8] = Array("BATONREF".utf8) + [2, 0, 3, 0, 50, 0, 0, 0, 0x70, 0x11, 1, 0]
        let before = head + Deflate.compress(frames.bytes)
        #expect(bytes == before + Digest(of: before).bytes)
    }

    @Test func aFileOfTheFirstVersionIsRead() throws {
        let frames = Made.frames(57, dimensions: 6)
        let content = try ReferenceFramesFile.decode(of: Made.firstVersionFile(frames))
        #expect(content.framesPerSecond == 50 && content.frames == frames)
    }

    @Test(arguments: [1, 2]) func everyTruncationIsRefused(version: Int) {
        let frames = Made.frames(3)
        let bytes =
            version == 1
            ? Made.firstVersionFile(frames)
            : ReferenceFramesFile.encode(of: frames, framesPerSecond: 50).bytes
        for count in 0..<bytes.count {
            #expect(throws: ExplainedError.self) {
                try ReferenceFramesFile.decode(of: Array(bytes[..<count]))
            }
            // With a good digest, so that only the length is wrong.
            let cut = Array(bytes[..<max(count - Digest.byteCount, 0)])
            #expect(throws: ExplainedError.self) {
                try ReferenceFramesFile.decode(of: cut + Digest(of: cut).bytes)
            }
        }
        #expect(throws: ExplainedError.self) {
            try ReferenceFramesFile.decode(of: bytes + [0])
        }
    }

    @Test(arguments: [
        (7, ReferenceFramesFile.cutShort), (15, ReferenceFramesFile.tooLong),
        (64 << 20, ReferenceFramesFile.tooLong),
    ])
    func contentOfAnotherLengthIsRefused(length: Int, fault: ExplainedError) {
        // Three frames of four values are fourteen bytes.
        let head = ReferenceFramesFile.encode(of: Made.frames(3), framesPerSecond: 50).bytes.prefix(20)
        let bytes = head + Deflate.compress([UInt8](repeating: 0, count: length))
        #expect(throws: fault) { try ReferenceFramesFile.decode(of: bytes + Digest(of: bytes).bytes) }
    }

    @Test func everyChangedByteIsNoticed() {
        let bytes = ReferenceFramesFile.encode(of: Made.frames(3), framesPerSecond: 50).bytes
        for place in bytes.indices {
            var mutant = bytes
            mutant[place] ^= 1 << UInt8(place % 8)
            #expect(throws: ExplainedError.self) { try ReferenceFramesFile.decode(of: mutant) }
        }
    }

    /// With a good digest, so that everything behind it is reached as well.
    @Test func tenThousandForgeriesAreReadOrRefused() {
        var random = SeededRandomGenerator(seed: 7)
        let bytes = ReferenceFramesFile.encode(of: Made.frames(3), framesPerSecond: 50).bytes.dropLast(
            Digest.byteCount)
        var refused = 0
        for _ in 0..<10_000 {
            var mutant = Array(bytes)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 8..<mutant.count, using: &random)
                mutant[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            }
            do { _ = try ReferenceFramesFile.decode(of: mutant + Digest(of: mutant).bytes) } catch {
                refused += 1
            }
        }
        #expect(refused > 1_000 && refused < 10_000)
    }

    @Test func aHeaderThatPromisesTooMuchIsRefusedAtOnce() {
        var bytes = ReferenceFramesFile.encode(of: Made.frames(3), framesPerSecond: 50).bytes
        bytes.replaceSubrange(16..<20, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: ExplainedError("its header has impossible values")) {
            try ReferenceFramesFile.decode(of: bytes)
        }
    }

    @Test func aLaterVersionIsCalledOne() {
        var bytes = ReferenceFramesFile.encode(of: Made.frames(3), framesPerSecond: 50).bytes
        bytes[8] = 3
        #expect(throws: ExplainedError("it has version 3, and only versions up to 2 are known")) {
            try ReferenceFramesFile.decode(of: bytes)
        }
    }
}
