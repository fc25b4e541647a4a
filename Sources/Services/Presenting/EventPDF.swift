import Foundation
import Hosting
import Podium
import PresentingProtocol
import ScorePages
import WebServer

/// Makes one PDF of what speakers showed in this event: the pages in the order shown, each with its drawings, the time
/// of day, the speaker, and the measures of the music that was played meanwhile.
actor EventPDF {
    private let slides: SlideStore
    private let showLog: ShowLogPlace
    private let clock: TimeOfDayConverter
    private var isRunning = false

    init(slides: SlideStore, showLog: ShowLogPlace, clock: TimeOfDayConverter) {
        (self.slides, self.showLog, self.clock) = (slides, showLog, clock)
    }

    func response() async -> WebResponse {
        guard !isRunning else {
            return .refused(503, "busy", "The event's PDF is being made for somebody else; try again soon.")
                .withHeader("Retry-After", "3")
        }
        isRunning = true
        defer { isRunning = false }
        do {
            let folder = showLog.folder
            let pages = try await Task.detached(priority: .utility) {
                try ShownPagesReader.pages(ofShow: folder)
            }.value
            guard !pages.isEmpty else {
                return .refused(
                    404, "no-pages", "No slides were shown in this event, so there is no PDF of them.")
            }
            let path = try await write(pages)
            let tag = String(UInt64.random(in: 0 ... .max), radix: 36)
            return .file(path, contentType: "application/pdf", tag: tag)
                .withHeader("Content-Disposition", "attachment; filename=\"event-slides.pdf\"")
                .withHeader("Cache-Control", "private, no-store")
        } catch let error as ExplainedError {
            return .refused(507, "disk-full", error.sentence)
        } catch let error as ScorePagesError {
            return .refused(500, "failed", WebResponse.removeMachinePaths(error.sentence))
        } catch {
            return .refused(500, "failed", "The show log cannot be read, so there is no PDF of this event.")
        }
    }

    private func write(_ pages: [ShownPage]) async throws -> String {
        let path = try await slides.beginEventPDF(pageCount: pages.count)
        let (slides, clock) = (slides, clock)
        try await AnnotatedPDFWriter.write(to: path, title: "Slides of the event", pageCount: pages.count) {
            (index) async throws(ScorePagesError) in
            let shown = pages[index]
            let (document, number) = (shown.page.document, shown.page.number)
            let paper = await slides.paperSize(of: document, page: number) ?? Self.missingPaper
            return AnnotatedPage(
                image: await slides.image(of: document, page: number), paperSize: paper.scaledToFitA4,
                annotations: shown.strokes.map(\.annotation), caption: shown.caption(clock))
        }
        return path
    }

    /// The size of a page whose file is lost.
    private static let missingPaper = PaperSize(width: 16, height: 9)
}

extension ShownPage {
    /// The line under the page, such as `19:42:10–19:43:05 · Anna · slide 3 · Minuet in G, bars 12–20`.
    func caption(_ clock: TimeOfDayConverter) -> String {
        let begin = clock.timeOfDayText(ShowTime(milliseconds: beganAt))
        let end = clock.timeOfDayText(ShowTime(milliseconds: endedAt))
        var parts = [begin == end ? begin : "\(begin)–\(end)", speaker, "slide \(page.number)"]
        if let music {
            let bars =
                music.firstMeasure == music.lastMeasure
                ? "bar \(music.firstMeasure)" : "bars \(music.firstMeasure)–\(music.lastMeasure)"
            parts.append("\(music.piece), \(bars)")
        }
        return parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }
}

extension SlideStroke {
    fileprivate static let scale = Double(UInt16.max)

    /// The stroke as an annotation of the page.
    var annotation: PageAnnotation {
        .penStroke(
            points.map { PagePoint(x: Double($0.x) / Self.scale, y: Double($0.y) / Self.scale) },
            thickness: Double(width) / Self.scale,
            colour: AnnotationColour(
                red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255))
    }
}
