/// The columns between two bar lines, in pixels.
struct MeasurePixelColumns: Equatable {
    var left: Double
    var right: Double
    var confidence: Double
}

/// Finds the bar lines of one system.
struct SystemBarLineDetector {
    /// A bar line, or the strokes of a double, final or repeat bar.
    struct BarLine: Equatable {
        var left: Int
        var right: Int
        var confidence: Double
    }

    /// The fraction of a system's staves in which a stroke must look like a bar line.
    private static let agreeingStavesShare = 0.7

    let system: StaffSystem
    let inkImage: BinaryPageImage

    func detectMeasureColumns() -> [MeasurePixelColumns] {
        let space = system.lineSpacing
        var start = Double(system.leftColumn)
        var segments: [MeasurePixelColumns] = []
        for bar in detectBarLines() {
            // Skips the line that joins the staves at the left, and strokes next to it.
            if Double(bar.right) < Double(system.leftColumn) + 1.5 * space {
                start = Double(bar.right)
                continue
            }
            segments.append(
                MeasurePixelColumns(
                    left: start, right: Double(bar.left + bar.right) / 2, confidence: bar.confidence))
            start = segments[segments.count - 1].right
        }
        // If the space after the last line is narrower than this, it holds a clef or a key for the next system.
        if Double(system.rightColumn) - start > 9 * space {
            segments.append(
                MeasurePixelColumns(left: start, right: Double(system.rightColumn), confidence: 0.3))
        }
        return segments
    }

    /// Returns the strokes that cross the staves. Strokes closer than one and a half staff spaces form one bar line.
    func detectBarLines() -> [BarLine] {
        let strokes = system.staves.map {
            BarLineStrokeDetector(staff: $0, inkImage: inkImage, system: system).detectStrokes()
        }
        let reach = max(2, Int(system.lineSpacing / 3))
        var votes: [(column: Int, left: Int, right: Int, quality: Double)] = []
        for (staff, found) in strokes.enumerated() {
            for stroke in found
            where !votes.contains(where: { abs($0.column - stroke.centreColumn) <= reach }) {
                let agreeing = strokes.map { others in
                    others.filter { abs($0.centreColumn - stroke.centreColumn) <= reach }.map(
                        \.barLineSimilarity
                    ).max() ?? 0
                }
                let share = Double(agreeing.count { $0 > 0 }) / Double(agreeing.count)
                guard share >= Self.agreeingStavesShare, staff <= agreeing.count else { continue }
                votes.append(
                    (
                        stroke.centreColumn, stroke.leftColumn, stroke.rightColumn,
                        agreeing.reduce(0, +) / Double(agreeing.count)
                    )
                )
            }
        }
        var bars: [BarLine] = []
        for vote in votes.sorted(by: { $0.column < $1.column }) {
            if let last = bars.last, Double(vote.left - last.right) < 1.5 * system.lineSpacing {
                bars[bars.count - 1].right = max(last.right, vote.right)
                bars[bars.count - 1].confidence = max(last.confidence, vote.quality)
            } else {
                bars.append(BarLine(left: vote.left, right: vote.right, confidence: vote.quality))
            }
        }
        return bars
    }
}
