/// A title with its time in the reference recording, as subtitle files have it.
public struct TimedTitle: Hashable, Sendable {
    /// Seconds from the beginning of the recording to the beginning of the title.
    public var start: Double
    /// Seconds from the beginning of the recording to the end of the title.
    public var end: Double
    public var text: String

    public init(start: Double, end: Double, text: String) {
        self.start = start
        self.end = end
        self.text = text
    }
}

/// Subtitle files: SubRip (SRT) and WebVTT.
///
/// Markup of the text (`<i>`, `{\an8}`) is removed, and so are WebVTT's notes, styles, regions and cue settings. Titles
/// must be in the order of their times.
public enum TitleSubtitles {
    /// The format of a file of subtitles.
    public enum Format: Sendable { case srt, webVTT }

    /// Reads a subtitle file.
    /// - Throws: ``TitleFileFault`` naming the line of the first mistake.
    /// - Complexity: linear in the bytes.
    public static func titles(of bytes: [UInt8], _ format: Format) throws(TitleFileFault) -> [TimedTitle] {
        var lines = try numberedLines(of: bytes)[...]
        if format == .webVTT {
            guard let first = lines.first?.text,
                first == "WEBVTT" || first.hasPrefix("WEBVTT ") || first.hasPrefix("WEBVTT\t")
            else { throw .notWebVTT }
            lines = lines.drop { !$0.text.isEmpty }
        }
        var titles: [TimedTitle] = []
        while let first = lines.first {
            guard !first.text.isEmpty else {
                lines.removeFirst()
                continue
            }
            let block = lines.prefix { !$0.text.isEmpty }
            lines = lines.dropFirst(block.count)
            if format == .webVTT, isNote(first.text) { continue }
            let title = try timedTitle(of: block)
            if let last = titles.last, title.start < last.start {
                throw .timesGoBack(line: first.number)
            }
            titles.append(title)
        }
        return titles
    }

    /// Writes a subtitle file.
    public static func file(of titles: [TimedTitle], _ format: Format) -> String {
        var text = format == .webVTT ? "WEBVTT\n\n" : ""
        var number = 1
        for title in titles where !title.text.isEmpty {
            // An empty line would end the title.
            let lines = title.text.split(separator: "\n").joined(separator: "\n")
            text += "\(number)\n\(written(title.start, format)) --> \(written(title.end, format))\n"
            text += (format == .webVTT ? escaped(lines) : lines) + "\n\n"
            number += 1
        }
        return text
    }

    private static func isNote(_ line: String) -> Bool {
        ["NOTE", "STYLE", "REGION"].contains { line == $0 || line.hasPrefix($0 + " ") }
    }

    private static func timedTitle(of block: ArraySlice<TextLine>) throws(TitleFileFault) -> TimedTitle {
        var rest = block
        var line = rest.removeFirst()
        // A number or a name may stand before the times.
        if !line.text.contains("-->"), let second = rest.first {
            line = second
            rest.removeFirst()
        }
        guard let arrow = line.text.firstRange(of: "-->") else { throw .noTimes(line: line.number) }
        let after = line.text[arrow.upperBound...].split { $0 == " " || $0 == "\t" }
        guard let start = seconds(line.text[..<arrow.lowerBound]),
            let end = after.first.flatMap({ seconds($0) })
        else { throw .noTimes(line: line.number) }
        guard end >= start else { throw .endsBeforeItBegins(line: line.number) }
        return TimedTitle(
            start: start, end: end, text: rest.map { withoutMarkup($0.text) }.joined(separator: "\n"))
    }

    /// Reads a time such as `01:02:03,500`, `02:03.5` or `1:02:03.500`.
    private static func seconds(_ written: Substring) -> Double? {
        let text = written.filter { $0 != " " && $0 != "\t" }.replacing(",", with: ".")
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        var total = 0.0
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            let isPlain = part.utf8.allSatisfy { (0x30...0x39).contains($0) || (isLast && $0 == 0x2E) }
            guard isPlain, !part.isEmpty, part.utf8.count <= 9, let number = Double(part),
                index == 0 || number < 60
            else { return nil }
            total = total * 60 + number
        }
        return total < 360_000 ? total : nil
    }

    private static func written(_ seconds: Double, _ format: Format) -> String {
        let milliseconds = Int((max(seconds, 0) * 1_000).rounded())
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = "\(number)"
            return String(repeating: "0", count: max(count - digits.count, 0)) + digits
        }
        let (whole, rest) = (milliseconds / 1_000, milliseconds % 1_000)
        let clock = "\(padded(whole / 3_600, 2)):\(padded(whole / 60 % 60, 2)):\(padded(whole % 60, 2))"
        return clock + (format == .srt ? "," : ".") + padded(rest, 3)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// Returns a line without tags such as `<i>` and `{\an8}`, and with its character references resolved.
    private static func withoutMarkup(_ line: String) -> String {
        var plain = ""
        var rest = line[...]
        // Without these, a line of opening signs alone would be searched to its end for each of them.
        let (lastTagEnd, lastStyleEnd) = (line.lastIndex(of: ">"), line.lastIndex(of: "}"))
        while let character = rest.first {
            if character == "<", let next = rest.dropFirst().first,
                next.isLetter || next == "/" || next.isNumber,
                let last = lastTagEnd, rest.startIndex < last, let end = rest.firstIndex(of: ">")
            {
                rest = rest[rest.index(after: end)...]
            } else if character == "{", rest.hasPrefix("{\\"), let last = lastStyleEnd,
                rest.startIndex < last,
                let end = rest.firstIndex(of: "}")
            {
                rest = rest[rest.index(after: end)...]
            } else {
                plain.append(character)
                rest.removeFirst()
            }
        }
        guard plain.contains("&") else { return plain }
        return plain.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&nbsp;", with: " ")
            .replacing("&amp;", with: "&")
    }
}

/// Titles as plain text, with an empty line between two titles. A line with a single hyphen is an empty title.
public enum TitlePlainText {
    /// Reads a text. No title has a bar.
    public static func titles(of bytes: [UInt8]) throws(TitleFileFault) -> [Title] {
        var titles: [Title] = []
        var lines: [String] = []
        func finish() {
            guard !lines.isEmpty else { return }
            titles.append(
                Title(texts: [TitleText(text: lines == ["-"] ? "" : lines.joined(separator: "\n"))]))
            lines = []
        }
        for line in try numberedLines(of: bytes) {
            if line.text.allSatisfy({ $0 == " " || $0 == "\t" }) { finish() } else { lines.append(line.text) }
        }
        finish()
        return titles
    }

    /// Writes the texts of one language.
    public static func text(of list: TitleList, language: String) -> String {
        list.titles.map { title in
            let text = title.texts.first { $0.language == language }?.text ?? ""
            let lines = text.split(separator: "\n").filter { !$0.allSatisfy { $0 == " " || $0 == "\t" } }
            return lines.isEmpty ? "-\n" : lines.joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }
}

/// A line of a text file, with its number from 1.
struct TextLine {
    var number: Int
    var text: String
}

/// Splits a text file into lines, whichever line ends it has.
func numberedLines(of bytes: [UInt8]) throws(TitleFileFault) -> [TextLine] {
    guard bytes.count <= TitleSheet.maximumBytes else { throw .tooLong(bytes: bytes.count) }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let text = String(validating: bytes[start...], as: UTF8.self) else { throw .notUTF8 }
    return withPlainLineEnds(text).split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .map { TextLine(number: $0 + 1, text: String($1)) }
}
