extension FollowerComparison {
    /// Markdown, ending in a line feed: the pooled figures, then case by case.
    public func table(ours: String = "this", theirs: String = "other") -> String {
        var out = "| metric | \(ours) | \(theirs) | difference | 95 % | chance | better | worse | equal |\n"
        out += "|---|---|---|---|---|---|---|---|---|\n"
        for row in rows {
            let cells = [
                row.metric.rawValue, Self.text(row.ours), Self.text(row.theirs), Self.signed(row.difference),
                "\(Self.signed(row.low)) to \(Self.signed(row.high))", Self.text(row.chance),
                "\(row.better)", "\(row.worse)", "\(row.equal)",
            ]
            out += "| " + cells.joined(separator: " | ") + " |\n"
        }
        let shown: [Metric] = [.onsetWithin250ms, .onsetWithin500ms, .positionWithin500ms, .measureHit]
        out += "\n| case | " + shown.map(\.rawValue).joined(separator: " | ") + " |\n"
        out += "|" + String(repeating: "---|", count: shown.count + 1) + "\n"
        for pair in pairs {
            let cells = shown.map { metric -> String in
                guard let ours = pair.ours[metric], let theirs = pair.theirs[metric] else { return "-" }
                return ours == theirs ? "=" : Self.signed(ours - theirs)
            }
            out += "| \(pair.id) | " + cells.joined(separator: " | ") + " |\n"
        }
        return out
    }

    private static func text(_ value: Double) -> String { "\(value.rounded(places: 4))" }

    private static func signed(_ value: Double) -> String {
        let rounded = value.rounded(places: 4)
        return rounded > 0 ? "+\(rounded)" : "\(rounded + 0)"
    }
}

extension FollowerComparison {
    /// The piece that a case belongs to: the id of the case it was derived from, without the names of groups in
    /// front.
    ///
    /// `multi-orch-mozart-41-3` and `orch-mozart-41-3` are one piece; `sonata/a-b` belongs to `sonata`.
    /// - Parameters:
    ///   - base: the id of the case it was derived from, if any.
    ///   - groups: names of groups; a first word of four letters or more with which one of them begins is removed.
    public static func piece(of id: String, base: String?, groups: [String]) -> String {
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
