/// The first and the last printed measure of a page: the least that is needed to turn pages.
public struct PageMeasureRange: Hashable, Sendable, Codable {
    public var page: Int
    public var first: Int
    public var last: Int

    public init(page: Int, first: Int, last: Int) {
        self.page = page
        self.first = first
        self.last = last
    }
}

extension PageLayout {
    /// Numbers the proposed measures in reading order.
    /// - Parameters:
    ///   - proposals: one list for each page, in reading order.
    ///   - firstPrinted: 0 for a piece that begins with a pickup.
    public init(
        part: String? = nil, pageSizes: [PaperSize], proposals: [[DetectedMeasure]], firstPrinted: Int = 1
    ) {
        var measures: [MeasureBox] = []
        for (page, found) in proposals.enumerated() {
            for proposal in found {
                measures.append(
                    MeasureBox(
                        index: measures.count, printed: firstPrinted + measures.count, page: page,
                        system: proposal.system, box: proposal.box))
            }
        }
        self.init(part: part, pageSizes: pageSizes, measures: measures)
    }

    /// Uses whole pages as positions, for a score of which only the first and last measures of its pages are known.
    ///
    /// A page without music, such as a title, is left out of the extents. Impossible values are kept, so that
    /// ``numberingFaults()`` can name them.
    public init(part: String? = nil, pageSizes: [PaperSize], extents: [PageMeasureRange]) {
        let start = extents.first?.first ?? 1
        self.init(
            part: part, pageSizes: pageSizes,
            measures: extents.map {
                MeasureBox(
                    index: $0.first.subtractingOrZero(start),
                    count: $0.last.subtractingOrZero($0.first.subtractingOrZero(1)),
                    printed: $0.first, page: $0.page, system: 0, box: .wholePage)
            })
    }
}

extension Int {
    /// Returns the difference, or 0 if it overflows, because users can type any number into a form.
    fileprivate func subtractingOrZero(_ other: Int) -> Int {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? 0 : difference
    }
}
