import Podium

extension PublishedShowState {
    /// The concert's state as topics for the broker: the last level of each topic's name, with its payload.
    ///
    /// Tempo and confidence are rounded to hundredths and the position has no fraction, so that a topic changes only
    /// when something happens, not with every report.
    var topicPayloads: [(leaf: String, payload: String)] {
        [
            ("measure", "\(printedMeasure)"), ("state", positionMode), ("evening", eveningStage),
            ("tempo", JSONText.hundredths(relativeTempo)),
            ("confidence", JSONText.hundredths(followerConfidence)),
            ("holder", holderName.isEmpty ? holderKind : "\(holderKind) \(holderName)"),
            ("piece", pieceName), ("view", audienceView), ("panic", panicLevel),
            ("fault", newestFaultSentence),
            ("cue", cueJSON), ("position", positionJSON),
        ]
    }

    private var cueJSON: String {
        JSONText.object([
            ("standby", JSONText.string(standbyCue?.id ?? "")),
            ("next", JSONText.string(nextCueCountdown?.cue ?? "")),
            ("inMeasures", nextCueCountdown.map { "\($0.measures)" } ?? "null"),
        ])
    }

    private var positionJSON: String {
        JSONText.object([
            ("piece", "\(pieceNumber)"), ("pieceName", JSONText.string(pieceName)),
            ("measure", "\(printedMeasure)"),
            ("played", "\(playedMeasure)"), ("section", JSONText.string(sectionLabel)),
            ("tempo", JSONText.hundredths(relativeTempo)), ("state", JSONText.string(positionMode)),
            ("holder", JSONText.string(holderKind)), ("epoch", JSONText.string(epochText)),
        ])
    }
}
