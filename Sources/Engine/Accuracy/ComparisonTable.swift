extension FollowerComparison {
    /// Returns Markdown tables, ending in a line feed: the pooled figures, then the differences case by case.
    public func markdownTables(ours: String = "this", theirs: String = "other") -> String {
        var out = "| metric | \(ours) | \(theirs) | difference | 95 % | chance | better | worse | equal |\n"
        out += "|---|---|---|---|---|---|---|---|---|\n"
        for row in metricComparisons {
            let cells = [
                row.metric.rawValue, Self.formatNumber(row.ourPooledFigure),
                Self.formatNumber(row.theirPooledFigure), Self.formatSignedNumber(row.difference),
                row.significance.map {
                    "\(Self.formatSignedNumber($0.lowerBound)) to \(Self.formatSignedNumber($0.upperBound))"
                } ?? "-",
                row.significance.map { Self.formatNumber($0.pValue) } ?? "-",
                "\(row.betterCaseCount)", "\(row.worseCaseCount)", "\(row.equalCaseCount)",
            ]
            out += "| " + cells.joined(separator: " | ") + " |\n"
        }
        if metricComparisons.contains(where: { $0.significance == nil }) {
            let pieces = Set(pairedCases.map(\.piece)).count
            out +=
                "\nNo interval and no chance: the cases are of \(pieces) piece\(pieces == 1 ? "" : "s"), and fewer than "
                + "\(Self.leastPieces) say nothing about others.\n"
        }
        let shown: [AccuracyMetric] = [
            .onsetShareWithin250ms, .onsetShareWithin500ms, .positionShareWithin500ms, .rightMeasureShare,
        ]
        out += "\n| case | " + shown.map(\.rawValue).joined(separator: " | ") + " |\n"
        out += "|" + String(repeating: "---|", count: shown.count + 1) + "\n"
        for pair in pairedCases {
            let cells = shown.map { metric -> String in
                guard let ours = pair.ourFigures[metric], let theirs = pair.theirFigures[metric] else {
                    return "-"
                }
                return ours == theirs ? "=" : Self.formatSignedNumber(ours - theirs)
            }
            out += "| \(pair.id) | " + cells.joined(separator: " | ") + " |\n"
        }
        return out
    }

    private static func formatNumber(_ value: Double) -> String { "\(value.rounded(places: 4))" }

    private static func formatSignedNumber(_ value: Double) -> String {
        let rounded = value.rounded(places: 4)
        return rounded > 0 ? "+\(rounded)" : "\(rounded + 0)"
    }
}

extension FollowerComparison {
    /// Returns the piece to which a case belongs: the case's id without group names at its front.
    ///
    /// `multi-orch-mozart-41-3` and `orch-mozart-41-3` are one piece; `sonata/a-b` belongs to `sonata`.
    /// - Parameters:
    ///   - base: the id of the case from which this case was made; nil if there is none.
    ///   - groups: names of groups; the id's first word is removed if it has four letters or more and a group's name
    ///     begins with it.
    public static func casePieceName(of id: String, base: String?, groups: [String]) -> String {
        var name = Substring(base ?? id)
        if let slash = name.lastIndex(of: "/") { return String(name[..<slash]) }
        while let dash = name.firstIndex(of: "-") {
            let word = name[..<dash]
            guard word.count >= 4, groups.contains(where: { $0.hasPrefix(word) }) else { break }
            name = name[name.index(after: dash)...]
        }
        return String(name)
    }
}
