import Basics
import Score

/// A piece that is being prepared, as far as people edit it: its name, bars, marks and end.
public struct PieceDraft: Hashable, Sendable, Codable {
    public private(set) var name: String
    /// The number of beats of a bar; nil if unknown or changing.
    public private(set) var beatsPerBar: Int?
    /// The bars in order of time; no two have the same time.
    public private(set) var bars: [DraftBar] = []
    /// The time at which the last bar ends, in seconds; nil if unknown.
    public private(set) var end: Double?
    /// The marks in order of their ids.
    public private(set) var marks: [DraftMark] = []

    /// - Throws: ``ExplainedError`` if the name is empty, too long or has several lines.
    public init(name: String) throws(ExplainedError) {
        self.name = ""
        // A new piece often takes the name of a file or a tab, which may hold semicolons.
        _ = try rename(name.replacing(";", with: ","))
    }

    /// Carries out the edits that are possible, in order. The others are skipped, and a sentence says why.
    public mutating func apply(_ edits: [DraftEdit]) -> DraftEditOutcome {
        var outcome = DraftEditOutcome()
        var inverses: [[DraftEdit]] = []
        for edit in edits {
            do throws(ExplainedError) {
                inverses.append(try apply(edit))
                outcome.applied.append(edit)
            } catch {
                outcome.skipped.append(error.sentence)
            }
        }
        outcome.inverse = inverses.reversed().flatMap { $0 }
        return outcome
    }

    /// Carries out one edit.
    /// - Returns: the edits that undo it.
    /// - Throws: ``ExplainedError``; nothing is changed then.
    public mutating func apply(_ edit: DraftEdit) throws(ExplainedError) -> [DraftEdit] {
        switch edit {
        case .move(let bar, let seconds, let doubt, let reasons, let origin, let checked):
            try move(bar, to: seconds, doubt, reasons, origin, checked)
        case .insert(let bar, let seconds, let printed, let doubt, let reasons, let origin, let checked):
            try insert(
                DraftBar(
                    id: bar, seconds: seconds, printed: printed, doubt: doubt ?? 0, reasons: reasons ?? [],
                    origin: origin ?? .person, isChecked: checked ?? true))
        case .delete(let bar): try delete(bar)
        case .shift(let from, let by): try shift(from, by: by)
        case .renumber(let from, let number, let through):
            try renumber(from, number: number, through: through)
        case .number(let bar, let number): try setNumber(of: bar, to: number)
        case .check(let bar, let checked): try setChecked(bar, checked)
        case .end(let seconds): try setEnd(seconds)
        case .mark(let id, let bar, let kind, let text):
            try setMark(DraftMark(id: id, bar: bar, kind: kind, text: text))
        case .unmark(let id): try removeMark(id)
        case .name(let name): try rename(name)
        case .beatsPerBar(let beats): try setBeats(beats)
        case .replaceBars(let bars, let end, let marks): try replaceBars(bars, end: end, marks: marks)
        }
    }

    private func index(of bar: String) throws(ExplainedError) -> Int {
        guard let index = bars.firstIndex(where: { $0.id == bar }) else {
            throw ExplainedError("The bar no longer exists; somebody deleted it.")
        }
        return index
    }

    /// The index of the first bar at or after a time.
    /// - Complexity: O(log bars).
    private func position(of seconds: Double) -> Int {
        var (low, high) = (0, bars.count)
        while low < high {
            let middle = (low + high) / 2
            if bars[middle].seconds < seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func checkedTime(_ seconds: Double) throws(ExplainedError) -> Double {
        guard seconds.isFinite, (0...DraftLimits.latestSeconds).contains(seconds) else {
            throw ExplainedError(
                "A bar can begin from 0 to \(Int(DraftLimits.latestSeconds)) seconds after the recording's start."
            )
        }
        return DraftLimits.rounded(seconds)
    }

    private static func checkedEnd(_ seconds: Double) throws(ExplainedError) -> Double {
        let seconds = try checkedTime(seconds)
        guard seconds > 0 else {
            throw ExplainedError(
                "The piece must end after the recording's start; give the time at which its last bar ends.")
        }
        return seconds
    }

    private static func checkedNumber(_ number: Int) throws(ExplainedError) -> Int {
        guard DraftLimits.printedNumbers.contains(number) else {
            throw ExplainedError("A bar's number is from \(DraftLimits.printedNumbers.lowerBound) to 99999.")
        }
        return number
    }

    private static func checked(_ bar: DraftBar) throws(ExplainedError) -> DraftBar {
        guard DraftLimits.isValidID(bar.id) else {
            throw ExplainedError("A bar's id has 1 to 64 letters, digits, dashes and underscores.")
        }
        var bar = bar
        bar.seconds = try checkedTime(bar.seconds)
        bar.printed = try checkedNumber(bar.printed)
        bar.doubt = bar.doubt.isFinite ? min(max(bar.doubt, 0), 1) : 1
        bar.reasons = bar.reasons.prefix(DraftLimits.mostReasons).map {
            String($0.prefix(DraftLimits.longestText))
        }
        return bar
    }

    /// Puts a checked bar at its place.
    private mutating func place(_ bar: DraftBar) throws(ExplainedError) {
        let position = position(of: bar.seconds)
        guard position == bars.count || bars[position].seconds != bar.seconds else {
            throw ExplainedError("Bar \(bars[position].printed) begins at exactly this time already.")
        }
        bars.insert(bar, at: position)
    }
}

extension PieceDraft {
    private mutating func move(
        _ id: String, to seconds: Double, _ doubt: Double?, _ reasons: [String]?,
        _ origin: DraftBar.Origin?, _ checked: Bool?
    ) throws(ExplainedError) -> [DraftEdit] {
        let index = try index(of: id)
        let old = bars[index]
        let new = try Self.checked(
            DraftBar(
                id: id, seconds: seconds, printed: old.printed, doubt: doubt ?? 0, reasons: reasons ?? [],
                origin: origin ?? .person, isChecked: checked ?? true))
        let before = bars
        bars.remove(at: index)
        do throws(ExplainedError) { try place(new) } catch {
            bars = before
            throw error
        }
        return [
            .move(
                bar: id, seconds: old.seconds, doubt: old.doubt, reasons: old.reasons, origin: old.origin,
                checked: old.isChecked)
        ]
    }

    private mutating func insert(_ bar: DraftBar) throws(ExplainedError) -> [DraftEdit] {
        let bar = try Self.checked(bar)
        guard bars.count < DraftLimits.mostBars else {
            throw ExplainedError("A piece can have \(DraftLimits.mostBars) bars; divide it into movements.")
        }
        guard !bars.contains(where: { $0.id == bar.id }) else {
            throw ExplainedError("There is a bar with the id “\(bar.id)” already.")
        }
        try place(bar)
        return [.delete(bar: bar.id)]
    }

    private mutating func delete(_ id: String) throws(ExplainedError) -> [DraftEdit] {
        let old = bars.remove(at: try index(of: id))
        let lost = marks.filter { $0.bar == id }
        marks.removeAll { $0.bar == id }
        return [
            .insert(
                bar: id, seconds: old.seconds, printed: old.printed, doubt: old.doubt, reasons: old.reasons,
                origin: old.origin, checked: old.isChecked)
        ] + lost.map { .mark(id: $0.id, bar: id, kind: $0.kind, text: $0.text) }
    }

    private mutating func shift(_ from: String, by distance: Double) throws(ExplainedError) -> [DraftEdit] {
        let first = try index(of: from)
        guard distance.isFinite, abs(distance) <= DraftLimits.latestSeconds else {
            throw ExplainedError("Bars can be moved by at most \(Int(DraftLimits.latestSeconds)) seconds.")
        }
        let distance = DraftLimits.rounded(distance)
        func moved(_ seconds: Double) -> Double { DraftLimits.rounded(seconds + distance) }
        let earliest = moved(bars[first].seconds)
        guard earliest >= 0, first == 0 || earliest > bars[first - 1].seconds else {
            throw ExplainedError(
                first == 0
                    ? "Bar \(bars[first].printed) would begin before the recording."
                    : "Bar \(bars[first].printed) would begin before bar \(bars[first - 1].printed).")
        }
        let latest = moved(max(bars[bars.count - 1].seconds, end ?? 0))
        guard latest <= DraftLimits.latestSeconds, end.map({ moved($0) > 0 }) ?? true else {
            throw ExplainedError("The last bars would lie outside the longest recording that is possible.")
        }
        for index in first..<bars.count { bars[index].seconds = moved(bars[index].seconds) }
        end = end.map(moved)
        return [.shift(from: from, by: -distance)]
    }

    private mutating func renumber(
        _ from: String, number: Int, through: String?
    ) throws(ExplainedError) -> [DraftEdit] {
        let first = try index(of: from)
        var last = first
        if let through {
            last = try index(of: through)
            guard last >= first else {
                throw ExplainedError("The last bar to be numbered lies before the first one.")
            }
        } else {
            while last + 1 < bars.count, (0...1).contains(bars[last + 1].printed - bars[last].printed) {
                last += 1
            }
        }
        let old = bars[first].printed
        let difference = try Self.checkedNumber(number) - old
        for index in first...last { _ = try Self.checkedNumber(bars[index].printed + difference) }
        for index in first...last { bars[index].printed += difference }
        return [.renumber(from: from, number: old, through: bars[last].id)]
    }

    private mutating func setNumber(of bar: String, to number: Int) throws(ExplainedError) -> [DraftEdit] {
        let index = try index(of: bar)
        let old = bars[index].printed
        bars[index].printed = try Self.checkedNumber(number)
        return [.number(bar: bar, number: old)]
    }

    private mutating func setChecked(_ bar: String, _ isChecked: Bool) throws(ExplainedError) -> [DraftEdit] {
        let index = try index(of: bar)
        let old = bars[index].isChecked
        bars[index].isChecked = isChecked
        return [.check(bar: bar, checked: old)]
    }

    private mutating func setEnd(_ seconds: Double?) throws(ExplainedError) -> [DraftEdit] {
        let old = end
        end = try seconds.map { seconds throws(ExplainedError) in try Self.checkedEnd(seconds) }
        return [.end(seconds: old)]
    }

    private mutating func setMark(_ mark: DraftMark) throws(ExplainedError) -> [DraftEdit] {
        try check(mark, in: Set(bars.map(\.id)))
        let old = marks.first { $0.id == mark.id }
        guard old != nil || marks.count < DraftLimits.mostMarks else {
            throw ExplainedError("A piece can have \(DraftLimits.mostMarks) marks.")
        }
        marks.removeAll { $0.id == mark.id }
        marks.append(mark)
        marks.sort { $0.id < $1.id }
        return [
            old.map { .mark(id: $0.id, bar: $0.bar, kind: $0.kind, text: $0.text) } ?? .unmark(id: mark.id)
        ]
    }

    private func check(_ mark: DraftMark, in bars: Set<String>) throws(ExplainedError) {
        guard bars.contains(mark.bar) else {
            throw ExplainedError("The bar of the mark no longer exists; somebody deleted it.")
        }
        guard DraftLimits.isValidID(mark.id), mark.text.unicodeScalars.count <= DraftLimits.longestText else {
            throw ExplainedError(
                "A mark has an id and a text of at most \(DraftLimits.longestText) characters.")
        }
    }

    private mutating func removeMark(_ id: String) throws(ExplainedError) -> [DraftEdit] {
        guard let index = marks.firstIndex(where: { $0.id == id }) else {
            throw ExplainedError("The mark no longer exists; somebody removed it.")
        }
        let old = marks.remove(at: index)
        return [.mark(id: id, bar: old.bar, kind: old.kind, text: old.text)]
    }

    private mutating func rename(_ name: String) throws(ExplainedError) -> [DraftEdit] {
        guard name.contains(where: { !$0.isWhitespace }),
            name.unicodeScalars.count <= DraftLimits.longestName,
            !name.unicodeScalars.contains(where: \.isControlOrLineBreak)
        else {
            throw ExplainedError(
                "A piece's name is one line of 1 to \(DraftLimits.longestName) characters without control "
                    + "characters.")
        }
        let old = self.name
        do throws(ExplainedError) { self.name = try PieceName(entered: name).text } catch {
            throw ExplainedError(error.sentence)
        }
        return [.name(name: old)]
    }

    private mutating func setBeats(_ beats: Int?) throws(ExplainedError) -> [DraftEdit] {
        guard beats.map({ (1...64).contains($0) }) ?? true else {
            throw ExplainedError("A bar has from 1 to 64 beats.")
        }
        let old = beatsPerBar
        beatsPerBar = beats
        return [.beatsPerBar(beats: old)]
    }

    private mutating func replaceBars(
        _ bars: [DraftBar], end: Double?, marks: [DraftMark]?
    ) throws(ExplainedError) -> [DraftEdit] {
        guard bars.count <= DraftLimits.mostBars, (marks ?? []).count <= DraftLimits.mostMarks else {
            throw ExplainedError(
                "A piece can have \(DraftLimits.mostBars) bars and \(DraftLimits.mostMarks) marks.")
        }
        var new: [DraftBar] = []
        for bar in bars { new.append(try Self.checked(bar)) }
        new.sort { $0.seconds < $1.seconds }
        for (earlier, later) in zip(new, new.dropFirst()) where earlier.seconds == later.seconds {
            throw ExplainedError("Bars \(earlier.printed) and \(later.printed) begin at the same time.")
        }
        let ids = Set(new.map(\.id))
        guard ids.count == new.count else { throw ExplainedError("Two bars have the same id.") }
        let newEnd = try end.map { seconds throws(ExplainedError) in try Self.checkedEnd(seconds) }
        for mark in marks ?? [] { try check(mark, in: ids) }
        guard Set((marks ?? []).map(\.id)).count == (marks ?? []).count else {
            throw ExplainedError("Two marks have the same id.")
        }
        let inverse = DraftEdit.replaceBars(bars: self.bars, end: self.end, marks: self.marks)
        self.bars = new
        self.end = newEnd
        self.marks = marks.map { $0.sorted { $0.id < $1.id } } ?? self.marks.filter { ids.contains($0.bar) }
        return [inverse]
    }
}
