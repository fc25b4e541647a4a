import Score

extension CasePlot {
    /// Draws the signed error in seconds on a scale that is logarithmic on both sides of zero; the green band is
    /// ±0.25 s.
    func drawError(on canvas: inout PictureCanvas, _ frame: Frame) {
        drawFrame(frame, title: "Error in seconds (up is ahead of the music)", on: &canvas)
        let worst =
            samples.signedError.indices.filter { !samples.estimate[$0].isNaN }
            .map { samples.signedError[$0].magnitude }.max() ?? 0
        let limit = [1.0, 3, 10, 30].first { worst <= $0 } ?? SampledPositions.capSeconds
        let scale = PlotScale(
            values: -limit...limit, units: (frame.bottom - 4, frame.top + 4), warp: .symmetric)
        let band = scale(0.25)
        canvas.box(
            x: CasePicture.left, y: band, width: CasePicture.right - CasePicture.left,
            height: scale(-0.25) - band, style: "good")
        var last = 0.0
        for tick in [0.25, 1, 3, 10, 30] where tick <= limit {
            guard (scale(tick) - scale(last)).magnitude >= 12 else { continue }
            last = tick
            let label = tick == 0.25 ? "0.25" : "\(Int(tick))"
            drawTick("+" + label, y: scale(tick), on: &canvas)
            drawTick("−" + label, y: scale(-tick), on: &canvas)
        }
        drawTick("0", y: scale(0), style: "zero", on: &canvas)
        var area = ""
        var line = PlotLine(coarseness: coarseness)
        for stretch in errorStretches(scale) {
            guard let first = stretch.first, let last = stretch.last else { continue }
            line.add(stretch)
            var filled = PlotLine(coarseness: coarseness)
            filled.add(
                [.init(x: first.x, y: scale(0))] + stretch + [.init(x: last.x, y: scale(0))])
            area += filled.path + "z"
        }
        canvas.path(area, style: "area")
        canvas.path(line.path, style: "shown")
    }

    private func errorStretches(_ scale: PlotScale) -> [[PlotLine.Point]] {
        var stretches: [[PlotLine.Point]] = [[]]
        for index in samples.times.indices {
            if samples.estimate[index].isNaN {
                stretches.append([])
            } else {
                stretches[stretches.count - 1].append(
                    .init(x: time(samples.times[index]), y: scale(samples.signedError[index])))
            }
        }
        return stretches
    }

    /// Draws the tempo, in reference seconds per live second: the true one for each measure, and the follower's.
    func drawTempo(on canvas: inout PictureCanvas, _ frame: Frame) {
        drawFrame(frame, title: "Tempo ratio to the reference", on: &canvas)
        let truth = trueTempo()
        let shown = picture.trace.points.filter { $0.measure != nil }.map(\.tempoRatio)
        let all = (truth.map(\.ratio) + shown).filter { $0 > 0 && $0.isFinite }.sorted()
        // Single outliers are cut off, because they would flatten everything else.
        let low = all.isEmpty ? 1 : Statistics.quantile(ofSorted: all, 0.01)
        let high = all.isEmpty ? 1 : Statistics.quantile(ofSorted: all, 0.99)
        let range = min(max(low * 0.92, 0.05), 0.8)...max(min(high * 1.08, 20), 1.25)
        let scale = PlotScale(values: range, units: (frame.bottom - 4, frame.top + 4), warp: .logarithmic)
        for tick in tempoTicks(scale) {
            let label = tick == tick.rounded() ? "\(Int(tick))" : "\(tick)"
            drawTick(label, y: scale(tick), style: tick == 1 ? "zero" : "grid", on: &canvas)
        }
        var line = PlotLine(coarseness: coarseness)
        var stretch: [PlotLine.Point] = []
        for part in truth {
            stretch.append(.init(x: time(part.start), y: scale(part.ratio)))
            stretch.append(.init(x: time(part.end), y: scale(part.ratio)))
        }
        line.add(stretch)
        canvas.path(line.path, style: "thin")
        canvas.path(curve { $0.measure == nil ? nil : scale($0.tempoRatio) }, style: "shown")
    }

    /// Tick values outwards from 1, as many as their labels have room for.
    private func tempoTicks(_ scale: PlotScale) -> [Double] {
        var ticks = [1.0]
        for side in [
            [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.25, 0.1], [1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 4, 6, 10],
        ] {
            var last = 1.0
            for tick in side where scale.values.contains(tick) && abs(scale(tick) - scale(last)) >= 18 {
                ticks.append(tick)
                last = tick
            }
        }
        return ticks
    }

    private func trueTempo() -> [(start: Double, end: Double, ratio: Double)] {
        guard let reference = picture.reference else { return [] }
        let bounds = (reference.marks.map(\.onset) + [reference.end]).map(\.seconds)
        var lengths: [Double: Double] = [:]
        for measure in ScoreLayout.durations(of: reference.marks.map(\.printed), bounds: bounds) {
            lengths[Double(measure.number)] = measure.seconds
        }
        let truth = picture.truth
        return truth.measures.indices.compactMap { row in
            let start = truth.onsets[row]
            let end = row + 1 < truth.onsets.count ? truth.onsets[row + 1] : truth.end
            let isHeld = truth.holds.contains { $0.end > start && $0.start < end }
            guard let length = lengths[truth.measures[row]], !isHeld else { return nil }
            return (start, end, length / (end - start))
        }
    }

    /// Draws the confidence over bands of the follower's own state.
    func drawConfidence(on canvas: inout PictureCanvas, _ frame: Frame) {
        drawFrame(frame, title: "Confidence and state", on: &canvas)
        let states = FollowTrace.State.allCases
        let present = states.filter { state in picture.trace.points.contains { $0.state == state } }
        for state in present { canvas.path(bands(of: state, frame), style: state.rawValue) }
        drawStateNames(frame, on: &canvas)
        let scale = PlotScale(values: 0...1, units: (frame.bottom - 4, frame.top + 4))
        for tick in [0, 0.5, 1] { drawTick("\(Int(tick * 100)) %", y: scale(tick), on: &canvas) }
        canvas.path(curve { scale($0.confidence) }, style: "shown")
        var x = CasePicture.right - Double(present.count) * 92
        for state in present {
            canvas.box(x: x + 8, y: frame.top - 21, width: 13, height: 13, style: state.rawValue, radius: 3)
            canvas.text(state.rawValue, x: x + 27, y: frame.top - 10, style: "small")
            x += 92
        }
    }

    /// The SVG path of bands over a panel's height, where the follower was in a state.
    func bands(of state: FollowTrace.State, _ frame: Frame) -> String {
        let top = PlotLine.tenths(frame.top)
        let height = PlotLine.tenths(frame.bottom) - top
        var path = ""
        for stay in stays(in: state) {
            let left = PlotLine.tenths(time(stay.lowerBound))
            let width = PlotLine.tenths(time(stay.upperBound)) - left
            // Bands narrower than half a unit are invisible, and there may be thousands of them.
            if width >= 5 { path += "M\(left) \(top)h\(width)v\(height)h-\(width)z" }
        }
        return path
    }

    /// Writes the names of states into bands that have room, because not everybody can tell the colours apart.
    private func drawStateNames(_ frame: Frame, on canvas: inout PictureCanvas) {
        for state in FollowTrace.State.allCases where state != .following {
            for stay in stays(in: state) {
                let (left, right) = (time(stay.lowerBound), time(stay.upperBound))
                guard right - left > Double(state.rawValue.count) * 5.6 + 4 else { continue }
                canvas.text(
                    state.rawValue, x: (left + right) / 2, y: (frame.top + frame.bottom) / 2 - 14,
                    style: "state", anchor: .middle)
            }
        }
    }

    /// The intervals, in live seconds, in which a state was reported without a break.
    private func stays(in state: FollowTrace.State) -> [ClosedRange<Double>] {
        var stays: [ClosedRange<Double>] = []
        var since: Double?
        let points = picture.trace.points
        for (index, point) in points.enumerated() {
            if point.state == state, since == nil { since = point.liveSeconds }
            guard let start = since, point.state != state || index == points.count - 1 else { continue }
            stays.append(start...point.liveSeconds)
            since = nil
        }
        return stays
    }
}
