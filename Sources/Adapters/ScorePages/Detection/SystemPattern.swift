/// The evidence that two neighbouring staves belong to one system, or do not.
struct SeamEvidence {
    /// The share, 0…1, of the gap between the staves that a line near their left ends fills.
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
    var weight: Double { weight(amongSingleStaves: false) }

    /// The same, if the page rather has single staves: their bar lines stand one above the other by chance, and what
    /// joins two at the left may be the edge of the paper.
    func weight(amongSingleStaves isAmongSingles: Bool) -> Double {
        if isAmongSingles, leftLine < 0.45 || shared * 2 < strokes { return min(sharedWeight, 0) }
        return sharedWeight
    }

    private var sharedWeight: Double {
        if leftLine >= 0.9 || joined >= 2 { return 1 }
        let share = Double(shared) / Double(max(strokes, 1))
        if shared >= 3, share >= 0.6 { return 0.8 }
        if shared >= 2, share >= 0.5 { return 0.4 }
        if strokes >= 3, share <= 0.34 { return leftLine < 0.5 ? -0.8 : -0.2 }
        return leftLine - 0.5
    }
}

/// Divides the staves of a whole page into systems.
enum SystemPattern {
    /// Says for each seam between neighbouring staves whether it lies within a system.
    ///
    /// If the lines that join staves make all systems equal in size, these lines decide. Otherwise noise has hidden
    /// some lines. Then each usual number of staves is tried: the best division has the most evidence, and a system of
    /// an unusual size costs something.
    /// - Parameter seams: one for each pair of neighbours; nil for staves that are too far apart.
    static func joins(_ seams: [SeamEvidence?]) -> [Bool] {
        let plain = seams.map { $0?.isJoined ?? false }
        guard Set(sizes(plain)).count > 1 else { return plain }
        let divisions = (1...min(seams.count + 1, largest)).map { division(seams, usual: $0) }
        return divisions.max { $0.worth < $1.worth }?.joins ?? plain
    }

    /// No system has more staves.
    private static let largest = 40

    /// True if the page rather has single staves: lines join few of them, none of those goes through the paper between
    /// them, and most strokes have none above or below them.
    private static func looksLikeSingles(_ seams: [SeamEvidence?]) -> Bool {
        let near = seams.compactMap(\.self)
        let (shared, strokes) = near.reduce((0, 0)) { ($0.0 + $1.shared, $0.1 + $1.strokes) }
        return near.count(where: \.isJoined) * 5 <= near.count && !near.contains { $0.joined > 0 }
            && shared * 2 < strokes
    }

    /// The best division of a page whose systems usually have so many staves.
    private static func division(_ seams: [SeamEvidence?], usual: Int) -> (worth: Double, joins: [Bool]) {
        let count = seams.count + 1
        // The weight of joining a staff to the staff above it; a line that joins them counts twice.
        let areSingles = looksLikeSingles(seams)
        let weights = seams.map { seam in
            guard let seam else { return -Double(count * 4) }
            let weight = seam.weight(amongSingleStaves: areSingles)
            return seam.isJoined && !areSingles ? max(2 * weight, 1) : weight
        }
        var worth = [0.0] + [Double](repeating: -.infinity, count: count)
        var last = [Int](repeating: 1, count: count + 1)
        for end in 1...count {
            var inside = 0.0
            for size in 1...min(end, largest) {
                let start = end - size
                if size > 1 { inside += weights[start] }
                let cut = start > 0 ? weights[start - 1] : 0
                let unusual = size == usual ? 0 : 0.6 + 0.2 * Double(min(abs(size - usual), 4))
                let here = worth[start] + inside - cut - unusual
                if here > worth[end] { (worth[end], last[end]) = (here, size) }
            }
        }
        var joins = [Bool](repeating: true, count: seams.count)
        var end = count
        while end > 0 {
            end -= last[end]
            if end > 0 { joins[end - 1] = false }
        }
        return (worth[count], joins)
    }

    /// The numbers of staves of the systems.
    static func sizes(_ joins: [Bool]) -> [Int] {
        var sizes = [1]
        for join in joins {
            if join { sizes[sizes.count - 1] += 1 } else { sizes.append(1) }
        }
        return sizes
    }
}
