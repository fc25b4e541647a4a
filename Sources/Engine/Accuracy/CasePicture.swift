import Score

/// A picture of one case: panels over a common axis of live time, as a self-contained SVG.
///
/// The panels show the true position and the follower's, the confidence with the follower's own state, the error in
/// seconds, and the tempo; with a ``ThoughtMap``, the position panel also shows every other place that the follower
/// considered. The file is smaller than 150 kB whatever the length, or than 400 kB with a ``ThoughtMap``.
public struct CasePicture: Sendable {
    public var title: String
    public var subtitle: String
    public var truth: Truth
    /// The reference's measures, needed for the true tempo ratio and to place the ``ThoughtMap``; without them only
    /// the follower's tempo is drawn.
    public var reference: MeasureMap?
    public var trace: FollowTrace
    public var disruption: Disruption?
    public var thoughts: ThoughtMap?

    public init(
        title: String, subtitle: String = "", truth: Truth, reference: MeasureMap? = nil, trace: FollowTrace,
        disruption: Disruption? = nil, thoughts: ThoughtMap? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.truth = truth
        self.reference = reference
        self.trace = trace
        self.disruption = disruption
        self.thoughts = thoughts
    }

    static let width = 1200.0
    static let left = 76.0
    static let right = 1172.0
    private static let gap = 40.0

    private var mostBytes: Int { thoughts == nil ? 150_000 : 400_000 }

    /// The picture as SVG. The same inputs give the same bytes, fewer than the limit; a picture that is too large is
    /// drawn more coarsely.
    public func svg() -> String {
        var plot = CasePlot(self)
        var drawn = draw(plot)
        while drawn.utf8.count >= mostBytes, plot.coarseness < 16 {
            plot.coarseness *= 2
            drawn = draw(plot)
        }
        return drawn
    }

    private func draw(_ plot: CasePlot) -> String {
        var canvas = PictureCanvas()
        drawHeader(of: plot, on: &canvas)
        var top = 118.0
        func place(_ height: Double, _ draw: (inout PictureCanvas, CasePlot.Frame) -> Void) {
            draw(&canvas, CasePlot.Frame(top: top, bottom: top + height))
            top += height + Self.gap
        }
        place(thoughts == nil ? 300 : 420) { plot.drawAlignment(on: &$0, $1) }
        place(92) { plot.drawConfidence(on: &$0, $1) }
        place(150) { plot.drawError(on: &$0, $1) }
        place(104) { plot.drawTempo(on: &$0, $1) }
        plot.drawTimeAxis(on: &canvas, at: top - Self.gap)
        let height = top + 12
        let label = PictureCanvas.escaped("\(title): position, confidence, error and tempo over time")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(height))" role="img" \
            aria-label="\(label)">
            <style>\(PictureStyle.sheet)</style>
            <rect class="card" x=".5" y=".5" width="\(Int(Self.width) - 1)" height="\(Int(height) - 1)" rx="14"/>
            \(canvas.body)</svg>

            """
    }

    private func drawHeader(of plot: CasePlot, on canvas: inout PictureCanvas) {
        canvas.text(title.shortened(to: 52), x: 28, y: 44, style: "title")
        canvas.text(subtitle.shortened(to: 84), x: 28, y: 66, style: "sub")
        let summary = Summary(pooling: [plot.score])
        func percent(_ metric: Metric) -> String {
            summary[metric].value.map { "\(($0 * 100).rounded(places: 1)) %" } ?? "–"
        }
        let facts = [
            (percent(.measureHit), "right measure"), (percent(.measureWithinOne), "within one"),
            (percent(.onsetWithin250ms), "onsets ≤ 0.25 s"),
            (summary[.onsetAbsMedian].value.map { "\($0) s" } ?? "–", "median onset error"),
        ]
        for (index, fact) in facts.enumerated() {
            let x = Self.right - Double(facts.count - 1 - index) * 132
            canvas.text(fact.0, x: x, y: 42, style: "fact", anchor: .end)
            canvas.text(fact.1, x: x, y: 60, style: "small", anchor: .end)
        }
    }
}

extension String {
    func shortened(to count: Int) -> String { self.count > count ? prefix(count - 1) + "…" : self }
}
