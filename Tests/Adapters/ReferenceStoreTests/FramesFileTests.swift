import Alignment
import Basics
import Platform
import Testing

@testable import ReferenceStore

@Suite struct FramesFileTests {
    @Test func noValueIsOffByMoreThanFourThousandths() {
        var worst: Float = 0
        for step in 0...1_000_000 {
            let value = Float(step) / 1_000_000
            worst = max(
                worst, abs(ReferenceFramesFile.valuesByByte[Int(ReferenceFramesFile.quantize(value))] - value)
            )
        }
        // Half a step of (q / 255)² next to 1: 1 - (254.5 / 255)².
        #expect(worst > 0.0038 && worst < 0.0040)
    }

    @Test func everyStoredValueStaysTheSame() {
        for byte in 0...255 {
            #expect(ReferenceFramesFile.quantize(ReferenceFramesFile.valuesByByte[byte]) == UInt8(byte))
        }
    }

    @Test func valuesOutOfRangeAreBroughtIntoIt() {
        #expect(
            ReferenceFramesFile.quantize(-1) == 0 && ReferenceFramesFile.quantize(.nan) == 0
                && ReferenceFramesFile.quantize(-.infinity) == 0)
        #expect(ReferenceFramesFile.quantize(7) == 255 && ReferenceFramesFile.quantize(.infinity) == 255)
    }

    @Test func framesAreReadBack() throws {
        let frames = Made.frames(57, dimensions: 6)
        let content = try ReferenceFramesFile.decode(
            of: ReferenceFramesFile.encode(of: frames, framesPerSecond: 50))
        #expect(content.framesPerSecond == 50)
        #expect(content.frames.dimensions == 6 && content.frames.powerByFrame == frames.powerByFrame)
        #expect(zip(content.frames.featureValues, frames.featureValues).allSatisfy { abs($0 - $1) <= 0.004 })
        // The frames that were read are written as the same bytes.
        let again = ReferenceFramesFile.encode(of: content.frames, framesPerSecond: 50)
        #expect(again == ReferenceFramesFile.encode(of: frames, framesPerSecond: 50))
    }

    /// Tests/Modules/practice.test.js brings the same values back.
    @Test func differencesGoOneDimensionAfterTheOther() {
        let (head, digest) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 7, count: 32))
        #expect(
            ReferenceFramesFile.differences(
                of: head + [1, 2, 3, 4, 2, 1] + digest, frameCount: 3, dimensions: 2)
                == head + [1, 2, 255, 2, 2, 253] + digest)
    }

    @Test func theLayoutIsTheDocumentedOne() {
        let frames = ReferenceFeatureFrames(featureValues: [0, 1, 0.25], dimensions: 3, powerByFrame: [0.5])
        let bytes = ReferenceFramesFile.encode(of: frames, framesPerSecond: 50)
        let head: [UInt8] =
            Array("BATONREF".utf8) + [1, 0, 3, 0, 50, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x3F, 0, 255, 128]
        #expect(bytes == head + Digest(of: head).bytes)
    }

    @Test func everyTruncationIsRefused() {
        let bytes = ReferenceFramesFile.encode(of: Made.frames(3), framesPerSecond: 50)
        for count in 0..<bytes.count {
            #expect(throws: ExplainedError.self) {
                try ReferenceFramesFile.decode(of: Array(bytes[..<count]))
            }
        }
        #expect(throws: ExplainedError("it is longer than its header says")) {
            try ReferenceFramesFile.decode(of: bytes + [0])
        }
    }

    @Test func everyChangedByteIsNoticed() {
        let bytes = ReferenceFramesFile.encode(of: Made.frames(3), framesPerSecond: 50)
        for place in bytes.indices {
            var mutant = bytes
            mutant[place] ^= 1 << UInt8(place % 8)
            #expect(throws: ExplainedError.self) { try ReferenceFramesFile.decode(of: mutant) }
        }
    }

    /// With a good digest, so that everything behind it is reached as well.
    @Test func tenThousandForgeriesAreReadOrRefused() {
        var random = SeededRandomGenerator(seed: 7)
        let bytes = ReferenceFramesFile.encode(of: Made.frames(3), framesPerSecond: 50).dropLast(
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
        var bytes = ReferenceFramesFile.encode(of: Made.frames(3), framesPerSecond: 50)
        bytes.replaceSubrange(16..<20, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: ExplainedError("its header has impossible values")) {
            try ReferenceFramesFile.decode(of: bytes)
        }
    }

    @Test func aLaterVersionIsCalledOne() {
        var bytes = ReferenceFramesFile.encode(of: Made.frames(3), framesPerSecond: 50)
        bytes[8] = 2
        #expect(
            throws: ExplainedError(
                "it has version 2, and only version \(ReferenceFramesFile.version) is known")
        ) { try ReferenceFramesFile.decode(of: bytes) }
    }
}
