/// The results of page turns over a set of cases, by group. Each case is scored with several invented page layouts.
public struct PageTurnReport: Sendable {
    /// The page turns in one case.
    public struct CasePageTurns: Sendable {
        public var id: String
        public var group: String
        /// One score for each invented page layout.
        public var accuracyByPageLayout: [PageTurnAccuracy]

        public init(id: String, group: String, accuracyByPageLayout: [PageTurnAccuracy]) {
            self.id = id
            self.group = group
            self.accuracyByPageLayout = accuracyByPageLayout
        }
    }

    private let casePageTurns: [CasePageTurns]

    public init(_ entries: [CasePageTurns]) { self.casePageTurns = entries }

    /// The figures of each group in the order of first appearance, then those of all cases as `ALL`.
    public var talliesByGroup: [(name: String, tally: PageTurnTally)] {
        var names: [String] = []
        for entry in casePageTurns where !names.contains(entry.group) { names.append(entry.group) }
        return names.map { name in (name, PageTurnTally(casePageTurns.filter { $0.group == name })) }
            + [("ALL", PageTurnTally(casePageTurns))]
    }

    /// Returns a Markdown table, ending in a line feed.
    public func markdownTable(perCase: Bool) -> String {
        var out = "| turns | " + PageTurnTally.columnHeadings.joined(separator: " | ") + " |\n"
        out += "|" + String(repeating: "---|", count: PageTurnTally.columnHeadings.count + 1) + "\n"
        func row(_ name: String, _ tally: PageTurnTally) {
            out += "| " + ([name] + tally.tableCells).joined(separator: " | ") + " |\n"
        }
        for group in talliesByGroup { row(group.name, group.tally) }
        if perCase {
            for entry in casePageTurns
            where entry.accuracyByPageLayout.contains(where: { !$0.turnResults.isEmpty }) {
                row(entry.id, PageTurnTally([entry]))
            }
        }
        return out
    }

    /// Returns a Markdown table of the page turns that came more than half a second early or late, the worst first.
    public func mistimedTurnTable(most: Int = 12) -> String {
        var out = "| case | after measure | early or late s | follower s | cause |\n|---|---|---|---|---|\n"
        for fault in mistimedTurns.prefix(most) {
            out +=
                "| \(fault.id) | \(fault.turn.wishedTurn.lastMeasureBeforeTurn) | "
                + "\(Self.formatNumber(fault.turn.errorSeconds, 2)) | "
            out +=
                "\(Self.formatNumber(fault.turn.followerSeconds, 2)) | \(fault.turn.cause?.rawValue ?? "-") |\n"
        }
        if mistimedTurns.count > most {
            out += "\n\(mistimedTurns.count - most) further places are in the JSON.\n"
        }
        return out
    }

    /// The page turns that came more than half a second early or late, the worst first. A place in the music is listed
    /// once, even if several page layouts turn there.
    private var mistimedTurns: [(id: String, turn: PageTurnAccuracy.TurnResult)] {
        var faults: [(id: String, turn: PageTurnAccuracy.TurnResult)] = []
        for entry in casePageTurns {
            var seen: Set<Double> = []
            for turn in entry.accuracyByPageLayout.flatMap(\.turnResults) where turn.cause != nil {
                if seen.insert(turn.wishedTurn.wishedAtSeconds).inserted { faults.append((entry.id, turn)) }
            }
        }
        return faults.sorted { $0.turn.absoluteErrorSeconds > $1.turn.absoluteErrorSeconds }
    }

    public var json: OrderedJSON {
        .object([
            .init("groups", .object(talliesByGroup.map { .init($0.name, $0.tally.json) })),
            .init("cases", .object(casePageTurns.map { .init($0.id, PageTurnTally([$0]).json) })),
            .init("faults", .list(mistimedTurns.map { Self.jsonOfMistimedTurn($0.turn, of: $0.id) })),
        ])
    }

    private static func jsonOfMistimedTurn(_ turn: PageTurnAccuracy.TurnResult, of id: String) -> OrderedJSON
    {
        .object([
            .init("case", .text(id)), .init("after_measure", .integer(turn.wishedTurn.lastMeasureBeforeTurn)),
            .init("wished_s", .number(turn.wishedTurn.wishedAtSeconds.rounded(places: 3))),
            .init("error_s", OrderedJSON(turn.errorSeconds?.rounded(places: 3))),
            .init("follower_s", OrderedJSON(turn.followerSeconds?.rounded(places: 3))),
            .init("cause", .text(turn.cause?.rawValue ?? "")),
        ])
    }

    static func formatNumber(_ value: Double?, _ places: Int) -> String {
        value.map { "\($0.rounded(places: places))" } ?? "-"
    }
}
