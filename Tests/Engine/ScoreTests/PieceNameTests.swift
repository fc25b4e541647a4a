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
        #expect(throws: PieceNameFault.empty) { try PieceName("") }
        #expect(throws: PieceNameFault.tooLong(bytes: 1_002)) {
            try PieceName(String(repeating: "é", count: 501))
        }
        for text in ["a\nb", "a\u{7F}", "a\u{85}b", "a\u{2028}b"] {
            #expect(throws: PieceNameFault.controlCharacter) { try PieceName(text) }
        }
        #expect(throws: PieceNameFault.looksLikeAPushMessage) { try PieceName("PUSH|a") }
    }

    @Test func aStoredNameIsCheckedWhenItComesBack() throws {
        let name = try PieceName("A, B: C")
        #expect(try JSONDecoder().decode([PieceName].self, from: JSONEncoder().encode([name])) == [name])
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([PieceName].self, from: Data(#"[""]"#.utf8))
        }
    }
}
