/// Page turns of a set of cases by group; each case is played with several made-up parts.
public struct TurnReport: Sendable {
    public struct Entry: Sendable {
        public var id: String
        public var group: String
        /// One score for each made-up part.
        public var parts: [TurnScore]

        public init(id: String, group: String, parts: [TurnScore]) {
            self.id = id
            self.group = group
            self.parts = parts
        }
    }

    private let entries: [Entry]

    public init(_ entries: [Entry]) { self.entries = entries }

    /// The page turns of each group, in the order of first appearance, then `ALL`.
    public var groups: [(name: String, tally: TurnTally)] {
        var names: [String] = []
        for entry in entries where !names.contains(entry.group) { names.append(entry.group) }
        return names.map { name in (name, TurnTally(entries.filter { $0.group == name })) }
            + [("ALL", TurnTally(entries))]
    }

    /// Markdown, ending in a line feed.
    public func table(perCase: Bool) -> String {
        var out = "| turns | " + TurnTally.heads.joined(separator: " | ") + " |\n"
        out += "|" + String(repeating: "---|", count: TurnTally.heads.count + 1) + "\n"
        func row(_ name: String, _ tally: TurnTally) {
            out += "| " + ([name] + tally.cells).joined(separator: " | ") + " |\n"
        }
        for group in groups { row(group.name, group.tally) }
        if perCase {
            for entry in entries where entry.parts.contains(where: { !$0.turns.isEmpty }) {
                row(entry.id, TurnTally([entry]))
            }
        }
        return out
    }

    /// The places where a page came more than half a second early or late, the worst first.
    public func faultTable(most: Int = 12) -> String {
        var out = "| case | after measure | early or late s | follower s | cause |\n|---|---|---|---|---|\n"
        for fault in faults.prefix(most) {
            out += "| \(fault.id) | \(fault.turn.wish.measure) | \(Self.text(fault.turn.errorSeconds, 2)) | "
            out += "\(Self.text(fault.turn.followerSeconds, 2)) | \(fault.turn.cause?.rawValue ?? "-") |\n"
        }
        if faults.count > most { out += "\n\(faults.count - most) further places are in the JSON.\n" }
        return out
    }

    /// Each place once, however many parts have a page ending there.
    private var faults: [(id: String, turn: TurnScore.Turn)] {
        var faults: [(id: String, turn: TurnScore.Turn)] = []
        for entry in entries {
            var seen: Set<Double> = []
            for turn in entry.parts.flatMap(\.turns) where turn.cause != nil {
                if seen.insert(turn.wish.seconds).inserted { faults.append((entry.id, turn)) }
            }
        }
        return faults.sorted { $0.turn.farOffSeconds > $1.turn.farOffSeconds }
    }

    public var json: OrderedJSON {
        .object([
            .init("groups", .object(groups.map { .init($0.name, $0.tally.json) })),
            .init("cases", .object(entries.map { .init($0.id, TurnTally([$0]).json) })),
            .init("faults", .list(faults.map { Self.json($0.turn, of: $0.id) })),
        ])
    }

    private static func json(_ turn: TurnScore.Turn, of id: String) -> OrderedJSON {
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
