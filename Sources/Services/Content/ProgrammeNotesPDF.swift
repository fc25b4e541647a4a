import PDFWriting

/// Typesets programme notes as PDF: headings, paragraphs, lists and bold words, on A5 pages that phones can show.
///
/// The same text always gives the same bytes.
enum ProgrammeNotesPDF {
    /// Typesets a text in a subset of Markdown.
    /// - Parameter markdown: `#` and `##` headings, `-` lists, `**bold**`, `---` for a rule, paragraphs.
    /// - Returns: nil if memory is short.
    static func typesetPDF(of markdown: String) -> [UInt8]? {
        let lines = markdown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { $0.drop { $0 == " " } }
        let title = lines.first { $0.hasPrefix("#") }
        var typesetter = NotesTypesetter(title: title.map(Self.makeHeadingText) ?? "")
        var paragraph: [Substring] = []
        func finish(_ typesetter: inout NotesTypesetter) {
            if !paragraph.isEmpty { typesetter.addText(.paragraph, paragraph.joined(separator: " ")) }
            paragraph = []
        }
        for line in lines {
            if line.isEmpty {
                finish(&typesetter)
            } else if line.hasPrefix("#") {
                finish(&typesetter)
                typesetter.addText(line.hasPrefix("##") ? .heading : .title, makeHeadingText(line))
            } else if line.hasPrefix("---") {
                finish(&typesetter)
                typesetter.addRule()
            } else if line.hasPrefix("- ") || line.hasPrefix("* ") {
                finish(&typesetter)
                typesetter.addText(.item, "• " + line.dropFirst(2))
            } else {
                paragraph.append(line)
            }
        }
        finish(&typesetter)
        return typesetter.finish()
    }

    private static func makeHeadingText(_ line: Substring) -> String {
        String(line.drop { $0 == "#" || $0 == " " })
    }
}

/// Breaks text into lines and pages.
private struct NotesTypesetter {
    enum Style {
        case title, heading, paragraph, item

        var size: Double { self == .title ? 20 : self == .heading ? 13.5 : 10.5 }
        var spaceBefore: Double { self == .title ? 0 : self == .heading ? 14 : self == .item ? 3 : 7 }
        var isBold: Bool { self == .title || self == .heading }
        var hangingIndent: Double { self == .item ? 10 : 0 }
    }

    /// Page size A5, in points.
    private static let (width, height) = (420.0, 595.0)
    private static let margin = 45.0
    private static let lowestBaseline = height - margin

    private final class PDFByteBuffer { var all: [UInt8] = [] }

    private let bytes = PDFByteBuffer()
    private let pages: PDFPageWriter
    /// Distance of the last baseline from the top edge of the page, in points.
    private var lastBaseline = margin

    init(title: String) {
        // A fixed date, so that the same text always gives the same file.
        pages = PDFPageWriter(
            width: Self.width, height: Self.height, title: title, created: "2000-01-01T00:00:00Z"
        ) { [bytes] in
            bytes.all += $0
            return true
        }
    }

    /// Returns the finished file, to which nothing can be added any more.
    /// - Returns: nil if there is not enough memory.
    func finish() -> [UInt8]? { pages.finish() ? bytes.all : nil }

    mutating func addText(_ style: Style, _ text: String) {
        lastBaseline += style.spaceBefore
        // A heading must not be the last line of a page.
        if style == .heading, lastBaseline > Self.lowestBaseline - 60 { newPage() }
        let lines = breakLines(of: text, style)
        for (index, line) in lines.enumerated() {
            let lead = style.size * 1.35
            if lastBaseline + lead > Self.lowestBaseline { newPage() }
            lastBaseline += lead
            var x = Self.margin + (index > 0 ? style.hangingIndent : 0)
            for run in line {
                pages.drawText(run.words, x: x, y: lastBaseline, size: style.size, face: run.face)
                x += pages.textWidth(of: run.words, size: style.size, face: run.face)
            }
        }
    }

    mutating func addRule() {
        lastBaseline += 14
        if lastBaseline > Self.lowestBaseline { newPage() }
        pages.strokePath(
            [.move(x: Self.margin, y: lastBaseline), .line(x: Self.width - Self.margin, y: lastBaseline)],
            width: 0.5)
    }

    private mutating func newPage() {
        pages.endPage()
        lastBaseline = Self.margin
    }

    private struct TextRun {
        var words: String
        var isBold: Bool
        var face: PDFPageWriter.Typeface { isBold ? .serifBold : .serif }
    }

    private func breakLines(of text: String, _ style: Style) -> [[TextRun]] {
        let room = Self.width - 2 * Self.margin - style.hangingIndent
        var (lines, line, used): ([[TextRun]], [TextRun], Double) = ([], [], 0)
        for (index, part) in text.components(around: "**").enumerated() {
            let isBold = style.isBold || index % 2 == 1
            for (place, word) in part.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                // The first word of a part continues the part before it without a space.
                var words = place == 0 ? String(word) : " " + word
                var length = pages.textWidth(of: words, size: style.size, face: isBold ? .serifBold : .serif)
                if used + length > room, !line.isEmpty, !word.isEmpty {
                    lines.append(line)
                    (line, used) = ([], 0)
                    words = String(word)
                    length = pages.textWidth(of: words, size: style.size, face: isBold ? .serifBold : .serif)
                }
                if let last = line.last, last.isBold == isBold {
                    line[line.count - 1].words += words
                } else {
                    line.append(TextRun(words: words, isBold: isBold))
                }
                used += length
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}

extension String {
    /// Splits the text at a separator; empty parts are included.
    fileprivate func components(around separator: String) -> [Substring] {
        var (parts, rest): ([Substring], Substring) = ([], self[...])
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
