/// Judges strokes and bar line candidates with small networks, fitted to engraved pages that were damaged in software.
enum BarLineJudge {
    static func judged(_ stroke: UprightStroke) -> UprightStroke {
        var stroke = stroke
        stroke.odds = StrokeNetwork.fitted.odds(of: stroke.features, picture: stroke.picture)
        return stroke
    }

    static func judged(_ line: SystemBarLine) -> SystemBarLine {
        var line = line
        line.probability = SmallNetwork.probability(SmallNetwork.lines.odds(of: line.features))
        return line
    }
}
