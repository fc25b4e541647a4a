/// Judges strokes and bar line candidates with small networks, fitted to engraved pages that were damaged in software.
enum BarLineJudge {
    static func judged(_ stroke: UprightStroke) -> UprightStroke {
        var stroke = stroke
        stroke.odds = SmallNetwork.strokes.odds(of: stroke.features)
        return stroke
    }

    static func judged(_ line: SystemBarLine) -> SystemBarLine {
        var line = line
        line.probability = SmallNetwork.probability(SmallNetwork.lines.odds(of: line.features))
        return line
    }

    /// Doubts lines that do not cross the gaps between staves where the system's clear bar lines do.
    static func likeTheirNeighbours(_ lines: [SystemBarLine]) -> [SystemBarLine] {
        let clear = lines.filter { $0.probability > 0.9 }.map(\.joinedShare).sorted()
        guard clear.count >= 2, case let usual = clear[clear.count / 2], usual > 0 else { return lines }
        return lines.map { line in
            var line = line
            let odds = SmallNetwork.odds(ofProbability: line.probability)
            line.probability = SmallNetwork.probability(odds - 3.5 * max(0, usual - line.joinedShare) / usual)
            return line
        }
    }
}
