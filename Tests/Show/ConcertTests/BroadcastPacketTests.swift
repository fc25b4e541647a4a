import Basics
import Concert
import Testing

@Suite struct BroadcastPacketTests {
    static let samples = [
        "Strauss, Don Juan: Don Juan; 35 : 568",
        "A; B : C; 0 : 18446744073709551615",
        "Dvořák, Rusalka: Píseň; 7 : 9",
        "PUSH|Welcome|Please silence your cell Phones.|BUTTON|Will do!|",
        "PUSH|Link|Survey|Button|http://www.survey.example/a?b=%20|",
        "PUSH|iNotes|Přímý přenos začal|AUTO||",
    ].map { Array($0.utf8) }

    /// Whatever is accepted must be exactly what a sender would have written.
    private func isSafe(_ bytes: [UInt8]) -> Bool {
        guard let packet = try? BroadcastPacket(bytes: bytes) else { return true }
        return packet.bytes == bytes
    }

    @Test(arguments: samples) func everyTruncationIsSafe(sample: [UInt8]) {
        for length in 0...sample.count {
            #expect(isSafe(Array(sample.prefix(length))))
            #expect(isSafe(Array(sample.suffix(length))))
        }
    }

    @Test func aMessageCutAnywhereIsRefused() {
        for sample in Self.samples.suffix(3) {
            for length in 5..<sample.count {
                #expect(throws: ExplainedError.self) {
                    try BroadcastPacket(bytes: Array(sample.prefix(length)))
                }
            }
        }
    }

    @Test func mutatedPacketsAreSafe() {
        var generator = SeededRandomGenerator(seed: 0xBA70)
        var accepted = 0
        var unsafe: [[UInt8]] = []
        for round in 0..<60_000 {
            var bytes = Self.samples[round % Self.samples.count]
            for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&bytes, with: &generator) }
            guard let packet = try? BroadcastPacket(bytes: bytes) else { continue }
            accepted += 1
            if packet.bytes != bytes { unsafe.append(bytes) }
        }
        #expect(unsafe.isEmpty)
        // Otherwise the mutations would be too coarse to reach past the first check.
        #expect(accepted > 3_000)
    }

    @Test func randomBytesAreSafe() {
        var generator = SeededRandomGenerator(seed: 7)
        let alphabet = Array("PUSH|; : 0195\n\u{301}é".utf8) + [0xFF, 0x80, 0x00]
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...40, using: &generator)
            let bytes = (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            if !isSafe(bytes) { Issue.record("\(bytes) came back changed") }
        }
    }

    @Test func anythingLongerThanADatagramIsRefusedUnread() {
        let endless = [UInt8](repeating: UInt8(ascii: ";"), count: 65_535)
        #expect(
            throws: ExplainedError(
                "The packet has \(65_535) bytes; at most \(BroadcastPacket.longestBytes) are allowed.")
        ) { try BroadcastPacket(bytes: endless) }
        #expect(
            throws: ExplainedError(
                "The packet has \(65_540) bytes; at most \(BroadcastPacket.longestBytes) are allowed.")
        ) {
            try BroadcastPacket(bytes: Array("PUSH|".utf8) + endless)
        }
    }

    private func mutate(_ bytes: inout [UInt8], with generator: inout SeededRandomGenerator) {
        let index = Int.random(in: 0...bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: index)
        case 1: bytes.insert("|; :0".utf8.randomElement(using: &generator) ?? 0, at: index)
        case 2 where index < bytes.count: bytes.remove(at: index)
        case 3 where index < bytes.count: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        default: bytes.insert(contentsOf: bytes.suffix(bytes.count - index), at: index)
        }
    }
}
