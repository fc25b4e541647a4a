import Foundation
import Repository
import Testing

@testable import ScorePages
@testable import TestHelpers

@Suite(.ownThreads) struct StampDrawingTests {
    private static let stamps: [(name: String, stamp: AnnotationStamp)] =
        [
            ("down-bow", .downBow), ("up-bow", .upBow), ("slur", .slur), ("pizzicato", .pizzicato),
            ("arco", .arco), ("mute", .mute), ("breath", .breath), ("caesura", .caesura),
            ("fermata", .fermata), ("accent", .accent), ("staccato", .staccato), ("tenuto", .tenuto),
            ("marcato", .marcato), ("trill", .trill), ("crescendo", .crescendo), ("diminuendo", .diminuendo),
            ("sharp", .sharp), ("flat", .flat), ("natural", .natural), ("glasses", .glasses),
            ("attention", .attention),
        ] + ["pp", "p", "mp", "mf", "f", "ff", "sfz"].map { ($0, .dynamicMark($0)) }

    /// A stamp's entry in the list that stands draw from, as text on one line.
    private func standsLine(_ name: String) throws -> String? {
        let file = try String(
            contentsOf: Repository.root.appending(
                path: "Sources/Services/Stands/Pages/stand/remarks/stamps.js"),
            encoding: .utf8)
        let list = file.components(separatedBy: "\n];")[0]
        let entry = list.components(separatedBy: "\n  { name: ").first { $0.hasPrefix("\"\(name)\",") }
        return entry?.replacing(/" \+\s+"/, with: "").replacing(/\n\s+/, with: " ")
    }

    @Test(arguments: stamps) func standsAndPrintedPagesDrawTheSame(name: String, stamp: AnnotationStamp)
        throws
    {
        let line = try #require(try standsLine(name))
        let drawing = try #require(StampDrawing(stamp))
        for fill in drawing.filledPaths { #expect(line.contains("\"\(fill)\"")) }
        for each in drawing.strokedPaths {
            let width = String(Int(each.strokeWidth))
            let ends = each.svgPath.dropFirst().split(separator: "L").map { $0.split(separator: " ") }
            if ends.count == 2, ends[0] == ends[1] {
                #expect(line.contains("dot(\(ends[0][0]), \(ends[0][1]), \(width))"))
            } else if each.svgPath.hasSuffix("60Z") {
                #expect(line.contains("line(\(width), lens("))
            } else {
                #expect(line.contains("line(\(width), \"\(each.svgPath)\")"))
            }
        }
        #expect(
            line.components(separatedBy: "line(").count + line.components(separatedBy: "dot(").count - 2
                == drawing.strokedPaths.count)
        #expect(line.contains("fills:") == !drawing.filledPaths.isEmpty)
        if let letters = drawing.letters {
            #expect(line.contains("\"\(letters.text)\"") && line.contains("\(Int(letters.letterHeight))"))
        } else {
            #expect(!line.contains("letters"))
        }
    }

    @Test(arguments: stamps) func everyPathIsDrawnAroundItsCentre(name: String, stamp: AnnotationStamp) throws
    {
        let drawing = try #require(StampDrawing(stamp))
        #expect(!drawing.filledPaths.isEmpty || !drawing.strokedPaths.isEmpty || drawing.letters != nil)
        for path in drawing.filledPaths + drawing.strokedPaths.map(\.svgPath) {
            let steps = StampDrawing.pathSteps(of: path, at: (500, 500), unit: 0.1)
            #expect(steps.count == path.count { $0.isLetter })
            for case .move(let x, let y) in steps {
                #expect(abs(x - 500) <= 100 && abs(y - 500) <= 100, "\(name)")
            }
            guard case .move = steps.first else {
                Issue.record("\(name) begins nowhere")
                return
            }
        }
    }

    @Test(.enabled(if: hasPoppler, "poppler-utils is not installed"))
    func aPageOfStampsHasInkWhereEachStands() async throws {
        let folder = try TestFolder()
        let source = try folder.file("a.pdf", SmallPDF.numbered(1).bytes)
        let pdf = try await ScorePDFInspector().inspect(source)
        let images = PageImageProvider(cacheFolder: folder.path + "/cache")
        let path = folder.path + "/stamps.pdf"
        let marks = Self.stamps.enumerated().map { index, each in
            PageAnnotation.stamp(
                each.stamp,
                at: PagePoint(x: 0.125 + 0.25 * Double(index % 4), y: 0.07 + 0.125 * Double(index / 4)),
                height: 0.05, colour: AnnotationColour(red: 1, green: 0, blue: 0))
        }
        try await AnnotatedPDFWriter.write(to: path, title: "Stamps", pageCount: 1) {
            page throws(ScorePagesError) in
            AnnotatedPage(
                image: try await images.pageImage(of: pdf, page: page, size: .small),
                paperSize: pdf.pages[page].scaledToFitA4,
                annotations: marks)
        }
        let drawn = try output(
            of: "pdftoppm", ["-singlefile", "-scale-to-x", "600", "-scale-to-y", "800", path])
        let pixels = Array(drawn.suffix(600 * 800 * 3))
        for (index, each) in Self.stamps.enumerated() {
            let (x, y) = (75 + 150 * (index % 4), 56 + 100 * (index / 4))
            var red = 0
            for row in (y - 24)...(y + 24) {
                for column in (x - 30)...(x + 30) {
                    let start = (row * 600 + column) * 3
                    if pixels[start] > 180, pixels[start + 1] < 90, pixels[start + 2] < 90 { red += 1 }
                }
            }
            #expect(red > 20, "\(each.name): \(red) pixels")
        }
        if let keep = ProcessInfo.processInfo.environment["STAMPS_PDF"] {
            try FileManager.default.copyItem(atPath: path, toPath: keep)
        }
    }
}
