/// The columns between two bar lines, on the system's middle row.
struct MeasureColumns {
    var left: Double
    var right: Double
    /// The probabilities of the bar lines at both sides.
    var start: Double
    var end: Double
    /// The probability of the likeliest stroke between them that was not taken for a bar line.
    var within = 0.0
    /// No bar line closes it: it goes on to the end of the staves.
    var isOpen = false
}

extension PageReading {
    /// Strokes that stand nearer, in staff spaces, are one double bar or repeat sign; no measure is so narrow.
    private static let nearest = 2.6
    /// The least probability of a bar line that stands where clef, key and time may stand.
    private static let clearProbability = 0.8
    /// The least width of a system's first measure, in staff spaces.
    private static let narrowestFirst = 5.0
    /// The least probability of a bar line that ends a measure.
    private static let leastProbability = 0.5

    /// The measures in reading order, with boxes on the page as it was given.
    func measures() -> [DetectedMeasure] {
        frames().map { frame in
            DetectedMeasure(
                system: frame.system, box: box(frame.columns, in: frame.system),
                confidence: FrameJudge.confidence(frame.features))
        }
    }

    /// The same with what was measured of each.
    func frames() -> [MeasureFrame] {
        let columns = systems.indices.map { measureColumns(of: $0) }
        let judge = FrameJudge(systems: systems, columns: columns)
        return systems.indices.flatMap { index in
            columns[index].map {
                MeasureFrame(system: index, columns: $0, features: judge.features(of: $0, in: index))
            }
        }
    }

    private func measureColumns(of index: Int) -> [MeasureColumns] {
        let system = systems[index]
        let row = system.middleRow
        let space = system.space
        func level(_ staff: TrackedStaff, _ x: Double) -> Double {
            slants.column(of: x, from: staff.middle(at: x), to: row)
        }
        let lefts = system.staves.map { level($0, $0.left) }.sorted()
        let rights = system.staves.map { level($0, $0.right) }.sorted()
        let begin = lefts[lefts.count / 2]
        let end = rights[rights.count / 2]
        var start = begin
        var startProbability = 1.0
        var found: [MeasureColumns] = []
        for line in lines(of: index) {
            if line.centre < begin + 1.8 * space {
                start = max(start, line.right)
                continue
            }
            // No first measure is as narrow as its clef and a note; a stroke of the clef, key or time is no bar line.
            if found.isEmpty, line.centre - begin < Self.narrowestFirst * space { continue }
            if found.isEmpty, line.centre - begin < 13 * space,
                line.opensRepeat || line.probability < Self.clearProbability
            {
                // A repeat sign behind clef and key begins the first measure and does not end one; what may be a bar
                // line there may be a figure of the time.
                continue
            }
            if line.opensRepeat, !found.isEmpty, holdsOnlyKey(from: start, to: line.left, in: index) {
                // A new key stands between the bar line before it and the repeat sign: the measure begins with it.
                continue
            }
            found.append(
                MeasureColumns(
                    left: start, right: line.centre, start: startProbability, end: line.probability))
            start = line.centre
            startProbability = line.probability
        }
        // A narrower space behind the last bar line holds no measure, only the clef or key of the next system.
        if end - start > 8 * space {
            found.append(
                MeasureColumns(left: start, right: end, start: startProbability, end: 0.5, isOpen: true))
        }
        for place in found.indices {
            let (from, to) = (found[place].left + 1.3 * space, found[place].right - 1.3 * space)
            found[place].within =
                candidates[index].filter { $0.centre > from && $0.centre < to }.map(\.probability).max() ?? 0
        }
        return found
    }

    /// True if the staves have a new key and nothing else between two columns of the system's middle row.
    private func holdsOnlyKey(from: Double, to: Double, in index: Int) -> Bool {
        let system = systems[index]
        let width = (to - from) / system.space
        guard width > KeySignatureLook.narrowestMeasure else { return true }
        guard width < KeySignatureLook.widest else { return false }
        func own(_ x: Double, _ staff: TrackedStaff) -> Double {
            slants.column(of: x, from: system.middleRow, to: staff.middle(at: x))
        }
        let looks = zip(system.staves, strips[index]).map { staff, strip in
            KeySignatureLook(strip, from: own(from, staff), to: own(to, staff))
        }
        // Drums and some transposing instruments have no key.
        return !looks.contains(.other) && looks.count { $0 == .key } * 2 >= looks.count
    }

    private struct Line {
        var left: Double
        var right: Double
        var probability: Double
        var dotsAfter: Double
        /// Thick or double, and without dots before it.
        var opensRepeat = false
        var centre: Double { (left + right) / 2 }
    }

    /// The bar lines of a system; strokes of a double bar or repeat are one.
    private func lines(of index: Int) -> [Line] {
        let space = systems[index].space
        var lines: [Line] = []
        for candidate in candidates[index] where candidate.probability >= Self.leastProbability {
            let line = Line(
                left: candidate.left, right: candidate.right, probability: candidate.probability,
                dotsAfter: candidate.dotsAfter)
            if let last = lines.last, line.left - last.right < Self.nearest * space {
                lines[lines.count - 1].right = max(last.right, line.right)
                lines[lines.count - 1].probability = max(last.probability, line.probability)
                lines[lines.count - 1].dotsAfter += line.dotsAfter
            } else {
                lines.append(line)
            }
        }
        // On a blurred page, each line is as wide as the thick stroke of a repeat sign is on a clear one.
        let thick = max(0.38, 1.5 * usualLineWidth) * space
        for place in lines.indices {
            lines[place].opensRepeat =
                lines[place].right - lines[place].left > thick && lines[place].dotsAfter > -0.15
        }
        return lines
    }

    /// The median width of the page's bar lines, in staff spaces.
    private var usualLineWidth: Double {
        let widths = zip(systems, candidates).flatMap { system, candidates in
            candidates.filter { $0.probability >= Self.leastProbability }.map {
                ($0.right - $0.left) / system.space
            }
        }.sorted()
        return widths.isEmpty ? 0 : widths[widths.count / 2]
    }

    /// The box of a measure: its staves and two staff spaces above and below, but not beyond the middle to the next
    /// system.
    private func box(_ columns: MeasureColumns, in index: Int) -> PageBox {
        let system = systems[index]
        let row = system.middleRow
        let middle = (columns.left + columns.right) / 2
        guard let first = system.staves.first, let last = system.staves.last else { return .wholePage }
        func column(_ staff: TrackedStaff) -> Double {
            slants.column(of: middle, from: row, to: staff.middle(at: middle))
        }
        var top = first.top(at: column(first)) - 2 * system.space
        var bottom = last.bottom(at: column(last)) + 2 * system.space
        if index > 0, let above = systems[index - 1].staves.last {
            top = max(top, (above.bottom(at: column(first)) + first.top(at: column(first))) / 2)
        }
        if index + 1 < systems.count, let below = systems[index + 1].staves.first {
            bottom = min(bottom, (below.top(at: column(last)) + last.bottom(at: column(last))) / 2)
        }
        let sides = [
            turn.shareOfGivenPage(columns.left, (top + bottom) / 2),
            turn.shareOfGivenPage(columns.right, (top + bottom) / 2),
        ]
        let ends = [turn.shareOfGivenPage(middle, top), turn.shareOfGivenPage(middle, bottom)]
        let (across, down) = turn.quarters % 2 == 0 ? (sides, ends) : (ends, sides)
        let xs = across.map { min(max($0.x, 0), 1) }
        let ys = down.map { min(max($0.y, 0), 1) }
        let (left, upper) = (min(xs[0], xs[1]), min(ys[0], ys[1]))
        return PageBox(x: left, y: upper, width: max(xs[0], xs[1]) - left, height: max(ys[0], ys[1]) - upper)
    }
}
