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
/// Made for printed staves of five lines: engraved, scanned or photographed, also crooked, bent, in uneven light or on
/// their side; not for handwriting or tablature.
public enum PageMeasureDetector {
    /// The detected measures in reading order; empty for a page without music.
    /// - Complexity: O(pixels); some 0.4 s for 2,400 rows, which a score of 14 staves needs.
    public static func detectMeasures(in image: GreyImage) -> [DetectedMeasure] {
        PageReading(image).measures()
    }
}
