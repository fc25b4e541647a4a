import Rehearsal
import ScorePages
import Testing

@testable import Hosting
@testable import ScoreLibrary

@Suite struct RemarkMarksTests {
    private let paper = PageForm(size: PageSize(width: 200, height: 400))

    private func remark(_ shape: RemarkShape, width: Int = 400) throws -> Rehearsal.Remark {
        Rehearsal.Remark(
            id: .new(), layer: .new(), author: .new(), part: 0, page: 0,
            anchor: try Rehearsal.PagePoint(x: 2_000, y: 5_000), shape: shape,
            ink: try Ink(colour: "#ff8000", width: width))
    }

    @Test func strokesKeepTheirCourseColourAndWidth() throws {
        let stroke = try Stroke(coordinates: [0, 0, 1_000, -2_000])
        let points = [ScorePages.PagePoint(x: 0.2, y: 0.5), ScorePages.PagePoint(x: 0.3, y: 0.3)]
        guard
            case .penStroke(let course, let thickness, let colour) = RemarkAnnotations.annotation(
                try remark(.line(stroke)), on: paper)
        else { Issue.record("a line is no line"); return }
        for (found, wanted) in zip(course, points) {
            #expect(abs(found.x - wanted.x) < 1e-9 && abs(found.y - wanted.y) < 1e-9)
        }
        // 4 hundredths of the width are 2 hundredths of the height of a page twice as high.
        #expect(course.count == 2 && abs(thickness - 0.02) < 1e-9)
        #expect(colour == AnnotationColour(red: 1, green: 128.0 / 255, blue: 0))
        guard
            case .highlighterStroke(let broad, _, _) = RemarkAnnotations.annotation(
                try remark(.highlight(stroke)), on: paper)
        else { Issue.record("a highlight is no marker"); return }
        #expect(broad == course)
    }

    @Test func aLineOfTextIsAsHighAsItsInk() throws {
        let mark = RemarkAnnotations.annotation(try remark(.text(RemarkText("Dolce\n\nespr."))), on: paper)
        guard case .text(let text, let place, let height, _) = mark else { Issue.record("no text"); return }
        #expect(text == "Dolce\n\nespr." && place == ScorePages.PagePoint(x: 0.2, y: 0.5))
        #expect(abs(height * 1.2 - 0.02) < 1e-9)
    }

    @Test func everyStampIsPrintedAsItself() throws {
        let printed = try Rehearsal.MusicalStamp.allCases.map { stamp -> ScorePages.AnnotationStamp? in
            guard
                case .stamp(let shown, _, let height, _) = RemarkAnnotations.annotation(
                    try remark(.stamp(stamp)), on: paper)
            else { return nil }
            #expect(abs(height - 0.02) < 1e-9)
            return shown
        }
        #expect(!printed.contains(nil) && Set(printed).count == Rehearsal.MusicalStamp.allCases.count)
    }

    @Test func highlightsLieBelowEverythingElseAndTheOrderIsKept() throws {
        let stroke = try Stroke(coordinates: [0, 0])
        let remarks = try [
            remark(.stamp(.forte)), remark(.highlight(stroke)), remark(.stamp(.piano)),
            remark(.highlight(stroke), width: 9),
        ]
        let alone = remarks.map { RemarkAnnotations.annotation($0, on: paper) }
        #expect(
            RemarkAnnotations.annotations(remarks, on: paper) == [alone[1], alone[3], alone[0], alone[2]])
    }
}
