/// Reads five lines at a place of the line profiles.
struct StaffCombReader {
    let profiles: LineProfiles

    /// The clearness of five lines at a place, at most 5, and the number of lines that are clear. Ink where a sixth
    /// line would be lowers it.
    func score(_ strip: Int, _ top: Double, _ space: Double) -> (score: Double, lines: Int) {
        var sum = 0.0
        var lines = 0
        for line in 0..<5 {
            let share = min(profiles.share(strip, top + Double(line) * space), 0.9)
            sum += share
            if share >= 0.4 { lines += 1 }
        }
        let outside = profiles.share(strip, top - space) + profiles.share(strip, top + 5 * space)
        return (sum - 0.5 * outside, lines)
    }

    /// The best five lines near a place if at least three are clear.
    func clear(_ strip: Int, near expected: Double, _ space: Double) -> StaffComb? {
        var best: StaffComb?
        let reach = 0.32 * space
        for factor in [1.0, 0.98, 1.02, 0.96, 1.04] {
            for shift in stride(from: -reach, through: reach, by: max(0.5, space / 24)) {
                // The middle line stays where it is while the distance changes.
                let wide = space * factor
                let from = expected + shift + 2 * (space - wide)
                let (score, lines) = score(strip, from, wide)
                guard lines >= 3, score >= 2 else { continue }
                let judged = score - abs(shift) / space - abs(factor - 1) * 4
                if judged > best?.score ?? 0 {
                    best = StaffComb(strip: strip, top: from, space: wide, score: judged)
                }
            }
        }
        return best
    }

    /// The score of five lines that notes hide in part, within a fifth of a space of a place.
    func hiddenScore(_ strip: Int, near expected: Double, _ space: Double) -> Double {
        stride(from: -0.2 * space, through: 0.2 * space, by: max(0.5, space / 24))
            .map { score(strip, expected + $0, space).score }.max() ?? 0
    }

    /// The track moved by whole lines to where its five lines are clearest from end to end: ledger lines are short.
    func settled(_ track: StaffTrack) -> StaffTrack {
        let clear = track.filter(\.isClear)
        let shares = (-2...6).map { line in
            clear.reduce(0) { $0 + min(profiles.share($1.strip, $1.top + Double(line) * $1.space), 0.9) }
        }
        func judged(_ shift: Int) -> Double {
            let first = shift + 2
            let outside =
                (first > 0 ? shares[first - 1] : 0) + (first + 5 < shares.count ? shares[first + 5] : 0)
            return shares[first..<first + 5].reduce(0, +) - 0.5 * outside
        }
        guard let best = (-2...2).max(by: { judged($0) < judged($1) }), best != 0,
            judged(best) > 1.1 * judged(0)
        else { return track }
        return track.map { comb in
            var comb = comb
            comb.top += Double(best) * comb.space
            return comb
        }
    }
}
