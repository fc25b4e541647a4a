import Basics
import Foundation
import Testing

@testable import Score

@Suite struct PieceNameTests {
    @Test func namesWithCommasColonsAndSemicolonsAreTaken() throws {
        let name = "Strauss; R., Don Juan: Don Juan"
        #expect(try PieceName(name).text == name)
        #expect(try PieceName(name).description == name)
    }

    @Test func whatNoPacketCouldCarryIsRefused() {
        #expect(throws: ExplainedError("The piece name is empty; write it as 'Composer, Piece: Movement'.")) {
            try PieceName("")
        }
        #expect(
            throws: ExplainedError(
                "The piece name has \(1_002) bytes; shorten it to \(PieceName.maximumByteCount) at most.")
        ) {
            try PieceName(String(repeating: "é", count: 501))
        }
        for text in ["a\nb", "a\u{7F}", "a\u{85}b", "a\u{2028}b"] {
            #expect(
                throws: ExplainedError(
                    "The piece name holds a line break or another control character; remove it.")
            ) { try PieceName(text) }
        }
        #expect(
            throws: ExplainedError(
                "The piece name starts with 'PUSH|', which phones would take for a message; rename the piece."
            )
        ) { try PieceName("PUSH|a") }
    }

    @Test func aStoredNameIsCheckedWhenItComesBack() throws {
        let name = try PieceName("A, B: C")
        #expect(try JSONDecoder().decode([PieceName].self, from: JSONEncoder().encode([name])) == [name])
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([PieceName].self, from: Data(#"[""]"#.utf8))
        }
    }
}
