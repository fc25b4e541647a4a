import Basics
import Testing

@testable import Score

@Suite struct StructureTests {
    private func section(_ label: String, _ start: Int) -> PieceStructure.Section {
        PieceStructure.Section(
            label: label, colour: .rgb(red: 0, green: 80, blue: 255), firstPlayedMeasure: start)
    }

    @Test func aSectionLastsUntilTheNextBegins() throws {
        let structure = try PieceStructure(
            sections: [section("A", 2), section("B", 10)], measureAfterLastSection: 20)
        let labels = [0, 1, 2, 9, 10, 19, 20, .max, .min].map { structure.section(at: $0)?.label }
        #expect(labels == [nil, nil, "A", "A", "B", "B", nil, nil, nil])
    }

    @Test func wrongSectionsAreRefusedByName() {
        #expect(
            throws: ExplainedError("There is no section; give at least one, and where the last one ends.")
        ) {
            try PieceStructure(sections: [], measureAfterLastSection: 1)
        }
        #expect(
            throws: ExplainedError(
                "The section “B” starts at played measure 2, not after the one before it; put the "
                    + "sections in the order in which they are played.")
        ) {
            try PieceStructure(sections: [section("A", 2), section("B", 2)], measureAfterLastSection: 4)
        }
        #expect(
            throws: ExplainedError(
                "The section “A” starts at played measure \(-1), not after the one before it; put the "
                    + "sections in the order in which they are played.")
        ) {
            try PieceStructure(sections: [section("A", -1)], measureAfterLastSection: 4)
        }
        #expect(
            throws: ExplainedError(
                "The structure ends at played measure 2, but its last section starts at 2; correct "
                    + "the end.")
        ) {
            try PieceStructure(sections: [section("A", 2)], measureAfterLastSection: 2)
        }
    }
}
