import Basics
import ShowControl
import Testing

@Suite struct OSCCodecTests {
    /// The two examples of the specification, byte for byte.
    @Test func theSpecificationsExamplesAreReadAndWritten() throws {
        let frequency = OSCMessage("/oscillator/4/frequency", [.float(440)])
        let frequencyBytes: [UInt8] =
            Array("/oscillator/4/frequency\0".utf8) + Array(",f\0\0".utf8) + [0x43, 0xDC, 0, 0]
        #expect(frequencyBytes.count == 32)
        #expect(try frequency.encodedBytes() == frequencyBytes)
        #expect(try OSCPacket(bytes: frequencyBytes) == .message(frequency))

        let foo = OSCMessage(
            "/foo", [.int(1_000), .int(-1), .string("hello"), .float(1.234), .float(5.678)])
        let fooBytes: [UInt8] = [
            0x2F, 0x66, 0x6F, 0x6F, 0, 0, 0, 0, 0x2C, 0x69, 0x69, 0x73, 0x66, 0x66, 0, 0, 0, 0, 0x03, 0xE8,
            0xFF, 0xFF, 0xFF, 0xFF, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0, 0, 0, 0x3F, 0x9D, 0xF3, 0xB6, 0x40, 0xB5,
            0xB2, 0x2D,
        ]
        #expect(try foo.encodedBytes() == fooBytes)
        #expect(try OSCPacket(bytes: fooBytes) == .message(foo))
    }

    @Test func everyTypeComesBackAsItWas() throws {
        let message = OSCMessage(
            "/all",
            [
                .int(.min), .float(-0.0), .string(""), .string("abc"), .string("Tränenüberströmt"), .blob([]),
                .blob([1, 2, 3, 4, 5]), .yes, .no, .nothing, .impulse, .long(.max), .double(.pi),
                .timeTag(OSCTimeTag(seconds: 0x8000_0000, fraction: 7)),
            ])
        #expect(message.typeTags == ",ifsssbbTFNIhdt")
        #expect(try OSCPacket(bytes: try message.encodedBytes()) == .message(message))
    }

    @Test func aMessageWithoutTypeTagsHasNoArguments() throws {
        #expect(try OSCPacket(bytes: Array("/go\0".utf8)) == .message(OSCMessage("/go")))
        #expect(throws: ExplainedError("There is no type tag string (',…') at byte 4.")) {
            try OSCPacket(bytes: Array("/go\0".utf8) + [0, 0, 0, 1])
        }
    }

    @Test func bundlesKeepTheOrderOfTheirMessages() throws {
        let inner = OSCBundle(
            [.message(OSCMessage("/b")), .message(OSCMessage("/c"))], timeTag: .immediately)
        let outer = OSCPacket.bundle(
            OSCBundle(
                [.message(OSCMessage("/a")), .bundle(inner), .message(OSCMessage("/d"))],
                timeTag: OSCTimeTag(seconds: 4_000_000_000, fraction: 0)))
        let bytes = try outer.encodedBytes()
        #expect(bytes[..<16].elementsEqual(Array("#bundle\0".utf8) + [0xEE, 0x6B, 0x28, 0, 0, 0, 0, 0]))
        let read = try OSCPacket(bytes: bytes)
        #expect(read == outer)
        #expect(read.messages.map(\.address) == ["/a", "/b", "/c", "/d"])
        #expect(try OSCPacket(bytes: Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]).messages.isEmpty)
    }

    @Test func everyTruncationIsAFault() throws {
        let message = OSCMessage("/baton/x", [.string("text"), .blob([1, 2, 3]), .long(5), .int(1)])
        let bundle = OSCPacket.bundle(
            OSCBundle([.message(message), .bundle(OSCBundle([.message(message)]))]))
        let messageBytes = try message.encodedBytes()
        // The address alone is a whole message; "#bundle" with its time tag, and that with the first element,
        // are whole bundles.
        for (bytes, whole) in [
            (messageBytes, [12]), (try bundle.encodedBytes(), [16, 20 + messageBytes.count]),
        ] {
            for length in 0..<bytes.count {
                let cut = Array(bytes[..<length])
                if whole.contains(length) {
                    #expect(throws: Never.self) { try OSCPacket(bytes: cut) }
                } else {
                    #expect(throws: ExplainedError.self, "cut at \(length)") { try OSCPacket(bytes: cut) }
                }
            }
        }
    }

    @Test(
        arguments: [
            ([], ExplainedError("The packet is empty.")),
            (
                Array("/go".utf8),
                ExplainedError(
                    "The packet has 3 bytes; the length of an OSC packet is a multiple of four.")
            ),
            (
                Array("go\0\0".utf8),
                ExplainedError(
                    "The packet starts neither with '/' nor with '#bundle'; is the sender set to OSC 1.0?")
            ),
            (
                Array("#bundl\0\0\0\0\0\0\0\0\0\0".utf8),
                ExplainedError(
                    "The packet starts neither with '/' nor with '#bundle'; is the sender set to OSC 1.0?")
            ),
            (Array("#bundle\0".utf8), OSCFault.endsTooEarly(at: 8, missing: 8)),
            (Array("/abc".utf8), ExplainedError("The text at byte 0 has no zero at its end.")),
            (Array("/a\0x".utf8), ExplainedError("Byte 3 is padding and must be zero.")),
            ([0x2F, 0xFF, 0, 0], ExplainedError("The text at byte 0 is not UTF-8.")),
            (
                Array("/a b\0\0\0\0".utf8),
                ExplainedError(
                    "Byte 2 of the address is a space or a special character; arguments do not belong "
                        + "there.")
            ),
            (Array("/a\0\0,i\0\0".utf8), OSCFault.endsTooEarly(at: 8, missing: 4)),
            (Array("/a\0\0,[]\0".utf8), OSCFault.unknownTypeTag(tag: 0x5B, at: 5)),
            (
                Array("/a\0\0,\0\0\0abcd".utf8),
                ExplainedError(
                    "4 bytes are left over after the last argument, at byte 8.")
            ),
            (
                Array("/a\0\0,b\0\0".utf8) + [0xFF, 0xFF, 0xFF, 0xFF],
                ExplainedError(
                    "The blob at byte 8 cannot have -1 bytes.")
            ),
            (
                Array("/a\0\0,b\0\0".utf8) + [0x7F, 0xFF, 0xFF, 0xFF],
                OSCFault.endsTooEarly(at: 12, missing: 0x7FFF_FFFF)
            ),
            (
                Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
                ExplainedError("The bundle element at byte 16 cannot have 0 bytes.")
            ),
            (
                Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3],
                ExplainedError("The bundle element at byte 16 cannot have 3 bytes.")
            ),
            (
                Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0x80, 0, 0, 0],
                ExplainedError("The bundle element at byte 16 cannot have \(Int32.min) bytes.")
            ),
            (
                Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 8],
                OSCFault.endsTooEarly(at: 20, missing: 8)
            ),
        ] as [([UInt8], ExplainedError)])
    func whatIsMalformedIsNamed(bytes: [UInt8], fault: ExplainedError) {
        #expect(throws: fault) { try OSCPacket(bytes: bytes) }
        #expect(fault.sentence.hasSuffix(".") || fault.sentence.hasSuffix("?"))
    }

    @Test func theLimitsHold() throws {
        var limits = OSCLimits()
        let long = OSCMessage("/a", [.blob([UInt8](repeating: 1, count: 8_176))])
        let most = try long.encodedBytes()
        #expect(most.count == 8_188)
        #expect(try OSCPacket(bytes: most).messages.count == 1)
        #expect(
            throws: ExplainedError(
                "The packet has \(8_196) bytes; at most \(8_192) are read. Send fewer messages in one packet."
            )
        ) {
            try OSCPacket(bytes: [UInt8](repeating: 0x2F, count: 8_196))
        }
        func nested(_ depth: Int) -> OSCPacket {
            (0..<depth).reduce(OSCPacket.message(OSCMessage("/a"))) { inside, _ in
                .bundle(OSCBundle([inside]))
            }
        }
        let eight = try nested(8).encodedBytes()
        #expect(try OSCPacket(bytes: eight) == nested(8))
        #expect(throws: ExplainedError("Bundles are nested more than 8 deep.")) {
            try nested(9).encodedBytes()
        }
        limits.nesting = 9
        let nine = try nested(9).encodedBytes(limits: limits)
        #expect(throws: ExplainedError("Bundles are nested more than 8 deep.")) {
            try OSCPacket(bytes: nine)
        }

        let many = OSCPacket.bundle(OSCBundle([OSCPacket](repeating: .message(OSCMessage("/a")), count: 257)))
        limits.elements = 300
        let tooMany = try many.encodedBytes(limits: limits)
        #expect(throws: ExplainedError("The packet has more than 256 messages and bundles.")) {
            try OSCPacket(bytes: tooMany)
        }
        limits.arguments = 300
        let wide = try OSCMessage("/a", [OSCArgument](repeating: .yes, count: 257)).encodedBytes(
            limits: limits)
        #expect(throws: ExplainedError("A message has more than 256 arguments.")) {
            try OSCPacket(bytes: wide)
        }
    }

    @Test func whatTheFormatCannotSayIsNotWritten() {
        #expect(throws: ExplainedError("The address 'go' does not start with '/'.")) {
            try OSCMessage("go").encodedBytes()
        }
        #expect(
            throws: ExplainedError(
                "Byte 2 of the address is a space or a special character; arguments do not belong there.")
        ) { try OSCMessage("/a b").encodedBytes() }
        #expect(throws: ExplainedError("The text '\("a\0b".filter { $0 != "\0" })' has a zero byte inside."))
        {
            try OSCMessage("/a", [.string("a\0b")]).encodedBytes()
        }
    }

    /// Random bytes, and good packets with a few bytes changed: never a trap, and what is read writes back
    /// as it was.
    @Test func aQuarterOfAMillionStrangePacketsAreReadOrRefused() throws {
        var numbers = SeededRandomGenerator(seed: 20_260_101)
        let seeds: [[UInt8]] = [
            try OSCMessage("/baton/command/goto", [.string("57/2"), .int(1), .blob([1, 2, 3])])
                .encodedBytes(),
            try OSCPacket.bundle(
                OSCBundle([
                    .message(OSCMessage("/a", [.float(1), .double(2), .long(3), .yes])),
                    .bundle(OSCBundle([.message(OSCMessage("/b", [.timeTag(.immediately)]))])),
                ])
            ).encodedBytes(),
        ]
        let alphabet = Array("/#,ifsbTFNIhdt[]{}bundle\0\0\0\0".utf8) + [0xFF, 0x80, 0x7F]
        var read = 0
        for index in 0..<250_000 {
            var bytes: [UInt8]
            switch index % 3 {
            case 0:
                bytes = (0..<Int.random(in: 0...16, using: &numbers) * 4).map { _ in
                    UInt8.random(in: 0...255, using: &numbers)
                }
            case 1:
                bytes = (0..<Int.random(in: 0...12, using: &numbers) * 4).map { _ in
                    alphabet.randomElement(using: &numbers)!
                }
                if !bytes.isEmpty { bytes[0] = index % 2 == 0 ? 0x2F : 0x23 }
            default:
                bytes = seeds.randomElement(using: &numbers)!
                for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                    bytes[Int.random(in: 0..<bytes.count, using: &numbers)] =
                        UInt8.random(in: 0...255, using: &numbers)
                }
                if index % 7 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &numbers)) }
            }
            do throws(ExplainedError) {
                let packet = try OSCPacket(bytes: bytes)
                read += 1
                guard case .message(let message) = packet else {
                    #expect(try packet.encodedBytes().count >= bytes.count)
                    continue
                }
                // The one thing that is not written as it was read: type tags that were left out.
                if !message.arguments.isEmpty { #expect(try packet.encodedBytes() == bytes) }
            } catch {
                #expect(!error.sentence.isEmpty)
            }
        }
        #expect(read > 5_000)
    }
}
