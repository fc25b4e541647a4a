/// A page of engraved music.
public struct EngravedPage: Equatable, Sendable {
    public var paperSize: PaperSize
    /// The SVG in UTF-8. It has no external references, and its strokes use the CSS colour `currentColor`.
    public var svg: [UInt8]
    /// True if the SVG is compressed with gzip, to be sent unchanged with `Content-Encoding: gzip`.
    public var isCompressed: Bool

    public init(paperSize: PaperSize, svg: [UInt8], isCompressed: Bool = false) {
        self.paperSize = paperSize
        self.svg = svg
        self.isCompressed = isCompressed
    }
}

/// An engraved score, or one part of it.
public struct EngravedScore: Equatable, Sendable {
    public var title: String?
    public var composer: String?
    /// The names of all parts of the score, in score order.
    public var partNames: [String]
    public var pageLayout: PageLayout
    public var pages: [EngravedPage]
    /// The printed number of each written measure; the same for all parts.
    public var printedMeasureNumbers: [Int]
    /// The index of the written measure for each played measure, with repeats unfolded; the same for all parts.
    public var playedOrder: [Int]
    /// Ranges of written measures in which the engraved parts are silent.
    public var silentMeasureRanges: [ClosedRange<Int>]
    /// The rehearsal marks of the score, by their written measures; the same for all parts.
    public var rehearsalMarks: [EngravedMark] = []
    /// For each page, the map from an older engraving to this one; nil if it was not asked for.
    public var pageMaps: [RewrittenPageMap]?
    /// The engraved pages as PDF, if asked for.
    public var pdf: [UInt8]?
}

/// A rehearsal mark and the index of its written measure. In JSON an array of both, as in `[16, "A"]`.
public struct EngravedMark: Equatable, Sendable, Decodable {
    public var writtenMeasure: Int
    public var label: String

    public init(writtenMeasure: Int, label: String) {
        self.writtenMeasure = writtenMeasure
        self.label = label
    }

    public init(from decoder: any Decoder) throws {
        var fields = try decoder.unkeyedContainer()
        writtenMeasure = try fields.decode(Int.self)
        label = try fields.decode(String.self)
    }
}

/// The JSON that Sources/Python/engrave.py writes along with the pages.
struct EngravedLayout: Decodable {
    static let maximumBytes = 50_000_000

    var title: String?
    var composer: String?
    var parts: [String]
    var part: String?
    var pageSizes: [PaperSize]
    var printed: [Int]
    var playedOrder: [Int]
    var rests: [[Int]]
    /// Left out by older versions.
    var marks: [EngravedMark]?
    var maps: [RewrittenPageMap]?
    var measures: [MeasureBox]

    private enum CodingKeys: String, CodingKey {
        case title, composer, parts, part, printed, playedOrder, rests, marks, maps, measures
        case pageSizes = "pages"
    }

    /// A description of the first inconsistency in the file, or nil.
    var firstInconsistency: String? {
        let written = printed.indices
        if measures.isEmpty { return "it has no measures" }
        if let maps, !maps.allSatisfy(\.isUsable) { return "a page's map does not rise" }
        if !playedOrder.allSatisfy(written.contains) { return "a played measure is not written" }
        if let marks, !marks.allSatisfy({ written.contains($0.writtenMeasure) }) {
            return "a rehearsal mark stands outside the score"
        }
        let areRests = rests.allSatisfy {
            $0.count == 2 && $0[0] <= $0[1] && written.contains($0[0]) && written.contains($0[1])
        }
        if !areRests {
            return "a rest lies outside the score"
        }
        var next = 0
        for place in measures {
            guard place.index == next, place.count >= 1 else { return "a written measure is missing" }
            next += place.count
            guard pageSizes.indices.contains(place.page) else { return "a measure stands on no page" }
        }
        return next == printed.count ? nil : "a written measure is missing"
    }
}
