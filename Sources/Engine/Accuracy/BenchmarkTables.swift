extension BenchmarkReport {
    private static let columns: [(Metric, String)] = [
        (.cases, "cases"), (.lostCases, "lost"), (.onsets, "onsets"), (.onsetMisses, "miss"),
        (.onsetMedian, "onset med"), (.onsetAbsMedian, "|onset| med"), (.onsetAbsP95, "|onset| p95"),
        (.onsetWithin100ms, "onset<=.1"), (.onsetWithin250ms, "<=.25"), (.onsetWithin500ms, "<=.5"),
        (.onsetWithin1s, "<=1"), (.positionMedian, "pos med"), (.positionP95, "pos p95"),
        (.positionWithin250ms, "pos<=.25"), (.positionWithin500ms, "<=.5"), (.positionWithin1s, "<=1"),
        (.measureHit, "measure"), (.measureWithinOne, "+-1"), (.longestLost, "worst lost s"),
    ]

    /// Returns all tables as Markdown, ending in a line feed.
    public func tables(perCase: Bool = false) -> String {
        let usual = ["real", "piano", "orchestra", "multi", "stress"]
        let known = usual.compactMap { name in groups.first { $0.name == name } }
        let ordered = known + groups.filter { !usual.contains($0.name) }
        var out = Self.table(ordered.map { ($0.name, $0.pooled) }, first: "group")
        if entries.contains(where: { $0.disruption?.kind?.isEmpty == false }) { out += disruptionTable() }
        if perCase { out += "\n" + Self.table(entries.map { ($0.id, $0.summary) }, first: "case") }
        if !missingCaseIDs.isEmpty {
            out +=
                "\nno output for \(missingCaseIDs.count) case(s): \(missingCaseIDs.joined(separator: ", "))\n"
        }
        return out
    }

    private static func table(_ rows: [(String, AccuracySummary)], first: String) -> String {
        var out = "| \(first) | " + columns.map(\.1).joined(separator: " | ") + " |\n"
        out += "|" + String(repeating: "---|", count: columns.count + 1) + "\n"
        for (name, summary) in rows {
            out += "| \(name) | " + columns.map { summary[$0.0].text }.joined(separator: " | ") + " |\n"
        }
        return out
    }

    private func disruptionTable() -> String {
        var out =
            "\n| disruption | case | recovery s | longest lost s | pos<=.5 | measure | false start | end drop |\n"
            + "|---|---|---|---|---|---|---|---|\n"
        let rows = entries.enumerated().compactMap { index, entry in
            entry.disruption?.kind.flatMap { $0.isEmpty ? nil : (kind: $0, index: index, entry: entry) }
        }
        let sorted = rows.sorted {
            $0.kind == $1.kind ? $0.index < $1.index : $0.kind.utf8.lexicographicallyPrecedes($1.kind.utf8)
        }
        for row in sorted {
            let score = row.entry.score
            let never = row.entry.isRecoveryScored ? "never" : "n/a"
            let cells = [
                row.kind, row.entry.id, score.recoverySeconds.map { "\($0)" } ?? never,
                row.entry.summary[.longestLost].text, row.entry.summary[.positionWithin500ms].text,
                row.entry.summary[.measureHit].text, score.falseStart.map { $0 ? "True" : "False" } ?? "None",
                score.stepBackAfterEnd.map { "\($0)" } ?? "None",
            ]
            out += "| " + cells.joined(separator: " | ") + " |\n"
        }
        return out
    }

    /// The members `groups`, `cases` and `missing` of the JSON file of results.
    public var jsonMembers: [OrderedJSON.Member] {
        [
            .init("groups", .object(groups.map { .init($0.name, Self.json($0)) })),
            .init("cases", .object(entries.map { .init($0.id, Self.json($0)) })),
            .init("missing", .list(missingCaseIDs.map(OrderedJSON.text))),
        ]
    }

    private static func json(_ group: Group) -> OrderedJSON {
        var members = figures(group.pooled)
        members += group.macroAverages.map { .init("macro_" + $0.metric.rawValue, .number($0.mean)) }
        if let recovery = group.recovery {
            members.append(.init("recovery_cases", .integer(recovery.cases)))
            members.append(.init("recovered", .integer(recovery.recovered)))
            members.append(.init("recovery_median_s", OrderedJSON(recovery.medianSeconds)))
        }
        return .object(members)
    }

    private static func json(_ entry: Entry) -> OrderedJSON {
        .object(
            figures(entry.summary) + [
                .init("group", .text(entry.group)),
                .init("lost", .bool(entry.score.isLost)),
                .init("recovery_s", OrderedJSON(entry.score.recoverySeconds)),
                .init("disruption", entry.disruption?.kind.map(OrderedJSON.text) ?? .null),
                .init("false_start", OrderedJSON(entry.score.falseStart)),
                .init("end_drop", OrderedJSON(entry.score.stepBackAfterEnd)),
                .init("missing_output", .bool(entry.isMissing)),
            ])
    }

    private static func figures(_ summary: AccuracySummary) -> [OrderedJSON.Member] {
        Metric.allCases.map { .init($0.rawValue, OrderedJSON(summary[$0])) }
    }
}
