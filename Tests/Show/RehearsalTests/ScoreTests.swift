import Basics
import Podium
import Rehearsal
import Score
import Testing

@Suite struct ScoreTests {
    private let page = PageSize(width: 100, height: 200)

    private func part(_ places: [MeasureBox], pages: Int = 3) throws -> Part {
        try Part(name: "Horn", pages: Array(repeating: page, count: pages), places: places)
    }

    @Test func measureNumbersRiseAndNoneComesTwice() throws {
        #expect(throws: RehearsalFault.measuresOverlap(part: "Horn", page: 1, measure: 10, before: 10)) {
            try part([MeasureBox(page: 0, first: 1, last: 10), MeasureBox(page: 1, first: 10, last: 12)])
        }
        #expect(throws: RehearsalFault.self) {
            try part([MeasureBox(page: 1, first: 1, last: 10), MeasureBox(page: 0, first: 11, last: 12)])
        }
        #expect(throws: RehearsalFault.self) { try part([MeasureBox(page: 0, first: 5, last: 4)]) }
        #expect(throws: RehearsalFault.self) { try part([MeasureBox(page: 3, first: 5, last: 6)]) }
        #expect(throws: RehearsalFault.self) { try part([MeasureBox(page: 0, first: .min, last: .max)]) }
        #expect(throws: RehearsalFault.self) { try part([], pages: 0) }
        #expect(throws: RehearsalFault.self) {
            try Part(name: "Horn", pages: [PageSize(width: .nan, height: 1)])
        }
    }

    @Test func rehearsalMarksAreKeptInTheirOrderOnceAndBounded() throws {
        let (a, b) = (try RehearsalMark(label: "A", measure: 17), try RehearsalMark(label: " B ", measure: 9))
        let movement = try Movement(name: "", marks: [a, b, a])
        #expect(movement.marks.map(\.label) == ["B", "A"])
        #expect(throws: RehearsalFault.self) { try RehearsalMark(label: "", measure: 1) }
        #expect(throws: RehearsalFault.self) { try RehearsalMark(label: "A\nB", measure: 1) }
        #expect(throws: RehearsalFault.self) {
            try RehearsalMark(label: String(repeating: "A", count: 33), measure: 1)
        }
        #expect(throws: RehearsalFault.self) { try RehearsalMark(label: "A", measure: .max) }
        let many = try (0...RehearsalMark.mostOfMovement).map { try RehearsalMark(label: "A", measure: $0) }
        #expect(throws: RehearsalFault.self) { try Movement(name: "", marks: many) }
    }

    @Test func gapsAreNamed() throws {
        let horn = try part([
            MeasureBox(page: 0, first: 1, last: 10), MeasureBox(page: 1, first: 13, last: 20),
            MeasureBox(page: 2, first: 21, last: 30),
        ])
        #expect(horn.unplacedMeasures == [.measuresMissing(part: "Horn", page: 1, from: 11, to: 12)])
        #expect(try symphony().parts.allSatisfy(\.unplacedMeasures.isEmpty))
    }

    @Test func aFingerMeansTheMeasureItHitsOrTheNearest() throws {
        let full = try symphony().parts[0]
        #expect(full.findMeasureBox(atPage: 1, x: 0.5, y: 0.2)?.first == 13)
        #expect(full.findMeasureBox(atPage: 1, x: 0.5, y: 0.55)?.first == 18)
        #expect(full.findMeasureBox(atPage: 1, x: 1, y: 0.1)?.first == 15)
        #expect(full.findMeasureBox(atPage: 9, x: 0.5, y: 0.5) == nil)
    }

    @Test func aPinpointIsShownInEveryPartOnItsOwnPage() throws {
        let score = try symphony()
        let tap = PagePoint(nearX: 0.3, nearY: 0.7)
        let pinpoint = try #require(Pinpoint(tapped: tap, page: 2, part: 0, of: score))
        #expect(pinpoint.measure == 27)
        #expect(pinpoint.podiumCommand == .beginMeasureNow(.printedMeasure(27, time: nil)))
        let here = try #require(pinpoint.place(inPart: 0, of: score))
        #expect((here.page, here.point) == (2, tap))
        #expect(here.box?.contains(x: 0.3, y: 0.7) == true)
        let viola = try #require(pinpoint.place(inPart: 1, of: score))
        #expect((viola.page, viola.box, viola.point) == (1, nil, nil))
        #expect(pinpoint.place(inPart: 2, of: score) == nil)
    }

    @Test func aPartWithoutBoxesPinpointsItsPage() throws {
        let score = try symphony()
        let pinpoint = try #require(
            Pinpoint(tapped: PagePoint(nearX: 0.3, nearY: 0.7), page: 1, part: 1, of: score))
        #expect(pinpoint.measure == nil)
        #expect(pinpoint.podiumCommand == nil)
        #expect(pinpoint.place(inPart: 0, of: score)?.page == 2)
        #expect(Pinpoint(tapped: PagePoint(nearX: 0, nearY: 0), page: 2, part: 1, of: score) == nil)
    }

    @Test func aTurnMeansTheSameMusicInEveryPart() throws {
        let score = try symphony()
        #expect((0..<4).map { PageTurnForAll(part: 0, page: $0).page(inPart: 1, of: score) } == [0, 0, 1, 1])
        #expect((0..<2).map { PageTurnForAll(part: 1, page: $0).page(inPart: 0, of: score) } == [0, 2])
        #expect(PageTurnForAll(part: 0, page: 3).page(inPart: 0, of: score) == 3)
        #expect(PageTurnForAll(part: 7, page: 3).page(inPart: 0, of: score) == nil)
    }

    @Test func aWrittenOutRepeatHasAPlaceOfItsOwn() throws {
        let horn = try part([
            MeasureBox(page: 0, first: 1, last: 8),
            MeasureBox(page: 1, first: 1, last: 8, steps: 8...15),
            MeasureBox(page: 2, first: 9, last: 12),
        ])
        #expect(horn.findMeasureBox(of: 3)?.page == 0)
        #expect(horn.findMeasureBox(of: 3, step: 2)?.page == 0)
        #expect(horn.findMeasureBox(of: 3, step: 10)?.page == 1)
    }

    @Test func repeatsMakeAPerformance() throws {
        let whole = try PerformedPassages(passages: [1...40])
        #expect(try whole.repeating(5...8).passages == [1...8, 5...40])
        #expect(throws: RehearsalFault.self) { try whole.repeating(30...50) }
        #expect(throws: RehearsalFault.self) { try PerformedPassages(passages: [0...Int.max]) }
        #expect(throws: RehearsalFault.self) { try PerformedPassages(passages: [Int.min...Int.max]) }
        #expect(PerformedPassages(of: try measures([1, 2, 3, 1, 2, 3, 4])).passages == [1...3, 1...4])
        #expect(try back(json(whole), as: PerformedPassages.self) == whole)
    }

    @Test func aScoreReadsBackAndIsChecked() throws {
        let score = try symphony()
        #expect(try back(json(score), as: Score.self) == score)
        #expect(score.pageCountsByPart == [4, 2])
        #expect(throws: RehearsalFault.self) {
            try Score(id: id(1), title: " ", movements: score.movements, parts: score.parts)
        }
        #expect(throws: RehearsalFault.self) {
            try Score(id: id(1), title: "x", movements: [], parts: score.parts)
        }
        let astray = try part([MeasureBox(movement: 1, page: 0, first: 1, last: 2)])
        #expect(throws: RehearsalFault.noSuchMovement(part: "Horn", movement: 1, movements: 1)) {
            try Score(id: id(1), title: "x", movements: score.movements, parts: [astray])
        }
    }
}
