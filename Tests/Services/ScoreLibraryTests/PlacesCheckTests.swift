import Rehearsal
import Testing

@testable import Hosting
@testable import ScoreLibrary

@Suite struct PlacesCheckTests {
    private let pages = [PageSize(width: 595, height: 842), PageSize(width: 595, height: 842)]

    private func place(
        _ first: Int, _ last: Int? = nil, page: Int = 0, movement: Int = 0, left: Double? = nil
    ) throws -> Rehearsal.MeasureBox {
        try Rehearsal.MeasureBox(
            movement: movement, page: page, first: first, last: last ?? first,
            box: left.map { try PageRectangle(left: $0, top: 0.1, right: $0 + 0.1, bottom: 0.2) })
    }

    private func check(_ places: [Rehearsal.MeasureBox], movements: Int = 1, rests: [MultiMeasureRest] = [])
        throws
        -> MarkedMeasuresCheck
    {
        MarkedMeasuresCheck(
            places, rests: rests, pages: pages,
            movements: try (0..<movements).map { try Movement(name: "\($0)") })
    }

    @Test func whatIsInOrderIsTakenWithoutAWord() throws {
        let found = try check([
            place(1, left: 0.1), place(2, left: 0.2), place(3, 10, page: 1, left: 0.1),
        ])
        #expect(found.errors.isEmpty && found.warnings.isEmpty)
    }

    @Test func everyFaultHasItsSentence() throws {
        let found = try check([
            place(4, left: 0.1), place(4, left: 0.2), place(2, left: 0.3), place(3, left: 0.32),
        ])
        #expect(found.errors.count == 3)
        #expect(found.errors[0].contains("measure 4 is marked twice"))
        #expect(found.errors[1].contains("measure 2 stands after measure 4"))
        #expect(found.errors[2].contains("cover each other"))
    }

    @Test func gapsAreRemarkedButTaken() throws {
        let found = try check([place(1, left: 0.1), place(3, left: 0.3)])
        #expect(found.errors.isEmpty && found.warnings.count == 1)
        #expect(found.warnings[0].contains("measure 2 is missing"))
        #expect(try check([]).warnings.count == 1)
    }

    @Test func numbersBeginAnewWithAMovementButMovementsStayInOrder() throws {
        let right = try check([place(1, left: 0.1), place(1, movement: 1, left: 0.2)], movements: 2)
        #expect(right.errors.isEmpty)
        let wrong = try check([place(1, movement: 1, left: 0.1), place(1, left: 0.2)], movements: 2)
        #expect(wrong.errors.count == 1 && wrong.errors[0].contains("put movements in order"))
    }

    @Test func impossibleNumbersAndFloodsAreRefusedQuickly() throws {
        #expect(try !check([place(Int.min, Int.max)]).errors.isEmpty)
        #expect(try !check([place(5, 1)]).errors.isEmpty)
        #expect(try !check([place(5, 1, page: .max)]).errors.isEmpty)
        #expect(try !check([place(5, movement: .max)]).errors.isEmpty)
        #expect(
            try !check([place(1)], rests: [MultiMeasureRest(movement: .max, first: 1, last: 2)]).errors
                .isEmpty)
        #expect(try !check([place(1)], rests: [MultiMeasureRest(first: 9, last: 2)]).errors.isEmpty)
        let heaped = try check((1...MarkedMeasuresCheck.mostMeasuresOnPage).map { try place($0, left: 0.1) })
        #expect(heaped.errors.count == MarkedMeasuresCheck.mostReportedSentences + 1)
        let many = try check((0..<40_000).map { try place($0, left: 0.1) })
        #expect(many.errors.count == 1 && many.errors[0].contains("40000"))
    }

    @Test func behindManyRemarksAFaultIsFoundAllTheSame() throws {
        var sparse = try (0..<300).map { number in
            let top = Double(number % 150) * 0.006
            return try Rehearsal.MeasureBox(
                page: number / 150, first: 2 * number, last: 2 * number,
                box: PageRectangle(left: 0, top: top, right: 0.1, bottom: top + 0.005))
        }
        #expect(try check(sparse).errors.isEmpty)
        #expect(try check(sparse).warnings.count == MarkedMeasuresCheck.mostReportedSentences + 1)
        sparse[299].first = 3
        sparse[299].last = 3
        #expect(try check(sparse).errors.count == 1)
    }
}
