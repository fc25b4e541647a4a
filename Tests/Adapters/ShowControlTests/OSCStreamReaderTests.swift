import Basics
import Testing

@testable import ShowControl

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
        ("POST / HTTP/1.1\r\n", OSCFault.webRequest.sentence),
        ("GET / HTTP/1.1\r\n", OSCFault.webRequest.sentence),
        ("OPTIONS * HTTP/1.1\r\n", OSCFault.webRequest.sentence),
        ("\u{16}\u{3}\u{1}", "begins with byte 22, which is neither SLIP nor a packet's length"),
        (
            "\0\u{3}\0\u{8}",
            "announces 196616 bytes; the length of an OSC packet is a multiple of four, at most 8192."
        ),
        ("{}", "begins with byte 123, which is neither SLIP nor a packet's length"),
    ])
    func whatABrowserSendsIsNoStream(beginning: String, sentence: String) {
        let behind = Self.stream(.slip)
        var whole = OSCStreamReader()
        #expect(
            Self.onlyFault(whole.readPackets(in: Array(beginning.utf8) + behind))?.contains(sentence) == true)
        #expect(whole.readPackets(in: behind).isEmpty, "nothing is read after a fault")
        var bytewise = OSCStreamReader()
        let results = (Array(beginning.utf8) + behind).flatMap { bytewise.readPackets(in: [$0]) }
        #expect(Self.onlyFault(results)?.contains(sentence) == true)
        #expect(Self.onlyFault(results)?.hasSuffix(".") == true)
    }

    /// The sentence of the fault that is the only result.
    private static func onlyFault(_ results: [Result<[UInt8], ExplainedError>]) -> String? {
        guard results.count == 1, case .failure(let fault) = results[0] else { return nil }
        return fault.sentence
    }

    @Test(arguments: [
        ([0xC0, 0x2F, 0xDB, 7], "Byte 7 follows a SLIP escape"),
        ([0xC0, 0x2F, 0xDB, 0xC0], "Byte 192 follows a SLIP escape"), ([0, 0, 0, 0], "announces 0 bytes"),
        ([0, 0, 0, 6], "announces 6 bytes"), ([0, 0, 0, 12], "announces 12 bytes"),
        ([0, 0xFF, 0xFF, 0xFC], "announces 16777212 bytes"),
        ([0xC0] + [UInt8](repeating: 1, count: 9), "A SLIP frame has more than 8 bytes."),
    ])
    func aFaultEndsTheStream(bytes: [UInt8], sentence: String) {
        var reader = OSCStreamReader(maximumPacketBytes: 8)
        #expect(Self.onlyFault(reader.readPackets(in: bytes))?.contains(sentence) == true)
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
