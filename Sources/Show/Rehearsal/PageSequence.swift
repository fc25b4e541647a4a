/// The order in which the pages of a part are shown. Pages keep their numbers of the file; their positions count from
/// 0.
///
/// - Complexity: each look-up O(1).
public struct PageSequence: Hashable, Sendable {
    /// The pages by position.
    public let pages: [Int]
    private let positions: [Int: Int]

    public init(_ part: Part) {
        self.init(pages: part.layout?.pages.map(\.page) ?? Array(part.pages.indices))
    }

    init(pages: [Int]) {
        self.pages = pages
        positions = Dictionary(pages.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    public var count: Int { pages.count }

    /// Returns the position of a page; nil if it is left out.
    public func position(ofPage page: Int) -> Int? { positions[page] }

    /// Returns the position at which a reader finds a page: its own, or that of the next page of the file that is
    /// shown, or the last one.
    public func nearestPosition(toPage page: Int) -> Int {
        if let own = positions[page] { return own }
        let next = positions.filter { $0.key > page }.min { $0.key < $1.key }
        return next?.value ?? pages.count - 1
    }

    /// Returns the page at a position; -1 before the first one.
    public func page(at position: Int) -> Int {
        position < 0 ? -1 : pages[min(position, pages.count - 1)]
    }
}

extension PageArrangement {
    /// Returns the left page of the sheet that contains a page; the page itself if sheets are single pages; -1 if the
    /// first page of a book is alone on the right.
    func leftPage(ofSheetWith page: Int, in sequence: PageSequence) -> Int {
        sequence.page(at: sheet(of: page < 0 ? 0 : sequence.nearestPosition(toPage: page)))
    }

    /// Returns the left page of another sheet, `steps` sheets further on, kept within the part.
    func leftPage(ofSheet steps: Int, after left: Int, in sequence: PageSequence) -> Int {
        let here = left < 0 ? -1 : sheet(of: sequence.nearestPosition(toPage: left))
        let (first, last) = (sheet(of: 0), sheet(of: sequence.count - 1))
        return sequence.page(at: min(max(here + steps * pagesPerSheet, first), last))
    }
}

extension Part {
    /// One more than the highest number of a page that stands may name, empty pages included.
    public var pageNumberLimit: Int { max(pages.count, (layout?.pages.map(\.page).max() ?? -1) + 1) }

    /// Returns how a page is laid: turned and straightened as the layout says.
    public func form(ofPage page: Int) -> PageForm {
        let laid = layout?.pages.first { $0.page == page }
        let size = pages.indices.contains(page) ? pages[page] : blankPageSize(near: page)
        return PageForm(
            size: size, quarterTurns: laid?.quarterTurns ?? 0, tiltDegrees: laid?.tiltDegrees ?? 0)
    }

    /// The size of an empty page: that of the page before it, as that is shown.
    private func blankPageSize(near page: Int) -> PageSize {
        let shown = layout?.pages ?? []
        let at = shown.firstIndex { $0.page == page } ?? 0
        let neighbour = (shown[..<at].reversed() + shown[at...]).first { pages.indices.contains($0.page) }
        guard let neighbour else { return pages[0] }
        return PageForm(size: pages[neighbour.page], quarterTurns: neighbour.quarterTurns).uprightSize
    }
}
