extension AccuracyBenchmarkReport {
    private static let metricColumns: [(AccuracyMetric, String)] = [
        (.cases, "cases"), (.lostCaseCount, "lost cases"), (.onsets, "onsets"),
        (.missedOnsets, "missed onsets"),
        (.onsetErrorMedian, "onset median s"), (.onsetAbsoluteErrorMedian, "onset size median s"),
        (.onsetAbsoluteErrorPercentile95, "onset size 95 % s"),
        (.onsetShareWithin100ms, "onset ≤ 0.1 s"), (.onsetShareWithin250ms, "onset ≤ 0.25 s"),
        (.onsetShareWithin500ms, "onset ≤ 0.5 s"), (.onsetShareWithin1s, "onset ≤ 1 s"),
        (.positionErrorMedian, "position median s"), (.positionErrorPercentile95, "position 95 % s"),
        (.positionShareWithin250ms, "position ≤ 0.25 s"), (.positionShareWithin500ms, "position ≤ 0.5 s"),
        (.positionShareWithin1s, "position ≤ 1 s"),
        (.rightMeasureShare, "right measure"), (.withinOneMeasureShare, "right within 1"),
        (.longestLostSeconds, "longest lost s"),
    ]

    /// Returns all tables as Markdown, ending in a line feed.
    public func markdownTables(perCase: Bool = false) -> String {
        let usual = ["real", "piano", "orchestra", "multi", "stress"]
        let known = usual.compactMap { name in groups.first { $0.name == name } }
        let ordered = known + groups.filter { !usual.contains($0.name) }
        var out = Self.markdownTable(ordered.map { ($0.name, $0.pooledSummary) }, first: "group")
        if caseResults.contains(where: { $0.disruption?.kind?.isEmpty == false }) {
            out += disruptionMarkdownTable()
        }
        if perCase {
            out += "\n" + Self.markdownTable(caseResults.map { ($0.id, $0.accuracySummary) }, first: "case")
        }
        if !missingCaseIDs.isEmpty {
            out +=
                "\nno output for \(missingCaseIDs.count) case(s): \(missingCaseIDs.joined(separator: ", "))\n"
        }
        return out
    }

    private static func markdownTable(_ rows: [(String, AccuracySummary)], first: String) -> String {
        var out = "| \(first) | " + metricColumns.map(\.1).joined(separator: " | ") + " |\n"
        out += "|" + String(repeating: "---|", count: metricColumns.count + 1) + "\n"
        for (name, summary) in rows {
            out +=
                "| \(name) | " + metricColumns.map { summary[$0.0].printedText }.joined(separator: " | ")
                + " |\n"
        }
        return out
    }

    private func disruptionMarkdownTable() -> String {
        var out =
            "\n| disruption | case | recovery s | longest lost s | position ≤ 0.5 s | right measure | false start | end drop |\n"
            + "|---|---|---|---|---|---|---|---|\n"
        let rows = caseResults.enumerated().compactMap { index, entry in
            entry.disruption?.kind.flatMap { $0.isEmpty ? nil : (kind: $0, index: index, entry: entry) }
        }
        let sorted = rows.sorted {
            $0.kind == $1.kind ? $0.index < $1.index : $0.kind.utf8.lexicographicallyPrecedes($1.kind.utf8)
        }
        for row in sorted {
            let score = row.entry.accuracy
            let never = row.entry.isRecoveryScored ? "never" : "n/a"
            let cells = [
                row.kind, row.entry.id, score.recoverySeconds.map { "\($0)" } ?? never,
                row.entry.accuracySummary[.longestLostSeconds].printedText,
                row.entry.accuracySummary[.positionShareWithin500ms].printedText,
                row.entry.accuracySummary[.rightMeasureShare].printedText,
                score.hasFalseStart.map { $0 ? "True" : "False" } ?? "None",
                score.stepBackAfterEnd.map { "\($0)" } ?? "None",
            ]
            out += "| " + cells.joined(separator: " | ") + " |\n"
        }
        return out
    }

    /// The members `groups`, `cases` and `missing` of the JSON file of results.
    public var jsonMembers: [OrderedJSON.Member] {
        [
            .init("groups", .object(groups.map { .init($0.name, Self.jsonOfGroup($0)) })),
            .init("cases", .object(caseResults.map { .init($0.id, Self.jsonOfCase($0)) })),
            .init("missing", .list(missingCaseIDs.map(OrderedJSON.text))),
        ]
    }

    private static func jsonOfGroup(_ group: Group) -> OrderedJSON {
        var members = jsonMembersOfFigures(group.pooledSummary)
        members += group.macroAverages.map { .init("macro_" + $0.metric.rawValue, .number($0.mean)) }
        if let recovery = group.recovery {
            members.append(.init("recovery_cases", .integer(recovery.caseCount)))
            members.append(.init("recovered", .integer(recovery.recoveredCaseCount)))
            members.append(.init("recovery_median_s", OrderedJSON(recovery.medianRecoverySeconds)))
        }
        return .object(members)
    }

    private static func jsonOfCase(_ entry: CaseResult) -> OrderedJSON {
        .object(
            jsonMembersOfFigures(entry.accuracySummary) + [
                .init("group", .text(entry.group)),
                .init("lost", .bool(entry.accuracy.wasFollowerLost)),
                .init("recovery_s", OrderedJSON(entry.accuracy.recoverySeconds)),
                .init("disruption", entry.disruption?.kind.map(OrderedJSON.text) ?? .null),
                .init("false_start", OrderedJSON(entry.accuracy.hasFalseStart)),
                .init("end_drop", OrderedJSON(entry.accuracy.stepBackAfterEnd)),
                .init("missing_output", .bool(entry.isMissing)),
            ])
    }

    private static func jsonMembersOfFigures(_ summary: AccuracySummary) -> [OrderedJSON.Member] {
        AccuracyMetric.allCases.map { .init($0.rawValue, OrderedJSON(summary[$0])) }
    }
}
