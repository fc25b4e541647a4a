/// A measure that was detected on the image of a page and that a person should confirm.
public struct DetectedMeasure: Hashable, Sendable, Codable {
    /// The system's number on the page, counted from 0.
    public var system: Int
    public var box: PageBox
    /// The confidence of the detection, 0…1; below 0.5, a person should check the measure.
    public var confidence: Double

    public init(system: Int, box: PageBox, confidence: Double) {
        self.system = system
        self.box = box
        self.confidence = confidence
    }
}

/// Detects measures on the image of a page: staves, systems, then the lines that cross all staves of a system.
///
/// Made for engraved pages and clean scans with five-line staves, not for handwriting or tablature.
public enum PageMeasureDetector {
    /// The detected measures in reading order; empty for a page without music.
    /// - Complexity: O(pixels); some 0.1 s for 2,400 rows, which a score of 14 staves needs.
    public static func detectMeasures(in image: GreyImage) -> [DetectedMeasure] {
        guard image.width >= 100, image.height >= 100 else { return [] }
        let ink = BinaryPageImage(image)
        let systems = StaffSystem.makeSystems(of: StaffDetector(inkImage: ink).detectStaves(), in: ink)
        let found = systems.map {
            ($0, SystemBarLineDetector(system: $0, inkImage: ink).detectMeasureColumns())
        }
        let widths = found.flatMap { $0.1.map { $0.right - $0.left } }.sorted()
        let usualWidth = widths.isEmpty ? 0 : widths[widths.count / 2]
        var proposals: [DetectedMeasure] = []
        for (index, (system, segments)) in found.enumerated() {
            let rows = rowRange(of: index, in: systems, height: image.height)
            for segment in joiningNarrowFirstSegment(segments, usualWidth, spacing: system.lineSpacing) {
                proposals.append(
                    DetectedMeasure(
                        system: index, box: makePageBox(segment, rows, ink), confidence: segment.confidence))
            }
        }
        return proposals
    }

    /// Joins a very narrow first segment to the next one. Such a segment ends at a repeat sign after clef and key.
    /// This sign begins the first measure and does not end one.
    private static func joiningNarrowFirstSegment(
        _ segments: [MeasurePixelColumns], _ usualWidth: Double, spacing: Double
    ) -> [MeasurePixelColumns] {
        guard segments.count > 1 else { return segments }
        let first = segments[0].right - segments[0].left
        guard first < 0.45 * usualWidth, first < 9 * spacing else { return segments }
        var joined = Array(segments.dropFirst())
        joined[0].left = segments[0].left
        joined[0].confidence *= 0.7
        return joined
    }

    /// Returns the rows of a system: two staff spaces more than its staves above and below, but not beyond the middle
    /// between two systems.
    private static func rowRange(
        of index: Int, in systems: [StaffSystem], height: Int
    ) -> ClosedRange<Double> {
        let system = systems[index]
        guard let first = system.staves.first, let last = system.staves.last else { return 0...0 }
        var top = max(0, first.top - 2 * system.lineSpacing)
        var bottom = min(Double(height), last.bottom + 2 * system.lineSpacing)
        if index > 0, let above = systems[index - 1].staves.last {
            top = max(top, (above.bottom + first.top) / 2)
        }
        if index + 1 < systems.count, let below = systems[index + 1].staves.first {
            bottom = min(bottom, (last.bottom + below.top) / 2)
        }
        return min(top, bottom)...bottom
    }

    /// Returns the box of a measure in fractions of the page, on the original page before straightening.
    private static func makePageBox(
        _ segment: MeasurePixelColumns, _ rows: ClosedRange<Double>, _ ink: BinaryPageImage
    )
        -> PageBox
    {
        let shift = ink.straighteningShift(at: (segment.left + segment.right) / 2)
        let height = Double(ink.height)
        let top = min(max(rows.lowerBound + shift, 0), height)
        let bottom = min(max(rows.upperBound + shift, top), height)
        return PageBox(
            x: segment.left / Double(ink.width), y: top / height,
            width: (segment.right - segment.left) / Double(ink.width), height: (bottom - top) / height)
    }
}
