import Podium

extension PublishedShowState {
    /// The concert's state as topics for the broker: the last level of each topic's name, with its payload.
    ///
    /// Tempo and confidence are rounded to hundredths and the position has no fraction, so that a topic changes only
    /// when something happens, not with every report.
    var topics: [(leaf: String, payload: String)] {
        [
            ("measure", "\(printedMeasure)"), ("state", mode), ("tempo", JSONText.hundredths(tempo)),
            ("confidence", JSONText.hundredths(confidence)),
            ("holder", holderName.isEmpty ? holderKind : "\(holderKind) \(holderName)"),
            ("piece", pieceName), ("view", view), ("panic", panic), ("fault", fault),
            ("cue", cueJSON), ("position", positionJSON),
        ]
    }

    private var cueJSON: String {
        JSONText.object([
            ("standby", JSONText.string(standby?.id ?? "")), ("next", JSONText.string(nextCue?.cue ?? "")),
            ("inMeasures", nextCue.map { "\($0.measures)" } ?? "null"),
        ])
    }

    private var positionJSON: String {
        JSONText.object([
            ("piece", "\(piece)"), ("pieceName", JSONText.string(pieceName)),
            ("measure", "\(printedMeasure)"),
            ("played", "\(playedMeasure)"), ("section", JSONText.string(section)),
            ("tempo", JSONText.hundredths(tempo)), ("state", JSONText.string(mode)),
            ("holder", JSONText.string(holderKind)), ("epoch", JSONText.string(epoch)),
        ])
    }
}
