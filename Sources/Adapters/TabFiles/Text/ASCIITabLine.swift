/// A line of a tab as people write it: the name of its string, what is on the string, and the words beside and in it.
struct ASCIITabLine {
    var label: String
    /// The column in the file where the content begins: its first bar line or dash.
    var start: Int
    /// The line from ``start`` to its last bar line, with dashes in place of words.
    var content: [Character]
    /// The words in the line that are no marks of techniques, such as `full`.
    var words: [String] = []
    /// The text after the last bar line, such as `Repeat 4 times`.
    var beside = ""
    /// True if the line is one of a tab whatever stands above and below it.
    var isSure: Bool

    private static let marks: Set<Character> = Set("-|:0123456789hpbr/\\~^()<>xXtTsSvV*=.[]+gG# ")
    private static let techniques: Set<Character> = Set("hpbrsxXtTsSvVgG/\\.")

    /// - Returns: nil for a line that can be no line of strings.
    init?(_ line: [Character]) {
        guard let start = Self.start(of: line), line.count - start >= 3 else { return nil }
        label = String(line[..<start]).trimmed
        self.start = start
        let end = Self.end(of: line, from: start)
        beside = String(line[end...]).trimmed
        content = Array(line[start..<end])
        let known = content.count { Self.marks.contains($0) }
        let dashes = content.count { $0 == "-" || $0 == "=" }
        let digits = content.count { $0.isASCII && $0.isNumber }
        isSure = dashes >= 2 && known * 10 >= content.count * 9 && dashes * 4 >= content.count
        let isNamed = ASCIIStaffBlock.pitch(named: label) != nil || (label.isEmpty && line[start] == "|")
        let isPossible = isNamed && dashes + digits >= 2 && (dashes + digits) * 3 >= content.count
        guard isSure || isPossible else { return nil }
        takeOutWords()
    }

    /// The index at which a line's strings begin: its first bar line or dash, after at most a short name.
    static func start(of line: [Character]) -> Int? {
        guard let at = line.firstIndex(where: { $0 == "|" || $0 == "-" || $0 == ":" }), at <= 12 else {
            return nil
        }
        let label = String(line[..<at]).trimmed
        return label.count <= 4 && label.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "#" }) ? at : nil
    }

    /// The index after the last bar line or, if the line goes on after it, of the first words after a blank.
    private static func end(of line: [Character], from start: Int) -> Int {
        let bar = line.lastIndex(of: "|").flatMap { $0 > start ? $0 : nil }
        if let bar {
            let after = line[(bar + 1)...]
            let goesOn = after.contains("-") && after.first.map { $0 == "-" || $0.isNumber } == true
            if !goesOn { return bar + 1 }
        }
        var at = (bar ?? start) + 1
        while at < line.count {
            if line[at] == " " {
                let next = line[at...].first { $0 != " " }
                if next.map({ !("-|".contains($0) || $0.isNumber) }) ?? true { return at }
            }
            at += 1
        }
        return line.count
    }

    /// Puts dashes in the place of words. Letters that mark techniques stay, and single letters.
    private mutating func takeOutWords() {
        var at = 0
        while at < content.count {
            guard content[at].isLetter else {
                at += 1
                continue
            }
            var end = at + 1
            while end < content.count, content[end].isLetter || "/.&'".contains(content[end]) { end += 1 }
            while end > at + 1, !content[end - 1].isLetter { end -= 1 }
            let word = content[at..<end]
            if word.count > 1, !word.allSatisfy({ Self.techniques.contains($0) }) {
                words.append(String(word))
                for index in at..<end { content[index] = "-" }
            }
            at = end
        }
    }
}
