import Basics
import Concert
import Score
import Testing

@Suite struct MeasurePacketTests {
    @Test(arguments: [
        ("Strauss, Don Juan: Don Juan", 35, 568, "Strauss, Don Juan: Don Juan; 35 : 568"),
        (
            "Higdon, Concerto for Orchestra: Mvt 3", 23, 1351,
            "Higdon, Concerto for Orchestra: Mvt 3; 23 : 1351"
        ),
    ])
    func theBytesAreThoseThePhonesKnow(piece: String, measure: Int, count: Int, line: String) throws {
        let sent = try packet(measure, count: UInt64(count), in: piece)
        #expect(text(sent.bytes) == line)
        #expect(try MeasurePacket(bytes: bytes(line)) == sent)
    }

    @Test(arguments: [
        "A; B : C", "; 1 : 2", "A;", "A; ", "A : ", " : ", "; ", ";", "A;; ;", "35 : 568", "Push|x",
        "Dvořák, Rusalka: Píseň", "Dvor\u{30C}ák", "A; 3\u{301} : 4", "武満徹, 弦楽: 1; 2", "e\u{301}; \u{308}",
    ])
    func aNameWithSeparatorsComesBackWhole(name: String) throws {
        let sent = try packet(0, count: .max, in: name)
        let heard = try MeasurePacket(bytes: sent.bytes)
        #expect(heard == sent)
        #expect(heard.bytes == sent.bytes)
        #expect(heard.piece.text.unicodeScalars.elementsEqual(name.unicodeScalars))
    }

    @Test func theLongestPacketFitsIntoADatagram() throws {
        let name = String(repeating: "é", count: PieceName.maximumByteCount / 2)
        let sent = try packet(LivePosition.sendableMeasureRange.upperBound, count: .max, in: name)
        #expect(sent.bytes.count == 1_035)
        #expect(try MeasurePacket(bytes: sent.bytes) == sent)
    }

    @Test(arguments: [
        ("", "The packet has no '; ' between a piece name and a measure."),
        ("Don Juan", "The packet has no '; ' between a piece name and a measure."),
        ("Don Juan;35 : 1", "The packet has no '; ' between a piece name and a measure."),
        ("Don Juan; 35", "The packet has no ' : ' between a measure and a count."),
        ("A : B; 35", "The packet has no ' : ' between a measure and a count."),
        ("Don Juan; 35: 1", "The packet has no ' : ' between a measure and a count."),
        ("Don Juan;  : 1", "The packet's measure is not a plain decimal number."),
        ("Don Juan; -1 : 1", "The packet's measure is not a plain decimal number."),
        ("Don Juan; +1 : 1", "The packet's measure is not a plain decimal number."),
        ("Don Juan; 035 : 1", "The packet's measure is not a plain decimal number."),
        ("Don Juan; ３ : 1", "The packet's measure is not a plain decimal number."),
        ("Don Juan; 99999999999999999999 : 1", "The packet's measure is not a plain decimal number."),
        ("Don Juan; 9223372036854775808 : 1", "The packet's measure is not a plain decimal number."),
        (
            "Don Juan; 2147483648 : 1",
            "Measure \(2_147_483_648) cannot be sent; give one from 0 to \(LivePosition.sendableMeasureRange.upperBound)."
        ),
        ("Don Juan; 35 : ", "The packet's count is not a plain decimal number."),
        ("Don Juan; 35 : 1 ", "The packet's count is not a plain decimal number."),
        ("Don Juan; 35 : 1\n", "The packet's count is not a plain decimal number."),
        ("Don Juan; 35 : 18446744073709551616", "The packet's count is not a plain decimal number."),
        ("; 35 : 1", "The piece name is empty; write it as 'Composer, Piece: Movement'."),
        ("Don\nJuan; 35 : 1", "The piece name holds a line break or another control character; remove it."),
        (
            "Don\u{1B}[2JJuan; 35 : 1",
            "The piece name holds a line break or another control character; remove it."
        ),
    ])
    func whatTheSenderWouldNotWriteIsRefused(line: String, sentence: String) {
        let error = #expect(throws: ExplainedError.self) { try BroadcastPacket(bytes: bytes(line)) }
        #expect(error?.sentence == sentence)
    }

    @Test func textThatIsNotUTF8IsRefused() {
        #expect(throws: ExplainedError("The packet is not UTF-8 text.")) {
            try MeasurePacket(bytes: [0xC3, 0x28] + bytes("; 1 : 2"))
        }
    }

    @Test func measuresNoPhoneCanKeepAreRefused() {
        #expect(
            throws: ExplainedError(
                "Measure -1 cannot be sent; give one from 0 to "
                    + "\(LivePosition.sendableMeasureRange.upperBound).")
        ) { try place(-1) }
        #expect(
            throws: ExplainedError(
                "Measure \(Int.max) cannot be sent; give one from 0 to "
                    + "\(LivePosition.sendableMeasureRange.upperBound).")
        ) { try place(.max) }
    }

    @Test(arguments: [
        ("", "The piece name is empty; write it as 'Composer, Piece: Movement'."),
        ("a\u{2028}b", "The piece name holds a line break or another control character; remove it."),
        ("a\r\nb", "The piece name holds a line break or another control character; remove it."),
        ("a\u{85}b", "The piece name holds a line break or another control character; remove it."),
        (
            "PUSH|a|b|AUTO||",
            "The piece name starts with 'PUSH|', which phones would take for a message; rename the piece."
        ),
        (
            "PUSH|\u{301}a",
            "The piece name starts with 'PUSH|', which phones would take for a message; rename the piece."
        ),
    ])
    func aNameThatWouldNotComeBackIsRefused(name: String, sentence: String) {
        let error = #expect(throws: ExplainedError.self) { try PieceName(name) }
        #expect(error?.sentence == sentence)
        #expect(sentence.hasSuffix("."))
    }
}
