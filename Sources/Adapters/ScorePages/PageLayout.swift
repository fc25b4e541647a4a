import Score

/// The position of one written measure, or of a rest of several measures, on the pages.
public struct MeasureBox: Hashable, Sendable, Codable {
    /// The written measure, counted from 0; the same in the full score and in every part.
    public var index: Int
    /// The number of written measures: above 1 for a rest of several measures drawn as one, and if only whole pages
    /// are marked.
    public var count: Int
    /// The printed number of the first written measure in the box.
    public var printed: Int
    /// The played measures, counted from 0, at which the first written measure in the box sounds. A repeated measure
    /// has several.
    public var played: [Int]
    /// The page, counted from 0.
    public var page: Int
    /// The system on the page, counted from 0.
    public var system: Int
    public var box: PageBox

    public init(
        index: Int, count: Int = 1, printed: Int, played: [Int] = [], page: Int, system: Int, box: PageBox
    ) {
        self.index = index
        self.count = count
        self.printed = printed
        self.played = played
        self.page = page
        self.system = system
        self.box = box
    }
}

/// The positions of the measures of a score, or of one of its parts, on its pages.
public struct PageLayout: Hashable, Sendable, Codable {
    /// The name of the part; nil for the full score.
    public var part: String?
    public var pageSizes: [PaperSize]
    /// The measures' positions in written order.
    public var measures: [MeasureBox]

    private enum CodingKeys: String, CodingKey {
        case part, measures
        case pageSizes = "pages"
    }

    public init(part: String? = nil, pageSizes: [PaperSize], measures: [MeasureBox]) {
        self.part = part
        self.pageSizes = pageSizes
        self.measures = measures
    }

    /// Returns the position of a written measure. The measure may be part of a rest of several measures.
    /// - Complexity: O(log measures).
    public func measureBox(of index: Int) -> MeasureBox? {
        var low = 0
        var high = measures.count
        while low < high {
            let middle = (low + high) / 2
            if measures[middle].index <= index { low = middle + 1 } else { high = middle }
        }
        guard low > 0, index < measures[low - 1].index + measures[low - 1].count else { return nil }
        return measures[low - 1]
    }

    /// Returns the same positions with the played measures of a performance. Positions and performance are matched by
    /// printed measure number.
    ///
    /// If several positions have the same printed number, each gets all played measures with this number.
    public func withPlayedMeasures(from map: MeasureMap) -> PageLayout {
        var moments: [Int: [Int]] = [:]
        for (played, mark) in map.marks.enumerated() { moments[mark.printed, default: []].append(played) }
        var layout = self
        for index in layout.measures.indices {
            layout.measures[index].played = moments[layout.measures[index].printed] ?? []
        }
        return layout
    }
}
