extension CasePlot {
    /// Measure against time: the truth broad, the follower thin on top, misses crossed.
    func drawAlignment(on canvas: inout PictureCanvas, _ frame: Frame) {
        drawFrame(frame, title: "Position in the score", on: &canvas)
        let scale = measureScale(frame)
        drawMeasureTicks(scale, on: &canvas)
        canvas.path(truthPath(scale), style: "truth")
        canvas.path(curve { $0.measure.map { scale($0) } }, style: "shown")
        var crosses = ""
        for error in score.onsetErrors where error.seconds == nil {
            let x = PlotLine.tenths(time(error.onset))
            let y = PlotLine.tenths(scale(error.measure))
            crosses += "M\(x - 32) \(y - 32)l64 64M\(x - 32) \(y + 32)l64-64"
        }
        canvas.path(crosses, style: "miss")
        drawDisruptionName(frame, on: &canvas)
        drawKey(y: frame.top - 14, misses: score.onsetErrors.count { $0.seconds == nil }, on: &canvas)
    }

    /// The same axes with probability as depth of colour.
    func drawThoughts(_ thoughts: ThoughtMap, on canvas: inout PictureCanvas, _ frame: Frame) {
        drawFrame(frame, title: "What the follower thought", on: &canvas)
        let scale = measureScale(frame)
        let cells = thoughts.joined(steps: Int(240 / coarseness), bins: Int(88 / coarseness))
        drawMeasureTicks(scale, on: &canvas)
        // Translucent layers, each threefold the probability of the one below.
        for floor in [Float(0.01), 0.03, 0.1, 0.3] {
            canvas.path(heatPath(thoughts, cells: cells, above: floor, scale), style: "heat")
        }
        canvas.path(truthPath(scale), style: "thin")
    }

    private func measureScale(_ frame: Frame) -> PlotScale {
        PlotScale(values: measures, units: (frame.bottom - 8, frame.top + 8))
    }

    private func drawMeasureTicks(_ scale: PlotScale, on canvas: inout PictureCanvas) {
        for tick in scale.ticks(atMost: 6, whole: true) {
            drawTick("\(Int(tick))", y: scale(tick), on: &canvas)
        }
    }

    /// Straight through each measure, flat within holds, broken where the music jumps.
    private func truthPath(_ scale: PlotScale) -> String {
        let truth = picture.truth
        var line = PlotLine(coarseness: coarseness)
        var stretch: [PlotLine.Point] = []
        for (row, measure) in truth.measures.enumerated() {
            if row > 0, measure != truth.measures[row - 1] + 1 {
                line.add(stretch)
                stretch = []
            }
            stretch.append(.init(x: time(truth.onsets[row]), y: scale(measure)))
            let close = row + 1 < truth.onsets.count ? truth.onsets[row + 1] : truth.end
            for hold in truth.holds where hold.end > truth.onsets[row] && hold.start < close {
                // Just before: the hold itself already stands where the music will go on.
                let height = scale(truth.position(at: max(hold.start - 1e-6, truth.onsets[row])))
                stretch.append(.init(x: time(max(hold.start, truth.onsets[row])), y: height))
                stretch.append(.init(x: time(min(hold.end, close)), y: height))
            }
            stretch.append(.init(x: time(close), y: scale(measure + 1)))
        }
        line.add(stretch)
        return line.path
    }

    private func heatPath(_ thoughts: ThoughtMap, cells: [[Float]], above floor: Float, _ scale: PlotScale)
        -> String
    {
        guard let bins = cells.first?.count, bins > 0 else { return "" }
        let step = Double(thoughts.rows.count) * thoughts.stepSeconds / Double(cells.count)
        let span = thoughts.measures.upperBound - thoughts.measures.lowerBound
        func edge(_ bin: Int) -> Int {
            PlotLine.tenths(scale(thoughts.measures.lowerBound + span * Double(bin) / Double(bins)))
        }
        var path = ""
        for (index, row) in cells.enumerated() {
            let start = thoughts.firstSeconds + Double(index) * step
            let left = PlotLine.tenths(time(start))
            let width = PlotLine.tenths(time(start + step)) - left
            var bin = 0
            while bin < bins {
                guard row[bin] >= floor else {
                    bin += 1
                    continue
                }
                let first = bin
                while bin < bins, row[bin] >= floor { bin += 1 }
                let bottom = edge(first)
                path += "M\(left) \(bottom)h\(width)V\(edge(bin))h-\(width)z"
            }
        }
        return path
    }

    private func drawKey(y: Double, misses: Int, on canvas: inout PictureCanvas) {
        let x = CasePicture.right - 342
        canvas.line(x1: x, y1: y, x2: x + 26, y2: y, style: "truthkey")
        canvas.text("the music", x: x + 34, y: y + 4, style: "small")
        canvas.line(x1: x + 108, y1: y, x2: x + 134, y2: y, style: "shownkey")
        canvas.text("the follower", x: x + 142, y: y + 4, style: "small")
        canvas.line(x1: x + 228, y1: y - 3.5, x2: x + 235, y2: y + 3.5, style: "misskey")
        canvas.line(x1: x + 228, y1: y + 3.5, x2: x + 235, y2: y - 3.5, style: "misskey")
        canvas.text("onset missed (\(misses))", x: x + 242, y: y + 4, style: "small")
    }
}
