import PDFWriting
import Podium
import Titles

/// Prints a list of titles for people who read along: numbers, bars, all languages, notes, and what each title does.
///
/// The same list always gives the same bytes. Each letter is set in a typeface of the machine that has it; letters that
/// none has are named in a sentence above the list.
package enum TitleListPDF {
    /// - Returns: nil if memory is short. The sentence names the letters that no typeface has; nil if there are none.
    package static func make(_ piece: ShowPiece) -> (bytes: [UInt8], missingLetters: String?)? {
        let layout = TitleListLayout(piece)
        return layout.write().map { ($0, layout.missingLetters) }
    }
}

/// Lays the titles out on A4 pages. Lengths are points.
private struct TitleListLayout {
    private static let (width, height) = (595.0, 842.0)
    private static let (left, right, top, bottom) = (42.0, 553.0, 62.0, 794.0)
    private static let numberWidth = 34.0
    private static let barWidth = 46.0
    private static let gap = 12.0
    private static let (textSize, smallSize) = (10.0, 8.0)
    /// The most languages that stand beside each other; more stand below each other.
    private static let mostColumns = 3

    private final class PDFBytes { var all: [UInt8] = [] }

    /// The lines of one title, ready to be drawn.
    private struct Row {
        var number: String
        var bar: String
        /// The lines of each column of texts.
        var columns: [[String]]
        var isEmpty: Bool
        var remarks: [String]

        var height: Double {
            Double(max(columns.map(\.count).max() ?? 1, 1)) * textSize * 1.3
                + Double(remarks.count) * smallSize * 1.35 + 7
        }
    }

    private let piece: ShowPiece
    private let languages: [String]
    private let bytes = PDFBytes()
    private let pages: PDFPageWriter

    init(_ piece: ShowPiece) {
        self.piece = piece
        languages = piece.titles.languages.isEmpty ? [""] : piece.titles.languages
        // A fixed date, so that the same list always gives the same file.
        pages = PDFPageWriter(
            width: Self.width, height: Self.height, title: "Titles: \(piece.name.text)",
            created: "2000-01-01T00:00:00Z"
        ) { [bytes] in
            bytes.all += $0
            return true
        }
    }

    private var columnCount: Int { languages.count <= Self.mostColumns ? languages.count : 1 }

    private var columnWidth: Double {
        let room = Self.right - Self.left - Self.numberWidth - Self.barWidth
        return (room - Self.gap * Double(columnCount - 1)) / Double(columnCount)
    }

    private func columnLeft(_ index: Int) -> Double {
        Self.left + Self.numberWidth + Self.barWidth + Double(index) * (columnWidth + Self.gap)
    }

    func write() -> [UInt8]? {
        var rows = piece.titles.titles.enumerated().map { makeRow($1, number: $0 + 1) }
        if let missingLetters {
            let lines = wrapped(missingLetters, size: Self.smallSize, to: Self.right - columnLeft(0))
            rows.insert(Row(number: "", bar: "", columns: [], isEmpty: false, remarks: lines), at: 0)
        }
        var sheets: [[Row]] = [[]]
        var used = Self.top
        for row in rows {
            if used + row.height > Self.bottom, !sheets[sheets.count - 1].isEmpty {
                sheets.append([])
                used = Self.top
            }
            sheets[sheets.count - 1].append(row)
            used += row.height
        }
        for (index, sheet) in sheets.enumerated() {
            drawFrame(page: index + 1, of: sheets.count)
            var y = Self.top
            for row in sheet {
                draw(row, at: y)
                y += row.height
            }
            if index + 1 < sheets.count { pages.endPage() }
        }
        return pages.finish() ? bytes.all : nil
    }

    /// A sentence that names the letters which no typeface has, and where they are; nil if there are none.
    var missingLetters: String? {
        var places: [(letter: Character, numbers: [Int])] = []
        for (index, title) in piece.titles.titles.enumerated() {
            let text =
                title.texts.map { TitleMarkup.plain($0.text) }.joined(separator: " ") + " " + title.note
            for letter in pages.missingLetters(in: text) where !letter.isNewline {
                if let known = places.firstIndex(where: { $0.letter == letter }) {
                    places[known].numbers.append(index + 1)
                } else {
                    places.append((letter, [index + 1]))
                }
            }
        }
        guard !places.isEmpty else { return nil }
        let most = 8
        let named = places.prefix(most).map { letter, numbers in
            let code = letter.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }
            let titles = numbers.prefix(3).map(String.init).joined(separator: ", ")
            return code.joined(separator: " ") + " (\(numbers.count == 1 ? "title" : "titles") \(titles)"
                + (numbers.count > 3 ? " …)" : ")")
        }
        return "No typeface of this machine has \(named.joined(separator: ", "))"
            + (places.count > most ? " and \(places.count - most) further letters" : "")
            + ". Boxes stand in their place; install a typeface with them, such as fonts-noto-core or, for Korean, "
            + "fonts-nanum, and print again."
    }

    private func makeRow(_ title: Title, number: Int) -> Row {
        let texts = languages.map { language in
            TitleMarkup.plain(title.texts.first { $0.language == language }?.text ?? "")
        }
        let columns: [[String]]
        if languages.count <= Self.mostColumns {
            columns = texts.map { wrapped($0, size: Self.textSize, to: columnWidth) }
        } else {
            let named = zip(languages, texts).filter { !$1.isEmpty }.flatMap { language, text in
                wrapped("\(language): \(text)", size: Self.textSize, to: columnWidth)
            }
            columns = [named]
        }
        let room = Self.right - columnLeft(0)
        let remarks = [title.behaviour, title.note].filter { !$0.isEmpty }.flatMap {
            wrapped($0, size: Self.smallSize, to: room)
        }
        return Row(
            number: title.label.isEmpty ? "\(number)" : title.label,
            bar: title.played.map { piece.measureReference(at: $0).description } ?? "–",
            columns: columns, isEmpty: title.isEmpty, remarks: remarks)
    }

    private func draw(_ row: Row, at top: Double) {
        var y = top + Self.textSize
        let width = pages.textWidth(of: row.number, size: Self.textSize, face: .serifBold)
        pages.drawText(
            row.number, x: Self.left + Self.numberWidth - 10 - width, y: y, size: Self.textSize,
            face: .serifBold)
        pages.drawText(row.bar, x: Self.left + Self.numberWidth, y: y, size: Self.textSize, face: .sans)
        if row.isEmpty {
            pages.drawText("(empty)", x: columnLeft(0), y: y, size: Self.textSize, face: .serif)
        }
        for (index, lines) in row.columns.enumerated() {
            for (line, text) in lines.enumerated() {
                let room = columnWidth - pages.textWidth(of: text, size: Self.textSize, face: .serif)
                let indent = pages.isRightToLeft(text) ? max(room, 0) : 0
                pages.drawText(
                    text, x: columnLeft(index) + indent, y: y + Double(line) * Self.textSize * 1.3,
                    size: Self.textSize, face: .serif)
            }
        }
        y += Double(max(row.columns.map(\.count).max() ?? 1, 1) - 1) * Self.textSize * 1.3
        for remark in row.remarks {
            y += Self.smallSize * 1.35
            pages.drawText(remark, x: columnLeft(0), y: y, size: Self.smallSize, face: .sans)
        }
    }

    private func drawFrame(page: Int, of count: Int) {
        let heading = wrapped("Titles: \(piece.name.text)", size: 11, to: Self.right - Self.left).first ?? ""
        pages.drawText(heading, x: Self.left, y: 32, size: 11, face: .serifBold)
        pages.drawText("No.", x: Self.left + 6, y: 50, size: Self.smallSize, face: .sans)
        pages.drawText("Bar", x: Self.left + Self.numberWidth, y: 50, size: Self.smallSize, face: .sans)
        for (index, language) in languages.prefix(columnCount).enumerated() {
            let name = columnCount < languages.count ? "Texts" : language.isEmpty ? "Text" : language
            pages.drawText(name, x: columnLeft(index), y: 50, size: Self.smallSize, face: .sans)
        }
        pages.strokePath([.move(x: Self.left, y: 54), .line(x: Self.right, y: 54)], width: 0.5)
        let foot = "\(piece.titles.count) titles · page \(page) of \(count)"
        let width = pages.textWidth(of: foot, size: Self.smallSize, face: .sans)
        pages.drawText(foot, x: Self.right - width, y: 820, size: Self.smallSize, face: .sans)
    }

    /// Breaks a text into lines: at its own line breaks, between words, and within words that are too wide.
    private func wrapped(_ text: String, size: Double, to room: Double) -> [String] {
        var lines: [String] = []
        for own in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in own.split(separator: " ") {
                let longer = line.isEmpty ? String(word) : line + " " + word
                if pages.textWidth(of: longer, size: size, face: .serif) <= room {
                    line = longer
                    continue
                }
                if !line.isEmpty { lines.append(line) }
                line = ""
                for letter in word {
                    if !line.isEmpty,
                        pages.textWidth(of: line + String(letter), size: size, face: .serif) > room
                    {
                        lines.append(line)
                        line = ""
                    }
                    line.append(letter)
                }
            }
            lines.append(line)
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }
}

extension Title {
    /// The title's fades, waits and position for a printed list; empty if all have their usual values.
    fileprivate var behaviour: String {
        func written(_ seconds: Double) -> String {
            Int(exactly: seconds).map { "\($0) s" } ?? "\(seconds) s"
        }
        var parts: [String] = []
        if lead > 0 { parts.append("\(written(lead)) before its bar") }
        if fadeIn > 0 { parts.append("fades in for \(written(fadeIn))") }
        if fadeOut > 0 { parts.append("fades out for \(written(fadeOut))") }
        if let doubleCut { parts.append("the next follows after \(written(doubleCut))") }
        if position == .top { parts.append("at the upper edge") }
        if position == .bottom { parts.append("at the lower edge") }
        return parts.joined(separator: " · ")
    }
}
