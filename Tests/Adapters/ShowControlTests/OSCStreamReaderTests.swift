import Chance
import ShowControl
import Testing

@Suite struct OSCStreamReaderTests {
    /// Packets whose bytes are hard to frame, and how a length would announce them.
    static let packets: [[UInt8]] = [
        Array("/a\0\0,\0\0\0".utf8), [0x2F, 0xC0, 0xDB, 0], [0x2F, 0xDB, 0xDC, 0xC0, 0xDD, 0xDB, 0, 0],
        [0x23] + [UInt8](repeating: 0, count: 299),
    ]

    private static func stream(_ framing: OSCStreamFraming) -> [UInt8] {
        packets.flatMap { framing.makeFrame($0) }
    }

    @Test func framesAreMadeAsTheStandardsWant() {
        #expect(
            OSCStreamFraming.slip.makeFrame([1, 0xC0, 2, 0xDB, 3])
                == [0xC0, 1, 0xDB, 0xDC, 2, 0xDB, 0xDD, 3, 0xC0])
        #expect(OSCStreamFraming.lengthPrefix.makeFrame([9, 8, 7, 6]) == [0, 0, 0, 4, 9, 8, 7, 6])
        #expect(
            OSCStreamFraming.lengthPrefix.makeFrame([UInt8](repeating: 1, count: 300)).prefix(4)
                == [0, 0, 1, 44])
    }

    @Test(arguments: [OSCStreamFraming.slip, .lengthPrefix])
    func theFirstByteTellsTheFramingHoweverTheStreamWasCut(framing: OSCStreamFraming) throws {
        let stream = Self.stream(framing)
        for cut in 0...stream.count {
            var reader = OSCStreamReader()
            #expect(reader.framing == nil)
            var packets = try reader.readPackets(in: stream[..<cut]).map { try $0.get() }
            #expect(reader.framing == (cut > 0 ? framing : nil))
            packets += try reader.readPackets(in: stream[cut...]).map { try $0.get() }
            #expect(packets == Self.packets)
        }
        var reader = OSCStreamReader()
        let bytewise = try stream.flatMap { byte in
            try reader.readPackets(in: [byte]).map { try $0.get() }
        }
        #expect(bytewise == Self.packets)
    }

    @Test func oneEndBetweenPacketsIsEnough() throws {
        var reader = OSCStreamReader()
        let packets = try reader.readPackets(in: [0x2F, 2, 0xC0, 3, 0xC0]).map { try $0.get() }
        #expect(packets == [[0x2F, 2], [3]])
    }

    /// What a browser can send first: a method, TLS, or a relay's binding request.
    @Test(arguments: [
        ("POST / HTTP/1.1\r\n", OSCStreamFault.webRequest), ("GET / HTTP/1.1\r\n", .webRequest),
        ("OPTIONS * HTTP/1.1\r\n", .webRequest),
        ("\u{16}\u{3}\u{1}", .unknownFraming(firstByte: 0x16)),
        ("\0\u{3}\0\u{8}", .badLength(0x0003_0008, most: 8_192)), ("{}", .unknownFraming(firstByte: 0x7B)),
    ])
    func whatABrowserSendsIsNoStream(beginning: String, fault: OSCStreamFault) {
        let behind = Self.stream(.slip)
        var whole = OSCStreamReader()
        #expect(whole.readPackets(in: Array(beginning.utf8) + behind) == [.failure(fault)])
        #expect(whole.readPackets(in: behind).isEmpty, "nothing is read after a fault")
        var bytewise = OSCStreamReader()
        let results = (Array(beginning.utf8) + behind).flatMap { bytewise.readPackets(in: [$0]) }
        #expect(results == [.failure(fault)])
        #expect(fault.sentence.hasSuffix("."))
    }

    @Test(arguments: [
        ([0xC0, 0x2F, 0xDB, 7], OSCStreamFault.slip(.badEscape(7))),
        ([0xC0, 0x2F, 0xDB, 0xC0], .slip(.badEscape(0xC0))), ([0, 0, 0, 0], .badLength(0, most: 8)),
        ([0, 0, 0, 6], .badLength(6, most: 8)), ([0, 0, 0, 12], .badLength(12, most: 8)),
        ([0, 0xFF, 0xFF, 0xFC], .badLength(0xFF_FFFC, most: 8)),
        ([0xC0] + [UInt8](repeating: 1, count: 9), .slip(.frameTooLong(most: 8))),
    ])
    func aFaultEndsTheStream(bytes: [UInt8], fault: OSCStreamFault) {
        var reader = OSCStreamReader(maximumPacketBytes: 8)
        #expect(reader.readPackets(in: bytes) == [.failure(fault)])
        #expect(reader.readPackets(in: [0xC0, 0x2F, 0xC0] + bytes).isEmpty)
    }

    @Test func packetsAsLongAsTheLimitAreRead() throws {
        let packet = [0x2F] + [UInt8](repeating: 1, count: 7)
        for framing in [OSCStreamFraming.slip, .lengthPrefix] {
            var reader = OSCStreamReader(maximumPacketBytes: 8)
            #expect(reader.readPackets(in: framing.makeFrame(packet)) == [.success(packet)])
        }
    }

    @Test func randomStreamsAreReadTheSameInOnePieceAndInMany() {
        var numbers = SeededRandomGenerator(seed: 9)
        let bytes: [UInt8] = [0, 0, 0, 4, 8, 0x2F, 0x23, 0xC0, 0xC0, 0xDB, 0xDC, 0xDD, 0x50]
        for _ in 0..<20_000 {
            let stream = (0..<Int.random(in: 0...24, using: &numbers)).map { _ in
                bytes.randomElement(using: &numbers)!
            }
            var (whole, cut) = (
                OSCStreamReader(maximumPacketBytes: 16), OSCStreamReader(maximumPacketBytes: 16)
            )
            let atOnce = whole.readPackets(in: stream)
            #expect(atOnce == stream.flatMap { cut.readPackets(in: [$0]) })
            for case .success(let packet) in atOnce { #expect((1...16).contains(packet.count)) }
            for case .failure in atOnce.dropLast() { Issue.record("something was read after a fault") }
        }
    }
}
