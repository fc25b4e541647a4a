import Testing

@testable import Students

/// Sound from the network has the documented form, or is refused with a sentence.
@Suite struct SoundBatchTests {
    private static let secret = String(repeating: "s", count: SoundBatch.secretBytes)

    static func bytes(_ blocks: [SoundBlock], secret: String = secret) -> [UInt8] {
        func little<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian, Array.init)
        }
        return blocks.reduce(into: SoundBatch.mark + Array(secret.utf8)) { bytes, block in
            bytes += little(block.sequence) + little(UInt64(block.firstSample))
            bytes += little(UInt16(block.samples.count)) + block.samples.flatMap { little($0) }
        }
    }

    @Test func blocksAreReadAsTheyWereSent() throws {
        let blocks = [
            SoundBlock(sequence: 7, firstSample: 70_000, samples: [0, 1, -1, .max, .min]),
            SoundBlock(sequence: 8, firstSample: 70_005, samples: [300, -300]),
        ]
        let batch = try SoundBatch(Self.bytes(blocks))
        #expect(batch.blocks == blocks && batch.secret == Self.secret)
        let empty = try SoundBatch(Self.bytes([]))
        #expect(empty.blocks.isEmpty)
    }

    @Test func whatIsCutOffIsRefused() throws {
        let whole = Self.bytes([SoundBlock(sequence: 0, firstSample: 0, samples: [1, 2, 3])])
        let head = SoundBatch.mark.count + SoundBatch.secretBytes
        for length in 0..<whole.count where length != head {
            let fault: SoundBatch.Fault = length < head ? .notABatch : .cutOff(block: 0)
            #expect(throws: fault) { try SoundBatch(Array(whole.prefix(length))) }
        }
    }

    @Test func impossibleBlocksAreRefused() {
        #expect(throws: SoundBatch.Fault.badBlock(0)) {
            try SoundBatch(Self.bytes([SoundBlock(sequence: 0, firstSample: 0, samples: [])]))
        }
        #expect(throws: SoundBatch.Fault.badBlock(0)) {
            try SoundBatch(Self.bytes([SoundBlock(sequence: 0, firstSample: .max, samples: [1])]))
        }
        let many = (0...UInt32(SoundBatch.mostBlocks)).map {
            SoundBlock(sequence: $0, firstSample: Int($0), samples: [1])
        }
        #expect(throws: SoundBatch.Fault.tooMany) { try SoundBatch(Self.bytes(many)) }
    }
}
