import Accuracy
import Foundation

/// Draws the chart of a case as SVG: position, confidence and state, error, and tempo over live time. Orange is the
/// music, dark ink the follower, blue what it thought possible. The same chart makes the same picture.
package struct CaseChartPicture {
    private let chart: BenchmarkCaseChart
    private var parts: [String] = []

    private static let (left, right) = (64.0, 1_180.0)
    private static let (music, follower, miss, trouble) = ("#f0a93f", "#16264d", "#c42f1d", "#6d5bd0")
    private static let (faint, quiet) = ("#e2ded5", "#5f6773")
    private static let states = [
        ("waiting", "#c2c8d0"), ("following", "#d7ebe8"), ("coasting", "#f2cd5c"), ("lost", "#e0784a"),
        ("finished", "#b9a8dc"),
    ]
    /// From so much probability on, a stretch of the reference has the colour.
    private static let blues: [(floor: Float, colour: String)] = [
        (0.004, "#dbe6f4"), (0.012, "#bbd1ec"), (0.035, "#93b7e2"), (0.1, "#6799d5"), (0.25, "#3f7ac3"),
        (0.5, "#205ba6"),
    ]
    private static let figures: [(metric: AccuracyMetric, words: String, isShare: Bool)] = [
        (.rightMeasureShare, "right measure", true), (.withinOneMeasureShare, "within one", true),
        (.onsetShareWithin250ms, "onsets ≤ 0.25 s", true),
        (.onsetAbsoluteErrorMedian, "median onset error", false),
    ]

    /// A panel: the edges in the picture, and the values there.
    private struct Panel {
        var top: Double
        var bottom: Double
        var range: ClosedRange<Double>

        func y(_ value: Double) -> Double {
            let share = (value - range.lowerBound) / max(range.upperBound - range.lowerBound, 1e-9)
            return bottom - min(max(share, 0), 1) * (bottom - top)
        }
    }

    package init(_ chart: BenchmarkCaseChart) { self.chart = chart }

    package var svg: String {
        var drawing = self
        drawing.draw()
        return drawing.parts.joined(separator: "\n") + "\n"
    }

    private mutating func draw() {
        parts = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 1000" "#
                + #"font-family="sans-serif" font-size="12">"#,
            ##"<rect width="1200" height="1000" fill="#fdfcfa"/>"##,
        ]
        write(String(chart.title.prefix(70)), 20, 34, "font-size=\"20\" font-weight=\"bold\"")
        write(String(chart.subtitle.prefix(110)), 20, 54, "fill=\"\(Self.quiet)\"")
        for (place, figure) in Self.figures.enumerated() {
            let x = Self.right - 130 * Double(Self.figures.count - 1 - place)
            let value = chart.figures[figure.metric.rawValue]
            let text = value.map { figure.isShare ? Self.number($0 * 100) + " %" : "\($0) s" } ?? "–"
            write(text, x, 34, "text-anchor=\"end\" font-size=\"17\" font-weight=\"bold\"")
            write(figure.words, x, 54, "text-anchor=\"end\" fill=\"\(Self.quiet)\"")
        }
        let position = Panel(top: 100, bottom: 530, range: 0...max(chart.top, 1))
        let confidence = Panel(top: 580, bottom: 670, range: 0...1)
        let errors = errorPanel()
        let tempo = tempoPanel()
        for panel in [position, confidence, errors.panel, tempo.panel] {
            rectangle(Self.left, panel.top, Self.right, panel.bottom, "#f6f4ef")
        }
        drawTimes(to: tempo.panel.bottom, panels: [position, confidence, errors.panel, tempo.panel])
        drawPosition(position)
        drawConfidence(confidence)
        drawErrors(errors.panel, scale: errors.scale, ticks: errors.ticks)
        drawTempo(tempo.panel, ticks: tempo.ticks)
        for panel in [position, confidence, errors.panel, tempo.panel] {
            for hold in chart.holds {
                rectangle(x(hold.start), panel.top, x(hold.end), panel.bottom, "#242a33", opacity: 0.08)
            }
            drawTrouble(panel)
        }
        parts.append("</svg>")
    }

    // MARK: - Panels

    private mutating func drawPosition(_ panel: Panel) {
        title(
            chart.thoughts == nil ? "Position in the score" : "Where the follower thought the music was",
            panel)
        var step = 1
        while chart.measures.count / step > 11 { step *= 2 }
        for measure in stride(from: 0, to: chart.measures.count, by: step).map({ chart.measures[$0] }) {
            tick("\(measure.printed)", at: panel.y(measure.height))
        }
        drawThoughts(panel)
        for piece in chart.music {
            line([piece.map { (x($0.live), panel.y($0.height)) }], Self.music, width: 4, opacity: 0.9)
        }
        let reports = chart.reports
        var lines: [[(Double, Double)]] = [[]]
        var leaps: [String] = []
        for index in reports.live.indices {
            guard let height = reports.height[index] else {
                lines.append([])
                continue
            }
            if index > 0, let before = reports.height[index - 1] {
                let (way, passed) = (height - before, reports.live[index] - reports.live[index - 1])
                // Half a second back, or two seconds beyond any tempo.
                if way < -0.5 || way > 2 + 3 * passed {
                    lines.append([])
                    let from = point(x(reports.live[index]), panel.y(before))
                    leaps.append("M\(from)V\(Self.number(panel.y(height)))")
                }
            }
            lines[lines.count - 1].append((x(reports.live[index]), panel.y(height)))
        }
        line(lines, Self.follower, width: 1.6)
        path(leaps.joined(), "stroke=\"\(Self.follower)\" stroke-dasharray=\"2 2\"")
        let crosses = chart.misses.map { miss in
            let (x, y) = (x(miss.live), panel.y(miss.height))
            return
                "M\(point(x - 3, y - 3))L\(point(x + 3, y + 3))M\(point(x - 3, y + 3))L\(point(x + 3, y - 3))"
        }
        path(crosses.joined(), "stroke=\"\(Self.miss)\" stroke-width=\"1.4\"")
        legend(
            [
                (Self.music, "the music"), (Self.follower, "the follower"),
                (Self.miss, "onset missed (\(chart.misses.count))"),
                (Self.follower, "leap (\(leaps.count))"),
            ], panel)
    }

    /// The probabilities: a rectangle for each run of rows of one colour.
    private mutating func drawThoughts(_ panel: Panel) {
        guard let thoughts = chart.thoughts else { return }
        var paths = Array(repeating: "", count: Self.blues.count)
        for (column, values) in thoughts.columns.enumerated() {
            let start = x(thoughts.firstSeconds + thoughts.stepSeconds * Double(column))
            let end = x(thoughts.firstSeconds + thoughts.stepSeconds * Double(column + 1))
            var row = 0
            while row < values.count {
                let first = row
                let level = Self.blues.lastIndex { values[first] >= $0.floor }
                while row < values.count, Self.blues.lastIndex(where: { values[row] >= $0.floor }) == level {
                    row += 1
                }
                guard let level else { continue }
                func y(_ row: Int) -> Double {
                    panel.y(thoughts.referenceSeconds * Double(row) / Double(values.count))
                }
                paths[level] += "M\(point(start, y(first)))V\(Self.number(y(row)))H\(Self.number(end))"
                paths[level] += "V\(Self.number(y(first)))Z"
            }
        }
        for (level, path) in paths.enumerated() where !path.isEmpty {
            parts.append("<path d=\"\(path)\" fill=\"\(Self.blues[level].colour)\"/>")
        }
    }

    private mutating func drawConfidence(_ panel: Panel) {
        title("Confidence and state", panel)
        let reports = chart.reports
        var start = 0
        for index in reports.state.indices.dropFirst() + [reports.state.endIndex] where !reports.state.isEmpty
        {
            let isEnd = index == reports.state.endIndex
            guard isEnd || reports.state[index] != reports.state[start] else { continue }
            let end = reports.live[min(index, reports.live.count - 1)]
            let colour = Self.states.first { $0.0 == reports.state[start] }?.1 ?? Self.faint
            rectangle(x(reports.live[start]), panel.top, x(end), panel.bottom, colour)
            start = index
        }
        for value in [0, 0.5, 1] { tick("\(Int(value * 100)) %", at: panel.y(value)) }
        line(
            [zip(reports.live, reports.confidence).map { (x($0), panel.y($1)) }], Self.follower, width: 1.2)
        legend(Self.states.filter { reports.state.contains($0.0) }.map { ($0.1, $0.0) }, panel)
    }

    /// Errors are drawn to scale up to a quarter of a second, and by their logarithm beyond.
    private func errorPanel() -> (panel: Panel, scale: (Double) -> Double, ticks: [Double]) {
        let worst = chart.errors.seconds.compactMap { $0?.magnitude }.max() ?? 0
        let limit = [1.0, 3, 10, 30].first { worst <= $0 } ?? 60
        let scale: (Double) -> Double = { value in
            let size = value.magnitude
            let shown = size <= 0.25 ? 0.5 * size / 0.25 : 0.5 + log10(size / 0.25)
            return value < 0 ? -shown : shown
        }
        let ticks = (limit <= 3 ? [0.25, 1, 3] : limit <= 10 ? [0.25, 2, 10] : [0.25, 3, 30])
            .filter { $0 <= limit }
        let most = scale(limit)
        return (Panel(top: 720, bottom: 840, range: -most...most), scale, ticks)
    }

    private mutating func drawErrors(_ panel: Panel, scale: (Double) -> Double, ticks: [Double]) {
        title("Error in seconds (up is ahead of the music)", panel)
        rectangle(
            Self.left, panel.y(scale(0.25)), Self.right, panel.y(scale(-0.25)), "#2c9c9c", opacity: 0.15)
        for value in ticks {
            tick("+" + Self.shortNumber(value), at: panel.y(scale(value)))
            tick("−" + Self.shortNumber(value), at: panel.y(scale(-value)))
        }
        tick("0", at: panel.y(0))
        var lines: [[(Double, Double)]] = [[]]
        for (live, error) in zip(chart.errors.live, chart.errors.seconds) {
            guard let error else {
                lines.append([])
                continue
            }
            lines[lines.count - 1].append((x(live), panel.y(scale(error))))
        }
        for part in lines where part.count > 1 {
            let points = part.map { point($0.0, $0.1) }.joined(separator: "L")
            let ground = Self.number(panel.y(0))
            parts.append(
                "<path d=\"M\(Self.number(part[0].0)) \(ground)L\(points)V\(ground)Z\" fill=\"#2f5ea8\" "
                    + "fill-opacity=\"0.22\"/>")
        }
        line(lines, Self.follower, width: 1.2)
    }

    /// Tempi are drawn by their logarithm. Single stray values are cut off rather than flattening everything else.
    private func tempoPanel() -> (panel: Panel, ticks: [Double]) {
        let shown = zip(chart.reports.height, chart.reports.tempo).compactMap { $0 == nil ? nil : $1 }
        let values = (shown + chart.tempi.compactMap(\.ratio)).filter { $0 > 0 && $0.isFinite }.sorted()
        let low = values.isEmpty ? 1 : values[values.count / 100]
        let high = values.isEmpty ? 1 : values[values.count - 1 - values.count / 100]
        let (bottom, top) = (min(max(low * 0.92, 0.05), 0.8), max(min(high * 1.08, 20), 1.25))
        let ticks =
            (top / bottom > 3 ? [0.1, 0.25, 0.5, 1, 2, 4, 10] : [0.4, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2])
            .filter { (bottom...top).contains($0) }
        return (Panel(top: 880, bottom: 950, range: log(bottom)...log(top)), ticks)
    }

    private mutating func drawTempo(_ panel: Panel, ticks: [Double]) {
        title("Tempo ratio to the reference", panel)
        for value in ticks { tick(Self.shortNumber(value), at: panel.y(log(value))) }
        line(
            chart.tempi.compactMap { tempo in
                tempo.ratio.map { ratio in
                    [(x(tempo.start), panel.y(log(ratio))), (x(tempo.end), panel.y(log(ratio)))]
                }
            }, "#e0993a", width: 2)
        var lines: [[(Double, Double)]] = [[]]
        for index in chart.reports.live.indices {
            let tempo = chart.reports.tempo[index]
            guard chart.reports.height[index] != nil, tempo > 0 else {
                lines.append([])
                continue
            }
            lines[lines.count - 1].append((x(chart.reports.live[index]), panel.y(log(tempo))))
        }
        line(lines, Self.follower, width: 1.2)
    }

    private mutating func drawTrouble(_ panel: Panel) {
        guard let trouble = chart.trouble, let start = trouble.start ?? trouble.end else { return }
        let end = trouble.end ?? start
        rectangle(x(start), panel.top, x(end), panel.bottom, Self.trouble, opacity: 0.1)
        path(
            "M\(point(x(end), panel.top))V\(Self.number(panel.bottom))",
            "stroke=\"\(Self.trouble)\" stroke-width=\"1.2\" stroke-dasharray=\"6 4\"")
        guard panel.top == 100, let kind = trouble.kind else { return }
        write(
            String(kind.prefix(40)), x(end) + 5, panel.top + 16,
            "fill=\"\(Self.trouble)\" font-weight=\"bold\"")
    }

    private mutating func drawTimes(to bottom: Double, panels: [Panel]) {
        let step = [5.0, 10, 15, 30, 60, 120, 300, 600, 1_200, 3_600].first { chart.end / $0 <= 14 } ?? 7_200
        var grid = ""
        for time in stride(from: 0, through: chart.end, by: step) {
            let seconds = Int(time)
            let clock = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
            write(clock, x(time), bottom + 18, "text-anchor=\"middle\" fill=\"\(Self.quiet)\"")
            for panel in panels { grid += "M\(point(x(time), panel.top))V\(Self.number(panel.bottom))" }
        }
        path(grid, "stroke=\"\(Self.faint)\"")
        write("live time, min:s", (Self.left + Self.right) / 2, bottom + 38, "text-anchor=\"middle\"")
    }

    // MARK: - Elements

    private func x(_ live: Double) -> Double {
        Self.left + min(max(live / max(chart.end, 1), 0), 1) * (Self.right - Self.left)
    }

    private mutating func title(_ text: String, _ panel: Panel) {
        write(text, Self.left, panel.top - 8, "font-size=\"13\" font-weight=\"bold\"")
    }

    private mutating func tick(_ text: String, at y: Double) {
        path("M\(point(Self.left, y))H\(Self.number(Self.right))", "stroke=\"\(Self.faint)\"")
        write(text, Self.left - 6, y + 4, "text-anchor=\"end\" fill=\"\(Self.quiet)\"")
    }

    private mutating func legend(_ entries: [(colour: String, words: String)], _ panel: Panel) {
        for (place, entry) in entries.reversed().enumerated() {
            let x = Self.right - 130 * Double(place + 1)
            rectangle(x, panel.top - 17, x + 14, panel.top - 7, entry.colour)
            write(entry.words, x + 20, panel.top - 8, "fill=\"\(Self.quiet)\"")
        }
    }

    private mutating func rectangle(
        _ x: Double, _ y: Double, _ right: Double, _ bottom: Double, _ colour: String, opacity: Double = 1
    ) {
        parts.append(
            "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(max(right - x, 0)))\" "
                + "height=\"\(Self.number(max(bottom - y, 0)))\" fill=\"\(colour)\""
                + (opacity < 1 ? " fill-opacity=\"\(opacity)\"/>" : "/>"))
    }

    private mutating func line(
        _ lines: [[(Double, Double)]], _ colour: String, width: Double, opacity: Double = 1
    ) {
        let data = lines.filter { $0.count > 1 }.map { points in
            "M" + points.map { point($0.0, $0.1) }.joined(separator: "L")
        }
        path(
            data.joined(),
            "stroke=\"\(colour)\" stroke-width=\"\(width)\" stroke-opacity=\"\(opacity)\" "
                + "stroke-linejoin=\"round\"")
    }

    private mutating func path(_ data: String, _ attributes: String) {
        if !data.isEmpty { parts.append("<path d=\"\(data)\" fill=\"none\" \(attributes)/>") }
    }

    private mutating func write(_ text: String, _ x: Double, _ y: Double, _ attributes: String) {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case _ where scalar.value < 0x20: escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        let fill = attributes.contains("fill=") ? "" : " fill=\"#242a33\""
        parts.append(
            "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" \(attributes)\(fill)>\(escaped)</text>")
    }

    private func point(_ x: Double, _ y: Double) -> String { "\(Self.number(x)) \(Self.number(y))" }

    /// A number with at most one decimal.
    private static func number(_ value: Double) -> String { shortNumber((value * 10).rounded() / 10) }

    private static func shortNumber(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}
