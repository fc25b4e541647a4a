/// The layout of a part's pages on stands and on paper: their order, rotation and straightening, and the margins that
/// are cut off.
///
/// A layout is a view of the part's pages, which never change. Places of measures and remarks stay in shares of the
/// page as its file has it, under the page's number in the file, so that no change of a layout moves them.
public struct PartLayout: Hashable, Sendable {
    /// The pages in the order in which they are shown. Pages that are missing are left out.
    public let pages: [LaidPage]
    /// The part of each page that is shown; nil if the margins are those that were found, or the whole page.
    public let crop: PageCrop?

    /// Creates a layout.
    /// - Parameter count: the number of pages of the part's file.
    /// - Throws: ``RehearsalFault`` if no page is shown, a page is shown twice or does not exist, or an angle is
    ///   impossible.
    public init(pages: [LaidPage], crop: PageCrop? = nil, count: Int) throws(RehearsalFault) {
        guard !pages.isEmpty else { throw .noneOf("pages on the stand") }
        try Part.checkCount(pages.count, of: "pages", most: RoomLimits.mostPagesPerPart)
        var seen: Set<Int> = []
        for laid in pages {
            guard (0..<count + Self.mostBlankPages).contains(laid.page) else {
                throw .noSuchLaidPage(laid.page, pages: count)
            }
            guard seen.insert(laid.page).inserted else { throw .pageLaidTwice(laid.page) }
            guard LaidPage.allowedTurns.contains(laid.quarterTurns) else {
                throw .turnOutOfRange(laid.quarterTurns)
            }
            if let tilt = laid.tiltDegrees, !LaidPage.allowedTilts.contains(tilt) {
                throw .tiltOutOfRange(tilt)
            }
        }
        self.pages = pages
        self.crop = crop
    }

    /// The most empty pages of a part. A number from the count of pages on stands for an empty page.
    public static let mostBlankPages = 200
}

/// One page of a ``PartLayout``.
public struct LaidPage: Hashable, Sendable {
    public static let allowedTurns = 0...3
    /// The angles by which a page can be straightened, in degrees.
    public static let allowedTilts = -10.0...10.0

    /// The page as an index into ``Part/pages``. From ``Part/pages``' count on, it is an empty page.
    public var page: Int
    /// Quarter turns clockwise by which the page of the file is turned to be upright.
    public var quarterTurns: Int
    /// Degrees clockwise by which the upright page is turned further, so that its staves are level; nil for the angle
    /// that was found on the page's image.
    public var tiltDegrees: Double?

    public init(page: Int, quarterTurns: Int = 0, tiltDegrees: Double? = nil) {
        self.page = page
        self.quarterTurns = quarterTurns
        self.tiltDegrees = tiltDegrees
    }
}

/// The part of a page that is shown, common to all pages of a part. Left and right pages may differ, because scanners
/// and binders shift them to opposite sides.
public struct PageCrop: Hashable, Sendable, Codable {
    /// For the first, third, fifth … page of the file, as shares of the upright page.
    public var odd: PageRectangle
    /// For the second, fourth, sixth … page of the file.
    public var even: PageRectangle

    public init(odd: PageRectangle, even: PageRectangle) {
        self.odd = odd
        self.even = even
    }

    /// The rectangle for a page by its index in the file.
    public func rectangle(ofPage page: Int) -> PageRectangle { page.isMultiple(of: 2) ? odd : even }
}

extension PartLayout: Codable {
    private enum CodingKeys: CodingKey { case pages, crop }

    /// Decodes a layout. Its pages are checked against the file's only by ``Part``.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            pages: fields.decode([LaidPage].self, forKey: .pages),
            crop: fields.decodeIfPresent(PageCrop.self, forKey: .crop), count: RoomLimits.mostPagesPerPart)
    }
}

/// A page is encoded as `{"page":3,"turn":1,"tilt":-0.8}`, without `turn` if it is 0 and without `tilt` if it is found.
extension LaidPage: Codable {
    private enum CodingKeys: String, CodingKey {
        case page
        case quarterTurns = "turn"
        case tiltDegrees = "tilt"
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        page = try fields.decode(Int.self, forKey: .page)
        quarterTurns = try fields.decodeIfPresent(Int.self, forKey: .quarterTurns) ?? 0
        tiltDegrees = try fields.decodeIfPresent(Double.self, forKey: .tiltDegrees)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(page, forKey: .page)
        if quarterTurns != 0 { try fields.encode(quarterTurns, forKey: .quarterTurns) }
        try fields.encodeIfPresent(tiltDegrees, forKey: .tiltDegrees)
    }
}
