/// The errors of predicted bar lines over a set of cases, by group, and those of the cues that fire before their
/// measure; in seconds.
public struct BarLineReport: Sendable {
    /// The results of one case. An error is the predicted or made moment minus the wished one in seconds; infinite if
    /// there was none.
    public struct CaseBarLines: Sendable {
        public var id: String
        public var group: String
        /// Errors of the bar lines predicted by the tempo of the last report alone.
        public var errorsByTempo: [Double]
        /// Errors of the bar lines predicted by the speed of the last seconds, as stands and cues do.
        public var errorsBySpeed: [Double]
        public var cueErrors: [Double]
        /// Cues that fired more than five seconds from every wished moment.
        public var wrongCueCount: Int
        /// Cues that fired while the follower reported that it was lost.
        public var cueCountWhileLost: Int

        public init(
            id: String, group: String, errorsByTempo: [Double], errorsBySpeed: [Double], cueErrors: [Double],
            wrongCueCount: Int, cueCountWhileLost: Int
        ) {
            self.id = id
            self.group = group
            self.errorsByTempo = errorsByTempo
            self.errorsBySpeed = errorsBySpeed
            self.cueErrors = cueErrors
            self.wrongCueCount = wrongCueCount
            self.cueCountWhileLost = cueCountWhileLost
        }
    }

    private let cases: [CaseBarLines]

    public init(_ cases: [CaseBarLines]) { self.cases = cases }

    private var groups: [(name: String, cases: [CaseBarLines])] {
        var names: [String] = []
        for entry in cases where !names.contains(entry.group) { names.append(entry.group) }
        return names.map { name in (name, cases.filter { $0.group == name }) } + [("ALL", cases)]
    }

    /// Returns two Markdown tables, each ending in a line feed, with an empty line between them.
    public func markdownTables(perCase: Bool) -> String {
        let rows = groups + (perCase ? cases.map { ($0.id, [$0]) } : [])
        let headings = ["median s", "90 % s", "97 % s", "≤ 0.25 s", "≤ 0.5 s"]
        var out = Self.row(
            ["next bar line, 1 s ahead", "bars"] + headings.map { "tempo: " + $0 }
                + headings.map { "speed: " + $0 })
        out += "|" + String(repeating: "---|", count: 2 + 2 * headings.count) + "\n"
        for (name, cases) in rows {
            let tempo = ErrorFigures(cases.flatMap(\.errorsByTempo))
            let speed = ErrorFigures(cases.flatMap(\.errorsBySpeed))
            out += Self.row([name, "\(speed.count)"] + tempo.tableCells + speed.tableCells)
        }
        out += "\n" + Self.row(["cues 1 s early", "cues"] + headings + ["missed", "wrong", "while lost"])
        out += "|" + String(repeating: "---|", count: 5 + headings.count) + "\n"
        for (name, cases) in rows {
            let figures = ErrorFigures(cases.flatMap(\.cueErrors))
            out += Self.row(
                [name, "\(figures.count)"] + figures.tableCells + [
                    "\(figures.countWithout)", "\(cases.reduce(0) { $0 + $1.wrongCueCount })",
                    "\(cases.reduce(0) { $0 + $1.cueCountWhileLost })",
                ])
        }
        return out
    }

    private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    public var json: OrderedJSON {
        .object([
            .init("groups", .object(groups.map { .init($0.name, Self.json($0.cases)) })),
            .init("cases", .object(cases.map { .init($0.id, Self.json([$0])) })),
        ])
    }

    private static func json(_ cases: [CaseBarLines]) -> OrderedJSON {
        .object([
            .init("by_tempo", ErrorFigures(cases.flatMap(\.errorsByTempo)).json),
            .init("by_speed", ErrorFigures(cases.flatMap(\.errorsBySpeed)).json),
            .init("cues", ErrorFigures(cases.flatMap(\.cueErrors)).json),
            .init("wrong_cues", .integer(cases.reduce(0) { $0 + $1.wrongCueCount })),
            .init("cues_while_lost", .integer(cases.reduce(0) { $0 + $1.cueCountWhileLost })),
        ])
    }
}

/// Figures over errors in seconds, without sign; an infinite error is outside every tolerance.
private struct ErrorFigures {
    private let sorted: [Double]

    init(_ errors: [Double]) { sorted = errors.map { abs($0) }.sorted() }

    var count: Int { sorted.count }
    var countWithout: Int { sorted.count { $0.isInfinite } }

    private func share(within seconds: Double) -> Double? {
        sorted.isEmpty ? nil : Double(sorted.countAtMost(seconds)) / Double(sorted.count)
    }

    /// Nil if there are no errors, or if the quantile is infinite.
    private func quantile(_ share: Double) -> Double? {
        guard !sorted.isEmpty else { return nil }
        let value = Statistics.quantile(ofSorted: sorted, share)
        return value.isFinite ? value : nil
    }

    private var figures: [(key: String, value: Double?, places: Int)] {
        [
            ("median_s", quantile(0.5), 3), ("p90_s", quantile(0.9), 3), ("p97_s", quantile(0.97), 3),
            ("within_0.25", share(within: 0.25), 4), ("within_0.5", share(within: 0.5), 4),
        ]
    }

    var tableCells: [String] { figures.map { PageTurnReport.formatNumber($0.value, $0.places) } }

    var json: OrderedJSON {
        .object(
            [.init("count", .integer(count)), .init("without", .integer(countWithout))]
                + figures.map { .init($0.key, OrderedJSON($0.value?.rounded(places: $0.places))) })
    }
}
