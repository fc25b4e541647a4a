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
        #expect(throws: PieceStructureFault.empty) {
            try PieceStructure(sections: [], measureAfterLastSection: 1)
        }
        #expect(throws: PieceStructureFault.sectionsNotRising(label: "B", start: 2)) {
            try PieceStructure(sections: [section("A", 2), section("B", 2)], measureAfterLastSection: 4)
        }
        #expect(throws: PieceStructureFault.sectionsNotRising(label: "A", start: -1)) {
            try PieceStructure(sections: [section("A", -1)], measureAfterLastSection: 4)
        }
        #expect(throws: PieceStructureFault.endsBeforeLastSection(end: 2, start: 2)) {
            try PieceStructure(sections: [section("A", 2)], measureAfterLastSection: 2)
        }
    }
}
