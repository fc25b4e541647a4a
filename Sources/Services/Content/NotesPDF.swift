/// Sets programme notes as a PDF: headings, paragraphs, lists, bold words; A5 pages that phones can read.
///
/// Standard fonts, so that nothing is embedded; a few kilobytes a page. The same text gives the same bytes.
/// Source: ISO 32000-1, sections 7.5 (file structure), 9.6.2.2 (standard fonts), annex D (WinAnsiEncoding).
enum NotesPDF {
    /// - Parameter markdown: `#` and `##` headings, `-` lists, `**bold**`, `---` for a rule, paragraphs.
    static func pdf(of markdown: String) -> [UInt8] {
        var setter = NotesSetter()
        var paragraph: [Substring] = []
        func finish(_ setter: inout NotesSetter) {
            if !paragraph.isEmpty { setter.add(.paragraph, paragraph.joined(separator: " ")) }
            paragraph = []
        }
        var title = ""
        for row in markdown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = row.drop { $0 == " " }
            if line.isEmpty {
                finish(&setter)
            } else if line.hasPrefix("#") {
                finish(&setter)
                let words = String(line.drop { $0 == "#" || $0 == " " })
                if title.isEmpty { title = words }
                setter.add(line.hasPrefix("##") ? .heading : .title, words)
            } else if line.hasPrefix("---") {
                finish(&setter)
                setter.addRule()
            } else if line.hasPrefix("- ") || line.hasPrefix("* ") {
                finish(&setter)
                setter.add(.item, "• " + line.dropFirst(2))
            } else {
                paragraph.append(line)
            }
        }
        finish(&setter)
        return file(pages: setter.pages, title: title)
    }

    private static func file(pages: [String], title: String) -> [UInt8] {
        var bytes = Array("%PDF-1.4\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
        var offsets: [Int] = []
        func object(_ body: [UInt8]) {
            offsets.append(bytes.count)
            bytes += Array("\(offsets.count) 0 obj\n".utf8) + body + Array("\nendobj\n".utf8)
        }
        let first = 6
        let kids = pages.indices.map { "\(first + 2 * $0) 0 R" }.joined(separator: " ")
        object(
            Array(
                "<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>"
                    .utf8))
        object(Array("<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>".utf8))
        for font in ["Times-Roman", "Times-Bold"] {
            object(
                Array("<< /Type /Font /Subtype /Type1 /BaseFont /\(font) /Encoding /WinAnsiEncoding >>".utf8))
        }
        object(Array("<< /Title (".utf8) + WinAnsi.literal(title) + Array(") /Producer (Baton) >>".utf8))
        for (index, page) in pages.enumerated() {
            object(
                Array(
                    ("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(NotesSetter.width) \(NotesSetter.height)] "
                        + "/Resources << /Font << /R 3 0 R /B 4 0 R >> >> /Contents \(first + 2 * index + 1) 0 R >>")
                        .utf8))
            let stream = WinAnsi.bytes(raw: page)
            object(Array("<< /Length \(stream.count) >>\nstream\n".utf8) + stream + Array("\nendstream".utf8))
        }
        let start = bytes.count
        bytes += Array("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n".utf8)
        for offset in offsets {
            let digits = String(offset)
            bytes += Array("\(String(repeating: "0", count: 10 - digits.count))\(digits) 00000 n \n".utf8)
        }
        let trailer =
            "trailer\n<< /Size \(offsets.count + 1) /Root 1 0 R /Info 5 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return bytes + Array(trailer.utf8)
    }
}

/// Breaks lines and pages.
private struct NotesSetter {
    enum Style {
        case title, heading, paragraph, item

        var size: Double { self == .title ? 20 : self == .heading ? 13.5 : 10.5 }
        var spaceBefore: Double { self == .title ? 0 : self == .heading ? 14 : self == .item ? 3 : 7 }
        var isBold: Bool { self == .title || self == .heading }
        var indent: Double { self == .item ? 10 : 0 }
    }

    /// A5 in points.
    static let (width, height) = (420, 595)
    private static let margin = 45.0

    /// Drawing commands; strings as literals of one byte a character, scalars 0…255.
    private(set) var pages: [String] = [""]
    private var y = Double(height) - margin

    mutating func add(_ style: Style, _ text: String) {
        y -= style.spaceBefore
        // A heading does not stand alone at the foot of a page.
        if style == .heading, y < Self.margin + 60 { newPage() }
        let lines = Self.lines(of: text, style)
        for (index, line) in lines.enumerated() {
            let lead = style.size * 1.35
            if y - lead < Self.margin { newPage() }
            y -= lead
            let x = Self.margin + (index > 0 ? style.indent : 0)
            var commands = "BT \(Self.number(x)) \(Self.number(y)) Td "
            for run in line {
                let font = run.isBold ? "B" : "R"
                commands += "/\(font) \(Self.number(style.size)) Tf (\(WinAnsi.rawLiteral(run.words))) Tj "
            }
            pages[pages.count - 1] += commands + "ET\n"
        }
    }

    mutating func addRule() {
        y -= 14
        if y < Self.margin { newPage() }
        let (left, right) = (Self.number(Self.margin), Self.number(Double(Self.width) - Self.margin))
        pages[pages.count - 1] += "0.5 w \(left) \(Self.number(y)) m \(right) \(Self.number(y)) l S\n"
    }

    private mutating func newPage() {
        pages.append("")
        y = Double(Self.height) - Self.margin
    }

    private struct Run {
        var words: String
        var isBold: Bool
    }

    private static func lines(of text: String, _ style: Style) -> [[Run]] {
        let room = Double(width) - 2 * margin - style.indent
        var (lines, line, used): ([[Run]], [Run], Double) = ([], [], 0)
        for (index, part) in text.components(around: "**").enumerated() {
            let isBold = style.isBold || index % 2 == 1
            for (place, word) in part.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                // The first word of a part stands where the part before it ended.
                var words = place == 0 ? String(word) : " " + word
                var length = WinAnsi.width(of: words, isBold: isBold) * style.size
                if used + length > room, !line.isEmpty, !word.isEmpty {
                    lines.append(line)
                    (line, used) = ([], 0)
                    words = String(word)
                    length = WinAnsi.width(of: words, isBold: isBold) * style.size
                }
                if let last = line.last, last.isBold == isBold {
                    line[line.count - 1].words += words
                } else {
                    line.append(Run(words: words, isBold: isBold))
                }
                used += length
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// The characters of western PDF fonts: one byte each.
enum WinAnsi {
    /// The inside of a literal string, ready for the file.
    static func literal(_ text: String) -> [UInt8] { bytes(raw: rawLiteral(text)) }

    /// The same as scalars 0…255, to be put among drawing commands.
    static func rawLiteral(_ text: String) -> String {
        var raw = String.UnicodeScalarView()
        for byte in codes(text) {
            if "()\\".utf8.contains(byte) { raw.append("\\") }
            raw.append(Unicode.Scalar(byte))
        }
        return String(raw)
    }

    static func bytes(raw: String) -> [UInt8] {
        raw.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    /// In parts of the font's size.
    static func width(of text: String, isBold: Bool) -> Double {
        codes(text).reduce(0) { $0 + width(of: $1, isBold: isBold) }
    }

    private static func codes(_ text: String) -> [UInt8] {
        text.unicodeScalars.compactMap { scalar in
            switch scalar.value {
            case 0x20...0x7E, 0xA0...0xFF: return UInt8(scalar.value)
            case 0x300...0x36F: return nil
            default: break
            }
            if let index = high.firstIndex(of: scalar) { return UInt8(0x80 + index) }
            // A letter the font lacks is set without its accent.
            let stem = "LATIN SMALL LETTER "
            if let name = scalar.properties.lowercaseMapping.unicodeScalars.first?.properties.name,
                name.hasPrefix(stem),
                let letter = name.dropFirst(stem.count).unicodeScalars.first
            {
                let isCapital = scalar.properties.isUppercase
                return UInt8(truncatingIfNeeded: letter.value) + (isCapital ? 0 : 0x20)
            }
            return scalar.properties.isWhitespace ? 0x20 : 0x3F
        }
    }

    /// From 0x80; a blank where there is no character.
    private static let high = Array("€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ".unicodeScalars)

    private static func width(of code: UInt8, isBold: Bool) -> Double {
        let widths = isBold ? bold : roman
        switch code {
        case 0x20...0x7E: return Double(widths[Int(code) - 32]) / 1_000
        case 0x85, 0x97: return 1
        case 0x91, 0x92, 0x82: return 0.333
        case 0x93, 0x94, 0x84: return isBold ? 0.5 : 0.444
        case 0x95: return 0.35
        case 0xA0: return 0.25
        case 0xC0...0xDE: return 0.722
        default: return 0.5
        }
    }

    // Source: Adobe, "Font Metrics for PDF Core 14 Fonts", Times-Roman and Times-Bold, from the blank to the tilde.
    private static let roman = [
        250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500,
        500, 500,
        500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333,
        389, 722,
        611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500,
        333, 444,
        500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500,
        500, 722,
        500, 500, 444, 480, 200, 480, 541,
    ]
    private static let bold = [
        250, 333, 555, 500, 500, 1000, 833, 278, 333, 333, 500, 570, 250, 333, 250, 278, 500, 500, 500, 500,
        500, 500,
        500, 500, 500, 500, 333, 333, 570, 570, 570, 500, 930, 722, 667, 722, 722, 667, 611, 778, 778, 389,
        500, 778,
        667, 944, 722, 778, 611, 778, 722, 556, 667, 722, 722, 1000, 722, 722, 667, 333, 278, 333, 581, 500,
        333, 500,
        556, 444, 556, 444, 333, 500, 556, 278, 333, 556, 278, 833, 556, 500, 556, 556, 444, 389, 333, 556,
        500, 722,
        500, 500, 444, 394, 220, 394, 520,
    ]
}

extension String {
    /// The text between separators, empty parts too.
    fileprivate func components(around separator: String) -> [Substring] {
        var (parts, rest): ([Substring], Substring) = ([], self[...])
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
