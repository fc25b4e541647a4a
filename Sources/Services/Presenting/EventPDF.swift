import Basics
import Foundation
import Hosting
import Podium
import PresentingProtocol
import ScorePages
import WebServer

/// Makes one PDF of what speakers showed in this event, in the order shown: pages with their drawings, and videos with
/// a frame. Each has a line with the time of day, the speaker, and the measures of the music that was played meanwhile.
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
            let showings = try await Task.detached(priority: .utility) {
                try ShowingsReader.showings(ofShow: folder)
            }.value
            guard !showings.isEmpty else {
                return .refused(
                    404, "no-pages",
                    "No slides and no videos were shown in this event, so there is no PDF of them.")
            }
            let path = try await write(showings)
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

    private func write(_ showings: [Showing]) async throws -> String {
        let path = try await slides.beginEventPDF(pageCount: showings.count)
        let (slides, clock) = (slides, clock)
        try await AnnotatedPDFWriter.write(
            to: path, title: "Slides of the event", pageCount: showings.count
        ) {
            (index) async throws(ScorePagesError) in
            let showing = showings[index]
            var page: AnnotatedPage
            switch showing.content {
            case .page(let shown):
                let paper = await slides.paperSize(of: shown.document, page: shown.number)
                page = AnnotatedPage(
                    image: await slides.image(of: shown.document, page: shown.number),
                    paperSize: (paper ?? Self.wideScreen).scaledToFitA4,
                    annotations: showing.strokes.map(\.annotation))
            case .video(let document, let name):
                page = Self.page(ofVideo: name, frame: await slides.frame(ofVideo: document))
            }
            page.caption = showing.caption(clock)
            return page
        }
        return path
    }

    /// The size of a page whose file is lost, and of a video without a frame.
    private static let wideScreen = PaperSize(width: 16, height: 9)

    /// A page with a frame of a video, or with its name if there is none.
    static func page(ofVideo name: String, frame: VideoFrame?) -> AnnotatedPage {
        guard let frame else {
            let height = min(0.08, 1.4 / Double(max(name.count, 1)))
            let title = PageAnnotation.text(
                name, at: PagePoint(x: 0.06, y: 0.45), height: height,
                colour: AnnotationColour(red: 0, green: 0, blue: 0))
            return AnnotatedPage(image: nil, paperSize: wideScreen.scaledToFitA4, annotations: [title])
        }
        return AnnotatedPage(
            image: PageImage(bytes: frame.jpeg, format: .jpg),
            paperSize: PaperSize(width: Double(frame.width), height: Double(frame.height)).scaledToFitA4,
            annotations: [])
    }
}

extension Showing {
    /// The line under the page, such as `19:42:10–19:43:05 · Anna · slide 3 · Minuet in G, bars 12–20`.
    func caption(_ clock: TimeOfDayConverter) -> String {
        let begin = clock.timeOfDayText(ShowTime(milliseconds: beganAt))
        let end = clock.timeOfDayText(ShowTime(milliseconds: endedAt))
        var parts = [begin == end ? begin : "\(begin)–\(end)", speaker]
        switch content {
        case .page(let page): parts.append("slide \(page.number)")
        case .video(_, let name): parts.append(name.isEmpty ? "video" : "video “\(name)”")
        }
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
