import Basics
import Foundation
import Score
import Testing

@testable import ScorePages

@Suite struct PageLayoutTests {
    private let paper = PaperSize(width: 600, height: 800)

    /// Four measures to a page, in two systems.
    private func layout(_ count: Int, first: Int = 1) -> PageLayout {
        let proposals = (0..<(count + 3) / 4).map { page in
            (0..<min(4, count - 4 * page)).map { place in
                DetectedMeasure(
                    system: place / 2,
                    box: PageBox(
                        x: 0.1 + 0.4 * Double(place % 2), y: 0.1 + 0.4 * Double(place / 2), width: 0.4,
                        height: 0.3), confidence: 1)
            }
        }
        return PageLayout(
            pageSizes: Array(repeating: paper, count: proposals.count), proposals: proposals,
            firstPrinted: first)
    }

    @Test func proposalsAreNumberedThrough() {
        let numbered = layout(10, first: 0)
        #expect(numbered.measures.map(\.printed) == Array(0..<10))
        #expect(numbered.measures[9].page == 2)
        #expect(numbered.numberingFaults().isEmpty)
    }

    @Test func aMeasureWithinALongRestIsFound() {
        let rest = PageLayout(
            pageSizes: [paper],
            measures: [
                MeasureBox(index: 0, printed: 1, page: 0, system: 0, box: .wholePage),
                MeasureBox(index: 1, count: 30, printed: 2, page: 0, system: 0, box: .wholePage),
                MeasureBox(index: 31, printed: 32, page: 0, system: 0, box: .wholePage),
            ])
        #expect(rest.measureBox(of: 17)?.index == 1)
        #expect(rest.measureBox(of: 31)?.index == 31)
        #expect(rest.measureBox(of: 32) == nil && rest.measureBox(of: -1) == nil)
    }

    @Test func aRepeatIsPlayedTwiceOnOnePlace() throws {
        let printed = [1, 2, 1, 2, 3, 4]
        let map = try MeasureMap(
            marks: printed.enumerated().map {
                PlayedMeasure(printed: $0.element, onset: ReferenceTime(seconds: Double($0.offset)))
            }, end: ReferenceTime(seconds: 6))
        let performed = layout(4).withPlayedMeasures(from: map)
        #expect(performed.measures.map(\.played) == [[0, 2], [1, 3], [4], [5]])
    }

    @Test func aMissingNumberIsNamed() {
        var broken = layout(8)
        broken.measures.remove(at: 4)
        #expect(broken.numberingFaults() == [.missingMeasures(page: 1, after: 4, next: 6)])
        #expect(broken.numberingFaults()[0].sentence.contains("measure 5 is missing"))
    }

    @Test func aRepeatedAndAFallingNumberAreNamed() {
        var broken = layout(4)
        broken.measures[1].printed = 1
        broken.measures[3].printed = 1
        #expect(
            broken.numberingFaults() == [
                .numberRepeated(page: 0, number: 1), .missingMeasures(page: 0, after: 1, next: 3),
                .numberFalls(page: 0, number: 1, after: 3),
            ])
    }

    @Test func framesThatCoverEachOtherOrLeaveThePageAreNamed() {
        var broken = layout(4)
        broken.measures[1].box = broken.measures[0].box
        broken.measures[2].box.x = 0.9
        broken.measures[3].box.width = -0.1
        #expect(
            broken.numberingFaults() == [
                .overlappingBoxes(page: 0, first: 1, second: 2), .boxOutsidePage(page: 0, number: 3),
                .boxOutsidePage(page: 0, number: 4),
            ])
    }

    @Test func aFrameThatIsNotANumberIsNamed() {
        var broken = layout(2)
        broken.measures[0].box.y = .nan
        #expect(broken.numberingFaults() == [.boxOutsidePage(page: 0, number: 1)])
    }

    @Test func firstAndLastMeasureOfEachPageAreEnough() {
        let extents = [
            PageMeasureRange(page: 1, first: 1, last: 20), PageMeasureRange(page: 2, first: 21, last: 52),
        ]
        let pages = PageLayout(pageSizes: [paper, paper, paper], extents: extents)
        #expect(pages.numberingFaults().isEmpty)
        #expect(pages.measureBox(of: 20)?.page == 2)
        #expect(pages.measureBox(of: 51)?.page == 2 && pages.measureBox(of: 52) == nil)
    }

    @Test func extentsWithGapsOverlapsOrFoolishNumbersAreNamed() {
        func faults(_ extents: [PageMeasureRange]) -> [MeasureNumberingFault] {
            PageLayout(pageSizes: [paper, paper], extents: extents).numberingFaults()
        }
        #expect(
            faults([
                PageMeasureRange(page: 0, first: 1, last: 10), PageMeasureRange(page: 1, first: 14, last: 20),
            ])
                == [.missingMeasures(page: 1, after: 10, next: 14)])
        #expect(
            faults([
                PageMeasureRange(page: 0, first: 1, last: 10), PageMeasureRange(page: 1, first: 10, last: 20),
            ])
                == [.numberRepeated(page: 1, number: 10)])
        #expect(
            faults([PageMeasureRange(page: 0, first: 9, last: 2)]) == [.lastBeforeFirst(page: 0, number: 9)])
        #expect(faults([]) == [.noMeasures])
        #expect(!faults([PageMeasureRange(page: 7, first: .min, last: .max)]).isEmpty)
        #expect(
            !faults([
                PageMeasureRange(page: 0, first: .max, last: .min),
                PageMeasureRange(page: 0, first: 0, last: 0),
            ])
            .isEmpty)
    }

    @Test func aLayoutSurvivesItsJSON() throws {
        let before = layout(7)
        #expect(try JSONDecoder().decode(PageLayout.self, from: JSONEncoder().encode(before)) == before)
    }
}
