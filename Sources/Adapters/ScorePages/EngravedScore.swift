/// A page of engraved music.
public struct EngravedPage: Equatable, Sendable {
    public var paper: PaperSize
    /// SVG in UTF-8 that refers to nothing outside itself; its strokes take the current colour.
    public var svg: [UInt8]
    /// Whether the SVG is packed by gzip: to be sent on as it is, with `Content-Encoding: gzip`.
    public var isCompressed: Bool

    public init(paper: PaperSize, svg: [UInt8], isCompressed: Bool = false) {
        self.paper = paper
        self.svg = svg
        self.isCompressed = isCompressed
    }
}

/// A score or a part of it, engraved.
public struct EngravedScore: Equatable, Sendable {
    public var title: String?
    public var composer: String?
    /// Every part of the score by name, in score order.
    public var parts: [String]
    public var layout: PageLayout
    public var pages: [EngravedPage]
    /// The number printed over each written measure; the same for all parts.
    public var printed: [Int]
    /// The written measure of each played one, repeats unfolded; the same for all parts.
    public var playedOrder: [Int]
    /// Runs of written measures in which what is engraved here is silent.
    public var rests: [ClosedRange<Int>]
    /// The same pages as PDF, if asked for.
    public var pdf: [UInt8]?
}

/// What Tools/engrave.py writes beside the pages.
struct EngravedLayout: Decodable {
    static let maximumBytes = 50_000_000

    var title: String?
    var composer: String?
    var parts: [String]
    var part: String?
    var pages: [PaperSize]
    var printed: [Int]
    var playedOrder: [Int]
    var rests: [[Int]]
    var measures: [MeasurePlace]

    /// The first thing that cannot be, or nil.
    var fault: String? {
        let written = printed.indices
        if measures.isEmpty { return "it has no measures" }
        if !playedOrder.allSatisfy(written.contains) { return "a played measure is not written" }
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
            guard pages.indices.contains(place.page) else { return "a measure stands on no page" }
        }
        return next == printed.count ? nil : "a written measure is missing"
    }
}
