import Testing

@testable import Score

@Suite struct StructureTests {
    private func section(_ label: String, _ start: Int) -> Structure.Section {
        Structure.Section(label: label, colour: .rgb(red: 0, green: 80, blue: 255), start: start)
    }

    @Test func aSectionLastsUntilTheNextBegins() throws {
        let structure = try Structure(sections: [section("A", 2), section("B", 10)], end: 20)
        let labels = [0, 1, 2, 9, 10, 19, 20, .max, .min].map { structure.section(at: $0)?.label }
        #expect(labels == [nil, nil, "A", "A", "B", "B", nil, nil, nil])
    }

    @Test func wrongSectionsAreRefusedByName() {
        #expect(throws: StructureFault.empty) { try Structure(sections: [], end: 1) }
        #expect(throws: StructureFault.notRising(label: "B", start: 2)) {
            try Structure(sections: [section("A", 2), section("B", 2)], end: 4)
        }
        #expect(throws: StructureFault.notRising(label: "A", start: -1)) {
            try Structure(sections: [section("A", -1)], end: 4)
        }
        #expect(throws: StructureFault.endsBeforeLastSection(end: 2, start: 2)) {
            try Structure(sections: [section("A", 2)], end: 2)
        }
    }
}
