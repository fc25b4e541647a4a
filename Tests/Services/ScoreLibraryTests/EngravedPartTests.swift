import Rehearsal
import Repository
import Testing

@testable import Hosting
@testable import ScoreLibrary
@testable import ScorePages

@Suite struct EngravedPartTests {
    private let paper = [PaperSize(width: 2_100, height: 2_970), PaperSize(width: 2_100, height: 2_970)]

    private func place(
        _ index: Int, printed: Int, count: Int = 1, played: [Int] = [], page: Int = 0, left: Double = 0.1
    ) -> ScorePages.MeasureBox {
        ScorePages.MeasureBox(
            index: index, count: count, printed: printed, played: played, page: page, system: 0,
            box: PageBox(x: left, y: 0.1, width: 0.2, height: 0.1))
    }

    @Test func numbersBoxesPagesAndRestsAreKept() throws {
        let layout = PageLayout(
            pageSizes: paper,
            measures: [
                place(0, printed: 0), place(1, printed: 1, left: 0.3),
                place(2, printed: 2, count: 4, page: 1),
            ])
        let part = try EngravedPartConversion.makePart(
            named: "Viola", layout, printed: [0, 1, 2, 3, 4, 5], rests: [2...5])
        #expect(part.name == "Viola" && part.pages.count == 2)
        #expect(part.places.map(\.first) == [0, 1, 2] && part.places.map(\.last) == [0, 1, 5])
        #expect(part.places.map(\.page) == [0, 0, 1])
        #expect(part.places[1].box == (try PageRectangle(left: 0.3, top: 0.1, right: 0.5, bottom: 0.2)))
        #expect(part.rests == [MultiMeasureRest(first: 2, last: 5)])
    }

    @Test func aSecondEndingOfTheSameNumberHasThePlaceForItsOwnStep() throws {
        let layout = PageLayout(
            pageSizes: paper,
            measures: [
                place(0, printed: 1, played: [0, 2]), place(1, printed: 2, played: [1]),
                place(2, printed: 2, played: [3], left: 0.5),
            ])
        let part = try EngravedPartConversion.makePart(named: "Flute", layout, printed: [1, 2, 2])
        #expect(part.findMeasureBox(of: 2, step: 1)?.box?.left == 0.1)
        #expect(part.findMeasureBox(of: 2, step: 3)?.box?.left == 0.5)
    }

    @Test func rehearsalMarksStandAtPrintedMeasuresAndImpossibleOnesAreLeftOut() {
        let engraved = EngravedScore(
            partNames: [], pageLayout: PageLayout(pageSizes: [], measures: []), pages: [],
            printedMeasureNumbers: [0, 1, 2], playedOrder: [], silentMeasureRanges: [],
            rehearsalMarks: [
                EngravedMark(writtenMeasure: 2, label: "A"), EngravedMark(writtenMeasure: 1, label: ""),
                EngravedMark(writtenMeasure: 9, label: "B"),
            ])
        let marks = EngravedPartConversion.marks(of: engraved)
        #expect(marks.map(\.label) == ["A"] && marks.map(\.measure) == [2])
    }

    @Test func aFrameThatLeavesThePageIsCutToIt() {
        #expect(PageRectangle(near: PageBox(x: -0.1, y: 0.5, width: 0.4, height: 0.9))?.left == 0)
        #expect(PageRectangle(near: PageBox(x: -0.1, y: 0.5, width: 0.4, height: 0.9))?.bottom == 1)
        #expect(PageRectangle(near: PageBox(x: .nan, y: 0, width: 0.1, height: .infinity)) == nil)
        #expect(PageRectangle(near: PageBox(x: 1.2, y: 0.5, width: 0.4, height: 0.1)) == nil)
    }

    @Test(arguments: Repository.concert)
    func theShippedScoresArePartsWithAPlaceForEveryMeasure(piece: String) throws {
        let engraved = try ScoreEngraver.readEngravedFolder(
            .init(fileURLWithPath: Repository.recordings.path + "/\(piece)/pages/score"))
        let part = try EngravedPartConversion.makePart(
            named: "Score", engraved.pageLayout, printed: engraved.printedMeasureNumbers,
            rests: engraved.silentMeasureRanges)
        #expect(part.unplacedMeasures.isEmpty)
        for number in engraved.printedMeasureNumbers { #expect(part.findMeasureBox(of: number)?.box != nil) }
        let check = MarkedMeasuresCheck(
            part.places, rests: part.rests, pages: part.pages, movements: [try Movement(name: "")])
        #expect(check.errors == [] && check.warnings == [])
    }
}
