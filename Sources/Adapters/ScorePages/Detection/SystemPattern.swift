/// What speaks for and against two neighbouring staves being of one system.
struct SeamEvidence {
    /// How far a line near the left ends joins the staves, 0…1.
    var leftLine: Double
    /// Strokes of both staves that a line joins, and those at the same column in both.
    var joined: Int
    var shared: Int
    /// The strokes of the staff that has fewer.
    var strokes: Int

    /// A line joins the staves.
    var isJoined: Bool {
        leftLine >= 0.9 || joined >= 2 || (leftLine >= 0.7 && joined >= 1)
            || (leftLine >= 0.65 && shared >= 2 && shared * 2 >= strokes)
    }

    /// Positive if the staves sound together, −1…1.
    var weight: Double {
        if leftLine >= 0.9 || joined >= 2 { return 1 }
        let share = Double(shared) / Double(max(strokes, 1))
        if shared >= 3, share >= 0.6 { return 0.8 }
        if shared >= 2, share >= 0.5 { return 0.4 }
        if strokes >= 3, share <= 0.34 { return leftLine < 0.5 ? -0.8 : -0.2 }
        return leftLine - 0.5
    }
}

/// How many staves the systems of a page have, decided for the whole page.
enum SystemPattern {
    /// Which seams between neighbouring staves are within a system; nil for a seam stands for staves too far apart.
    ///
    /// Where lines that join the staves make all systems equal, they are believed: bar lines of different systems may
    /// stand one above the other too. Otherwise noise has hidden some, and bar lines that stand one above the other
    /// decide with them which equal number of staves is the likeliest.
    static func joins(_ seams: [SeamEvidence?]) -> [Bool] {
        let plain = seams.map { $0?.isJoined ?? false }
        let staves = seams.count + 1
        let sizes = sizes(plain)
        guard Set(sizes).count > 1, plain.count(where: \.self) * 6 >= staves else { return plain }
        let equal = (2...max(2, staves)).filter { staves % $0 == 0 }.map { size in
            seams.indices.map { ($0 + 1) % size != 0 }
        }
        let best = equal.filter { isPossible($0, seams) }.max { weight($0, seams) < weight($1, seams) }
        guard let best, weight(best, seams) + 0.5 >= weight(plain, seams) else { return plain }
        return best
    }

    /// The numbers of staves of the systems.
    static func sizes(_ joins: [Bool]) -> [Int] {
        var sizes = [1]
        for join in joins {
            if join { sizes[sizes.count - 1] += 1 } else { sizes.append(1) }
        }
        return sizes
    }

    private static func isPossible(_ joins: [Bool], _ seams: [SeamEvidence?]) -> Bool {
        let doubts = zip(joins, seams).count { join, seam in join && (seam?.weight ?? -1) < 0 }
        let torn = zip(joins, seams).contains { join, seam in !join && (seam?.isJoined ?? false) }
        return !torn && doubts * 5 <= joins.count(where: \.self)
    }

    private static func weight(_ joins: [Bool], _ seams: [SeamEvidence?]) -> Double {
        zip(joins, seams).reduce(0) { $0 + ($1.0 ? 1 : -1) * ($1.1?.weight ?? -1) }
    }
}
