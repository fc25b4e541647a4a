import Score

/// The parts that all panels of a case picture share: the samples, the time axis, frames and shading.
struct CasePlot {
    let picture: CasePicture
    let samples: SampledPositions
    let score: CaseScore
    let time: PlotScale
    let measures: ClosedRange<Double>
    /// Level of detail: 1 draws everything that can be seen, larger values draw less.
    var coarseness = 1.0

    /// The drawing area of a panel.
    struct Frame {
        var top: Double
        var bottom: Double
    }

    init(_ picture: CasePicture) {
        self.picture = picture
        samples = SampledPositions(truth: picture.truth, trace: picture.trace)
        score = CaseScore(truth: picture.truth, trace: picture.trace, disruption: picture.disruption)
        let last = max(picture.truth.end, picture.trace.points.last?.liveSeconds ?? 0)
        time = PlotScale(values: 0...max(last, 1), units: (CasePicture.left, CasePicture.right))
        let estimates = picture.trace.points.compactMap(\.measure)
        let played = picture.truth.measures
        let low = min(played.min() ?? 0, estimates.min() ?? .infinity)
        let high = max((played.max() ?? 0) + 1, estimates.max() ?? -.infinity)
        measures = max(low, picture.truth.layout.lowest)...min(high, picture.truth.layout.highest)
    }

    /// Draws a panel's background, shaded intervals and heading.
    func drawFrame(_ frame: Frame, title: String, on canvas: inout PictureCanvas) {
        let height = frame.bottom - frame.top
        let width = CasePicture.right - CasePicture.left
        canvas.box(x: CasePicture.left, y: frame.top, width: width, height: height, style: "field", radius: 3)
        drawShading(frame, on: &canvas)
        for tick in timeTicks where tick > 0 {
            canvas.line(x1: time(tick), y1: frame.top, x2: time(tick), y2: frame.bottom, style: "grid")
        }
        canvas.text(title, x: CasePicture.left, y: frame.top - 10, style: "panel")
    }

    private func drawShading(_ frame: Frame, on canvas: inout PictureCanvas) {
        let height = frame.bottom - frame.top
        for hold in picture.truth.holds {
            let x = time(hold.start)
            canvas.box(x: x, y: frame.top, width: time(hold.end) - x, height: height, style: "hold")
        }
        guard let start = picture.disruption?.start ?? picture.disruption?.end else { return }
        let end = picture.disruption?.end ?? start
        let x = time(start)
        canvas.box(x: x, y: frame.top, width: time(end) - x, height: height, style: "disruption")
        canvas.line(x1: time(end), y1: frame.top, x2: time(end), y2: frame.bottom, style: "edge")
    }

    /// Writes the disruption's name at its end, inside a panel.
    func drawDisruptionName(_ frame: Frame, on canvas: inout PictureCanvas) {
        guard let kind = picture.disruption?.kind, let end = picture.disruption?.end else { return }
        let isLate = time(end) > CasePicture.right - 200
        canvas.text(
            kind.shortened(to: 40), x: time(end) + (isLate ? -7 : 7), y: frame.top + 16, style: "note",
            anchor: isLate ? .end : .start)
    }

    func drawTick(_ label: String, y: Double, style: String = "grid", on canvas: inout PictureCanvas) {
        canvas.line(x1: CasePicture.left, y1: y, x2: CasePicture.right, y2: y, style: style)
        canvas.text(label, x: CasePicture.left - 9, y: y + 4, style: "tick", anchor: .end)
    }

    func drawTimeAxis(on canvas: inout PictureCanvas, at y: Double) {
        for tick in timeTicks {
            let seconds = Int(tick)
            let rest = seconds % 60
            canvas.text(
                "\(seconds / 60):" + (rest < 10 ? "0\(rest)" : "\(rest)"), x: time(tick), y: y + 20,
                style: "tick",
                anchor: .middle)
        }
        canvas.text("live time, min:s", x: CasePicture.right, y: y + 37, style: "small", anchor: .end)
    }

    private var timeTicks: [Double] {
        let end = time.values.upperBound
        let steps = [1.0, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 21_600]
        let step = steps.first { end / $0 <= 12 } ?? 86_400
        return (0...Int(end / step)).map { Double($0) * step }
    }

    /// The SVG path of a curve over the reports, split where `height` returns nil.
    func curve(_ height: (FollowTrace.Point) -> Double?) -> String {
        var line = PlotLine(coarseness: coarseness)
        var stretch: [PlotLine.Point] = []
        for point in picture.trace.points {
            if let y = height(point) {
                stretch.append(.init(x: time(point.liveSeconds), y: y))
            } else {
                line.add(stretch)
                stretch = []
            }
        }
        line.add(stretch)
        return line.path
    }
}
