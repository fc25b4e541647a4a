extension CasePlot {
    /// Draws position against time: where the music was, the displayed position, and the follower's probabilities.
    func drawAlignment(on canvas: inout PictureCanvas, _ frame: Frame) {
        let axis = ScoreAxis(picture, measures: measures)
        let scale = PlotScale(values: axis.values, units: (frame.bottom - 8, frame.top + 8))
        let title =
            axis.thoughts == nil ? "Position in the score" : "Where the follower thought the music was"
        drawFrame(frame, title: title, on: &canvas)
        if axis.thoughts != nil {
            // The bands lie behind everything and show why the line stands still: lost, coasting, waiting, finished.
            for state in FollowTrace.State.allCases where state != .following {
                canvas.path(bands(of: state, frame), style: state.rawValue + " veil")
            }
        }
        canvas.text("measure", x: CasePicture.left - 9, y: frame.top - 10, style: "small", anchor: .end)
        for tick in axis.ticks(scale) { drawTick(tick.label, y: scale(tick.value), on: &canvas) }
        if let thoughts = axis.thoughts { drawThoughts(thoughts, scale, on: &canvas) }
        // The true path is dashed on top of the probabilities, so that these stay visible in the gaps.
        canvas.path(path(axis.truth, scale), style: axis.thoughts == nil ? "truth" : "truth slim")
        let shown = shownStretches(axis)
        canvas.path(path(shown, scale), style: "shown")
        drawJumps(shown, scale, on: &canvas)
        var crosses = ""
        for error in score.onsetErrors where error.seconds == nil {
            guard let height = axis.height(ofOnset: error.onset) else { continue }
            let x = PlotLine.tenths(time(error.onset))
            let y = PlotLine.tenths(scale(height))
            crosses += "M\(x - 32) \(y - 32)l64 64M\(x - 32) \(y + 32)l64-64"
        }
        canvas.path(crosses, style: "miss")
        drawDisruptionName(frame, on: &canvas)
        drawKey(
            y: frame.top - 14, misses: score.onsetErrors.count { $0.seconds == nil },
            jumps: max(shown.count - 1, 0), hasThoughts: axis.thoughts != nil, on: &canvas)
    }

    private func path(_ stretches: [[ScoreAxis.Point]], _ scale: PlotScale) -> String {
        var line = PlotLine(coarseness: coarseness)
        for stretch in stretches { line.add(stretch.map { .init(x: time($0.live), y: scale($0.height)) }) }
        return line.path
    }

    /// Draws probability as depth of colour.
    private func drawThoughts(_ thoughts: ThoughtMap, _ scale: PlotScale, on canvas: inout PictureCanvas) {
        let map = thoughts.joined(
            columns: Int(Double(ThoughtGathering.mostColumns) / coarseness),
            rows: Int(Double(ThoughtGathering.mostRows) / coarseness))
        let layers = ThoughtLayers(map: map)
        guard layers.rows > 0 else { return }
        let column = time(map.firstSeconds + map.stepSeconds) - time(map.firstSeconds)
        let row = (scale(map.referenceSeconds) - scale(0)) / Double(layers.rows)
        for (number, floor) in ThoughtLayers.floors.enumerated() {
            canvas.strokes(
                layers.path(above: floor), style: "heat h\(number)",
                x: time(map.firstSeconds) + column / 2, y: scale(0), column: column, row: row)
        }
    }

    /// The displayed position, split where it leaps to another place.
    private func shownStretches(_ axis: ScoreAxis) -> [[ScoreAxis.Point]] {
        var stretches: [[ScoreAxis.Point]] = []
        var before: FollowTrace.Point?
        for point in picture.trace.points {
            guard let height = axis.shown(point) else {
                before = nil
                continue
            }
            if before.map({ point.leaps(from: $0) }) ?? true { stretches.append([]) }
            stretches[stretches.count - 1].append(.init(live: point.liveSeconds, height: height))
            before = point
        }
        return stretches
    }

    /// Draws a dotted line from the start of each leap to an arrow head at its end.
    private func drawJumps(
        _ stretches: [[ScoreAxis.Point]], _ scale: PlotScale, on canvas: inout PictureCanvas
    ) {
        var lines = ""
        var heads = ""
        for (left, entered) in zip(stretches, stretches.dropFirst()) {
            guard let from = left.last, let to = entered.first else { continue }
            let x = PlotLine.tenths(time(to.live))
            let (start, end) = (PlotLine.tenths(scale(from.height)), PlotLine.tenths(scale(to.height)))
            lines += "M\(x) \(start)V\(end)"
            let size = end < start ? 75 : -75
            heads += "M\(x) \(end)l-45 \(size)h90z"
        }
        canvas.path(lines, style: "leap")
        canvas.path(heads, style: "head")
    }

    private func drawKey(
        y: Double, misses: Int, jumps: Int, hasThoughts: Bool, on canvas: inout PictureCanvas
    ) {
        let x = CasePicture.right - 436
        canvas.line(x1: x, y1: y, x2: x + 26, y2: y, style: hasThoughts ? "truthkey dash" : "truthkey")
        canvas.text("the music", x: x + 34, y: y + 4, style: "small")
        canvas.line(x1: x + 108, y1: y, x2: x + 134, y2: y, style: "shownkey")
        canvas.text("the follower", x: x + 142, y: y + 4, style: "small")
        let head = "M\(PlotLine.tenths(x + 232)) \(PlotLine.tenths(y - 4))l-45 75h90z"
        canvas.path(head, style: "head")
        canvas.text("leap (\(jumps))", x: x + 242, y: y + 4, style: "small")
        canvas.line(x1: x + 308, y1: y - 3.5, x2: x + 315, y2: y + 3.5, style: "misskey")
        canvas.line(x1: x + 308, y1: y + 3.5, x2: x + 315, y2: y - 3.5, style: "misskey")
        canvas.text("onset missed (\(misses))", x: x + 322, y: y + 4, style: "small")
        guard hasThoughts else { return }
        let first = x - 208
        canvas.text("probability  0.4 %", x: first - 6, y: y + 4, style: "small", anchor: .end)
        for number in ThoughtLayers.floors.indices {
            canvas.box(
                x: first + Double(number) * 22, y: y - 6.5, width: 22, height: 13, style: "swatch\(number)")
        }
        let last = first + 22 * Double(ThoughtLayers.floors.count)
        canvas.text("50 %", x: last + 6, y: y + 4, style: "small")
    }
}

extension FollowTrace.Point {
    /// True if the position leaped: more than half a second back, or two seconds further than any tempo explains.
    func leaps(from before: FollowTrace.Point) -> Bool {
        guard let here = referenceSeconds, let there = before.referenceSeconds else { return false }
        let step = here - there
        return step < -0.5 || step > 2 + 3 * (liveSeconds - before.liveSeconds)
    }
}
