import Basics
import Testing

@testable import MIDILinks

/// The bytes of MIDI, read wherever they are cut, and written as the specifications say.
@Suite struct MIDIStreamTests {
    private func messages(_ bytes: [UInt8]) -> [[UInt8]] {
        var decoder = MIDIStreamDecoder()
        return bytes.compactMap { decoder.append($0) }
    }

    /// Running status, real-time bytes in between, show control, a message that is broken off.
    private static let stream: [UInt8] = [
        0x90, 60, 100, 61, 0xF8, 0, 0xF0, 0x7F, 0x7F, 0xFE, 2, 1, 1, 0x31, 0xF7, 62, 1, 0xC3, 5, 6, 0xB0, 7,
        0x80, 1, 2, 0xF1, 0x21, 0xF0, 1, 2, 0xB1, 20, 127,
    ]

    @Test func runningStatusAndBytesInBetweenGiveWholeMessages() {
        #expect(
            messages(Self.stream) == [
                [0x90, 60, 100], [0x90, 61, 0], [0xF0, 0x7F, 0x7F, 2, 1, 1, 0x31, 0xF7], [0xC3, 5],
                [0xC3, 6],
                [0x80, 1, 2], [0xF1, 0x21], [0xB1, 20, 127],
            ])
    }

    /// Whatever was lost before a status, the messages after it are read.
    @Test func aStreamThatBeginsAnywhereIsReadFromTheNextStatus() {
        let whole = messages(Self.stream)
        for start in Self.stream.indices {
            let read = messages(Array(Self.stream[start...]))
            let tail = Array(whole.suffix(read.count))
            // Data whose status is lost belong to none; a status cut from its data takes up no other's.
            #expect(read == tail || read.dropFirst() == tail.dropFirst(), "from byte \(start)")
        }
    }

    @Test func anyBytesGiveOnlyMessagesOfTheRightLength() {
        var random = SeededRandomGenerator(seed: 47)
        for _ in 0..<200 {
            let bytes = (0..<2_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            for message in messages(bytes) {
                #expect(message[0] >= 0x80 && message.count <= MIDIStreamDecoder.longestMessage + 1)
                #expect(message.dropFirst().dropLast().allSatisfy { $0 < 0x80 })
                if let read = MIDIMessage(bytes: message) {
                    #expect(MIDIMessage(bytes: read.bytes) == read)
                }
            }
        }
    }

    @Test func aSystemMessageWithoutEndIsDroppedAndTheNextIsRead() {
        let long = [0xF0] + [UInt8](repeating: 1, count: 10_000) + [0xF7, 0x90, 1, 2]
        #expect(messages(long) == [[0x90, 1, 2]])
    }

    /// The strings of the manuals of Eos (GO cue 1 of list 1 at device 1) and MagicQ (GO 1, GO 20, STOP 1, GO of list
    /// 10, GO 2 of list 10), and of the library midi-show-control (a cue with list and path); the others as the specification (MMA RP-002) builds them.
    @Test(arguments: [
        ("msc-go device=1 cue=1 list=1", "F0 7F 01 02 01 01 31 00 31 F7"),
        ("msc-go cue=1", "F0 7F 7F 02 01 01 31 F7"), ("msc-go cue=20", "F0 7F 7F 02 01 01 32 30 F7"),
        ("msc-stop cue=1", "F0 7F 7F 02 01 02 31 F7"), ("msc-go list=10", "F0 7F 7F 02 01 01 00 31 30 F7"),
        ("msc-go cue=2 list=10", "F0 7F 7F 02 01 01 32 00 31 30 F7"), ("msc-go", "F0 7F 7F 02 01 01 F7"),
        (
            "msc-go class=sound device=1 cue=25.5 list=3.1 path=1.9",
            "F0 7F 01 02 10 01 32 35 2E 35 00 33 2E 31 00 31 2E 39 F7"
        ),
        ("msc-resume class=sound device=111", "F0 7F 6F 02 10 03 F7"),
        ("msc-go-off class=video cue=12.5 list=3 path=4", "F0 7F 7F 02 30 0B 31 32 2E 35 00 33 00 34 F7"),
        ("msc-stop class=all", "F0 7F 7F 02 7F 02 F7"), ("note number=60", "90 3C 64"),
        ("note number=0 velocity=0 channel=16", "9F 00 00"), ("program number=127 channel=2", "C1 7F"),
        ("controller number=7 value=0", "B0 07 00"),
    ]) func aMessageInWordsIsSentAsTheSpecificationSaysAndReadBack(text: String, hex: String) throws {
        let message = try MIDIText(text).message
        #expect(
            message.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
                == hex.split(
                    separator: " "
                ).map(String.init))
        #expect(MIDIMessage(bytes: messages(message.bytes).first ?? []) == message)
        #expect(try MIDIText(text).matches(message))
    }

    @Test(arguments: [
        "", "go", "msc-go cue", "msc-go cue=", "msc-go cue=1a", "msc-go cue=1 cue=2", "msc-go device=112",
        "msc-go path=1", "msc-go class=smoke", "note", "note number=128", "note number=-1",
        "note number=1 value=1",
        "note number=1 channel=0", "program number=1 channel=17",
        "msc-go cue=123456789012345678901234567890123",
    ]) func wordsThatAreNoMessageAreRefusedWithASentence(text: String) {
        let error = #expect(throws: ExplainedError.self) { _ = try MIDIText(text) }
        #expect(error?.sentence.hasSuffix(".") == true)
    }

    @Test func aPatternLeavesOutWhatMayBeAnything() throws {
        let go = MIDIMessage.showControl(MIDIShowControl(.go, deviceClass: .sound, device: 5, cue: "7"))
        let toAll = MIDIMessage.showControl(MIDIShowControl(.go, deviceClass: .all, cue: "7"))
        for (pattern, isMatch) in [
            ("msc-go", true), ("msc-go device=5", true), ("msc-go device=6", false), ("msc-go cue=7", true),
            ("msc-go cue=8", false), ("msc-stop", false), ("msc-go class=lighting", false),
        ] {
            #expect(try MIDIText(pattern).matches(go) == isMatch, "\(pattern)")
        }
        #expect(try MIDIText("msc-go device=6 class=lighting").matches(toAll))
    }
}
