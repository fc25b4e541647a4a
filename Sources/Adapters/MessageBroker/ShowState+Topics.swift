import Podium

extension PublishedShowState {
    /// The last level of each topic, with its payload.
    ///
    /// Tempo and confidence are rounded to hundredths and the position has no fraction, so that a topic changes only
    /// when something happens, not with every report.
    var topics: [(leaf: String, payload: String)] {
        [
            ("measure", "\(printed)"), ("state", state), ("tempo", JSONText.hundredths(tempo)),
            ("confidence", JSONText.hundredths(confidence)),
            ("holder", holderName.isEmpty ? holderKind : "\(holderKind) \(holderName)"),
            ("piece", pieceName), ("view", view), ("panic", panic), ("fault", fault),
            ("cue", cue), ("position", position),
        ]
    }

    private var cue: String {
        JSONText.object([
            ("standby", JSONText.string(standby?.id ?? "")), ("next", JSONText.string(next?.cue ?? "")),
            ("inMeasures", next.map { "\($0.measures)" } ?? "null"),
        ])
    }

    private var position: String {
        JSONText.object([
            ("piece", "\(piece)"), ("pieceName", JSONText.string(pieceName)), ("measure", "\(printed)"),
            ("played", "\(played)"), ("section", JSONText.string(section)),
            ("tempo", JSONText.hundredths(tempo)), ("state", JSONText.string(state)),
            ("holder", JSONText.string(holderKind)), ("epoch", JSONText.string(epoch)),
        ])
    }
}
