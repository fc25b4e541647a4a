import Basics

/// A title with its time in the reference recording, as subtitle files have it.
public struct TimedTitle: Hashable, Sendable {
    /// Seconds from the beginning of the recording to the beginning of the title.
    public var start: Double
    /// Seconds from the beginning of the recording to the end of the title.
    public var end: Double
    public var text: String
    /// The edge of the picture at which it stands; nil for the usual one.
    public var position: TitlePosition?

    public init(start: Double, end: Double, text: String, position: TitlePosition? = nil) {
        self.start = start
        self.end = end
        self.text = text
        self.position = position
    }
}

/// Subtitle files: SubRip (SRT) and WebVTT.
///
/// A title begins at its line of times, whatever separates it from the one before: an empty line, one with blanks, or
/// none. Italics and bold stay (`<i>`, `{\i1}`), and so does the upper edge (`{\an8}`, `line:0`); other markup of the text
/// is removed, and so are WebVTT's notes, styles, regions and further cue settings. Titles must be in the order of their times; those that begin together are joined.
public enum TitleSubtitles {
    /// The format of a file of subtitles.
    public enum Format: Sendable { case srt, webVTT }

    /// Seconds that a title lasts at least; two that follow each other sooner are one.
    private static let shortestShown = 0.1

    /// Reads a subtitle file.
    /// - Throws: ``ExplainedError`` naming the line of the first mistake.
    /// - Complexity: linear in the bytes.
    public static func titles(of bytes: [UInt8], _ format: Format) throws(ExplainedError) -> [TimedTitle] {
        let lines = try numberedLines(of: bytes)
        var index = 0
        if format == .webVTT {
            guard let first = lines.first?.text,
                first == "WEBVTT" || first.hasPrefix("WEBVTT ") || first.hasPrefix("WEBVTT\t")
            else {
                throw ExplainedError("The file does not begin with “WEBVTT”; if it is SubRip, name it .srt.")
            }
            // The first title may follow its header without an empty line.
            index = lines.dropFirst().firstIndex { $0.isBlank || $0.hasArrow } ?? lines.count
        }
        var titles: [TimedTitle] = []
        var (isAfterBlank, isNumbered, hasNumber) = (true, false, false)
        while index < lines.count {
            let line = lines[index]
            let next = index + 1 < lines.count ? lines[index + 1] : nil
            index += 1
            if line.isBlank {
                isAfterBlank = true
                continue
            }
            defer { isAfterBlank = false }
            if format == .webVTT, isAfterBlank, isNote(line.text) {
                index = lines[index...].firstIndex(where: \.isBlank) ?? lines.count
            } else if line.hasArrow, let title = try timedTitle(line) {
                if titles.isEmpty { isNumbered = hasNumber }
                if let last = titles.last, title.start < last.start {
                    throw ExplainedError(
                        "The title on line \(line.number) begins before the one above it; put the titles "
                            + "in the order of their times.")
                }
                titles.append(title)
            } else if let next, next.hasArrow, isAfterBlank || (isNumbered && line.isNumber) {
                // A number or a name stands before the times.
                hasNumber = line.isNumber
                guard try timedTitle(next) != nil else { throw TitleFileFault.noTimes(line: next.number) }
            } else if titles.isEmpty
                || (isAfterBlank && (line.isNumber || line.hasArrow || format == .webVTT))
            {
                let isNumber = !line.hasArrow && next.map { !$0.isBlank } ?? false
                throw TitleFileFault.noTimes(line: isNumber ? line.number + 1 : line.number)
            } else {
                let words = usualMarkup(line.text)
                if standsAbove(line.text) { titles[titles.count - 1].position = .top }
                titles[titles.count - 1].text += titles[titles.count - 1].text.isEmpty ? words : "\n" + words
            }
        }
        return joinSimultaneous(titles)
    }

    /// Joins titles that begin together, such as the same words in two languages: none of them could be read alone.
    private static func joinSimultaneous(_ titles: [TimedTitle]) -> [TimedTitle] {
        var joined: [TimedTitle] = []
        for title in titles {
            if let last = joined.last, title.start - last.start < shortestShown {
                let texts = [last.text, title.text].filter { !$0.isEmpty }
                joined[joined.count - 1] = TimedTitle(
                    start: last.start, end: max(last.end, title.end), text: texts.joined(separator: "\n"),
                    position: last.position ?? title.position)
            } else {
                joined.append(title)
            }
        }
        return joined
    }

    /// Writes a subtitle file.
    public static func file(of titles: [TimedTitle], _ format: Format) -> String {
        var text = format == .webVTT ? "WEBVTT\n\n" : ""
        var number = 1
        for title in titles where !title.text.isEmpty {
            // An empty line would end the title.
            let lines = title.text.split(separator: "\n").joined(separator: "\n")
            let isAbove = title.position == .top
            text += "\(number)\n\(written(title.start, format)) --> \(written(title.end, format))"
            text += format == .webVTT && isAbove ? " line:0\n" : "\n"
            text += format == .webVTT ? escaped(lines) : (isAbove ? "{\\an8}" : "") + lines
            text += "\n\n"
            number += 1
        }
        return text
    }

    private static func isNote(_ line: String) -> Bool {
        ["NOTE", "STYLE", "REGION"].contains { line == $0 || line.hasPrefix($0 + " ") }
    }

    /// Reads a line of times; nil if it does not begin with a time.
    private static func timedTitle(_ line: TextLine) throws(ExplainedError) -> TimedTitle? {
        guard let arrow = line.text.firstRange(of: "-->"),
            line.text.first(where: { !$0.isWhitespace })?.isNumber == true
        else { return nil }
        let after = line.text[arrow.upperBound...].split { $0 == " " || $0 == "\t" }
        guard let start = seconds(line.text[..<arrow.lowerBound]),
            let end = after.first.flatMap({ seconds($0) })
        else { throw TitleFileFault.noTimes(line: line.number) }
        guard end >= start else {
            throw ExplainedError("The title on line \(line.number) ends before it begins; correct its times.")
        }
        return TimedTitle(
            start: start, end: end, text: "", position: after.contains(where: isUpperLine) ? .top : nil)
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

    /// True for WebVTT's cue setting of a line in the upper half of the picture, such as `line:0` and `line:10%,start`.
    private static func isUpperLine(_ setting: Substring) -> Bool {
        guard setting.hasPrefix("line:") else { return false }
        let line = setting.dropFirst(5).prefix { $0 != "," }
        guard let number = Double(line.hasSuffix("%") ? line.dropLast() : line), number >= 0 else {
            return false
        }
        // Lines are counted from the top; a picture has some fifteen.
        return number < (line.hasSuffix("%") ? 50 : 8) && !line.hasPrefix("-")
    }

    /// True for a line that the styles of SubStation Alpha put to the upper edge: `{\an7}` to `{\an9}`, `{\a5}` to
    /// `{\a7}`.
    private static func standsAbove(_ line: String) -> Bool {
        line.contains("{\\")
            && ["\\an7", "\\an8", "\\an9", "\\a5", "\\a6", "\\a7"].contains { line.contains($0) }
    }

    private static func escaped(_ text: String) -> String {
        let all = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return TitleMarkup.tags.reduce(all) {
            $0.replacing("&lt;\($1.dropFirst().dropLast())&gt;", with: $1)
        }
    }

    /// The tag that a tag or style means, such as `<i>` for `<I>`, `<i.foreign>` and `{\i1}`; empty for any other.
    private static func usualTag(_ tag: Substring) -> String {
        let name = tag.dropFirst().dropLast().lowercased()
        if tag.first == "{" {
            let styles = name.split(separator: "\\").compactMap {
                ["i1": "<i>", "i0": "</i>", "b1": "<b>", "b0": "</b>"][$0]
            }
            return styles.joined()
        }
        let bare = name.prefix { $0 != "." && $0 != " " }
        return TitleMarkup.tags.first { $0.dropFirst().dropLast() == bare } ?? ""
    }

    /// Returns a line whose italics and bold are marked as titles have them, without other tags such as `<font>` and
    /// `{\an8}`, and with its character references resolved.
    private static func usualMarkup(_ line: String) -> String {
        var plain = ""
        var rest = line[...]
        // Without these, a line of opening signs alone would be searched to its end for each of them.
        let (lastTagEnd, lastStyleEnd) = (line.lastIndex(of: ">"), line.lastIndex(of: "}"))
        while let character = rest.first {
            if character == "<", let next = rest.dropFirst().first,
                next.isLetter || next == "/" || next.isNumber,
                let last = lastTagEnd, rest.startIndex < last, let end = rest.firstIndex(of: ">")
            {
                plain += usualTag(rest[...end])
                rest = rest[rest.index(after: end)...]
            } else if character == "{", rest.hasPrefix("{\\"), let last = lastStyleEnd,
                rest.startIndex < last,
                let end = rest.firstIndex(of: "}")
            {
                plain += usualTag(rest[...end])
                rest = rest[rest.index(after: end)...]
            } else {
                plain.append(character)
                rest.removeFirst()
            }
        }
        plain = plain.replacing("\\N", with: "\n").replacing("\\n", with: "\n").replacing("\\h", with: " ")
            .replacing("\t", with: " ")
        return CharacterReferences.resolved(plain)
    }
}

/// The character references of HTML, which subtitle files also have: `&amp;`, `&#39;`, `&eacute;`.
enum CharacterReferences {
    /// The names of the characters from U+00A0 to U+00FF.
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro
        para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
        Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
        Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
        igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute
        thorn yuml
        """

    private static let named: [Substring: Unicode.Scalar] = {
        var named: [Substring: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "ndash": "–", "mdash": "—",
            "hellip": "…",
            "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "lsaquo": "‹",
            "rsaquo": "›", "euro": "€", "oelig": "œ", "OElig": "Œ", "scaron": "š", "Scaron": "Š", "bull": "•",
            "lrm": "\u{200E}", "rlm": "\u{200F}",
        ]
        for (name, code) in zip(latin.split(whereSeparator: \.isWhitespace), UInt8(0xA0)...0xFF) {
            named[name] = Unicode.Scalar(code)
        }
        named["nbsp"] = " "
        return named
    }()

    /// Returns a text with the characters in place of their references. What is none stays.
    static func resolved(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var resolved = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            resolved += rest[..<start]
            let name = rest[rest.index(after: start)...].prefix(10).prefix { $0 != ";" && $0 != "&" }
            if name.endIndex < rest.endIndex, rest[name.endIndex] == ";", let scalar = scalar(name) {
                resolved.unicodeScalars.append(scalar)
                rest = rest[rest.index(after: name.endIndex)...]
            } else {
                resolved.append("&")
                rest = rest[rest.index(after: start)...]
            }
        }
        return resolved + rest
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        guard name.first == "#" else { return named[name] }
        let digits = name.dropFirst()
        let code =
            digits.first == "x" || digits.first == "X"
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap { $0 >= 0x20 ? Unicode.Scalar($0) : nil }
    }
}

/// Titles as plain text, with an empty line between two titles. A line with a single hyphen is an empty title.
public enum TitlePlainText {
    /// Reads a text. No title has a bar.
    public static func titles(of bytes: [UInt8]) throws(ExplainedError) -> [Title] {
        var titles: [Title] = []
        var lines: [String] = []
        func finish() {
            guard !lines.isEmpty else { return }
            titles.append(
                Title(texts: [TitleText(text: lines == ["-"] ? "" : lines.joined(separator: "\n"))]))
            lines = []
        }
        for line in try numberedLines(of: bytes) {
            if line.isBlank { finish() } else { lines.append(line.text) }
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

    /// True for a line without visible characters: blanks, tabs and no-break spaces are none.
    var isBlank: Bool { text.unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0 == "\u{FEFF}" } }
    var hasArrow: Bool { text.contains("-->") }
    var isNumber: Bool {
        !isBlank && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x20 || $0 == 0x09 }
    }
}

/// Splits a text file into lines, whichever line ends it has.
func numberedLines(of bytes: [UInt8]) throws(ExplainedError) -> [TextLine] {
    guard bytes.count <= TitleSheet.maximumBytes else {
        throw ExplainedError(
            "The file has \(bytes.count) bytes; a list of titles has \(TitleSheet.maximumBytes) at most.")
    }
    guard let decoded = DecodedText(bytes), !decoded.isGuess else {
        throw ExplainedError(
            "The file is neither UTF-8 nor UTF-16 text; save it with one of these encodings.")
    }
    return withPlainLineEnds(decoded.text).split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
        .map { TextLine(number: $0 + 1, text: String($1)) }
}
