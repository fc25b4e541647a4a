/// The results of page turns over a set of cases, by group. Each case is scored with several invented page layouts.
public struct PageTurnReport: Sendable {
    public struct Entry: Sendable {
        public var id: String
        public var group: String
        /// One score for each invented page layout.
        public var partScores: [PageTurnScore]

        public init(id: String, group: String, partScores: [PageTurnScore]) {
            self.id = id
            self.group = group
            self.partScores = partScores
        }
    }

    private let entries: [Entry]

    public init(_ entries: [Entry]) { self.entries = entries }

    /// The figures of each group in the order of first appearance, then those of all cases as `ALL`.
    public var groups: [(name: String, tally: PageTurnTally)] {
        var names: [String] = []
        for entry in entries where !names.contains(entry.group) { names.append(entry.group) }
        return names.map { name in (name, PageTurnTally(entries.filter { $0.group == name })) }
            + [("ALL", PageTurnTally(entries))]
    }

    /// Returns a Markdown table, ending in a line feed.
    public func table(perCase: Bool) -> String {
        var out = "| turns | " + PageTurnTally.heads.joined(separator: " | ") + " |\n"
        out += "|" + String(repeating: "---|", count: PageTurnTally.heads.count + 1) + "\n"
        func row(_ name: String, _ tally: PageTurnTally) {
            out += "| " + ([name] + tally.cells).joined(separator: " | ") + " |\n"
        }
        for group in groups { row(group.name, group.tally) }
        if perCase {
            for entry in entries where entry.partScores.contains(where: { !$0.turns.isEmpty }) {
                row(entry.id, PageTurnTally([entry]))
            }
        }
        return out
    }

    /// Returns a Markdown table of the page turns that came more than half a second early or late, the worst first.
    public func mistimedTurnTable(most: Int = 12) -> String {
        var out = "| case | after measure | early or late s | follower s | cause |\n|---|---|---|---|---|\n"
        for fault in mistimedTurns.prefix(most) {
            out += "| \(fault.id) | \(fault.turn.wish.measure) | \(Self.text(fault.turn.errorSeconds, 2)) | "
            out += "\(Self.text(fault.turn.followerSeconds, 2)) | \(fault.turn.cause?.rawValue ?? "-") |\n"
        }
        if mistimedTurns.count > most {
            out += "\n\(mistimedTurns.count - most) further places are in the JSON.\n"
        }
        return out
    }

    /// The page turns that came more than half a second early or late, the worst first. A place in the music is listed
    /// once, even if several page layouts turn there.
    private var mistimedTurns: [(id: String, turn: PageTurnScore.TurnResult)] {
        var faults: [(id: String, turn: PageTurnScore.TurnResult)] = []
        for entry in entries {
            var seen: Set<Double> = []
            for turn in entry.partScores.flatMap(\.turns) where turn.cause != nil {
                if seen.insert(turn.wish.seconds).inserted { faults.append((entry.id, turn)) }
            }
        }
        return faults.sorted { $0.turn.absoluteErrorSeconds > $1.turn.absoluteErrorSeconds }
    }

    public var json: OrderedJSON {
        .object([
            .init("groups", .object(groups.map { .init($0.name, $0.tally.json) })),
            .init("cases", .object(entries.map { .init($0.id, PageTurnTally([$0]).json) })),
            .init("faults", .list(mistimedTurns.map { Self.json($0.turn, of: $0.id) })),
        ])
    }

    private static func json(_ turn: PageTurnScore.TurnResult, of id: String) -> OrderedJSON {
        .object([
            .init("case", .text(id)), .init("after_measure", .integer(turn.wish.measure)),
            .init("wished_s", .number(turn.wish.seconds.rounded(places: 3))),
            .init("error_s", OrderedJSON(turn.errorSeconds?.rounded(places: 3))),
            .init("follower_s", OrderedJSON(turn.followerSeconds?.rounded(places: 3))),
            .init("cause", .text(turn.cause?.rawValue ?? "")),
        ])
    }

    static func text(_ value: Double?, _ places: Int) -> String {
        value.map { "\($0.rounded(places: places))" } ?? "-"
    }
}
