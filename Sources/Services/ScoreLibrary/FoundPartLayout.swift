import Rehearsal
import ScorePages

/// Joins what a librarian has set for a part's pages with what was found on their images.
enum FoundPartLayout {
    /// White paper left around the music, as a share of the page.
    private static let spareMargin = 0.012
    /// The least share of the page's width or height that margins must save, so that they are cropped.
    private static let leastGain = 0.02

    /// Returns the layout that stands use.
    /// - Parameter found: what was found on each page; nil if nobody has looked yet.
    /// - Returns: nil if the pages are shown as they are in the file.
    static func effectiveLayout(of part: Part, found: [PageFinding]?) -> PartLayout? {
        guard let found, found.count == part.pages.count else { return part.layout }
        var pages = part.layout?.pages ?? part.pages.indices.map { LaidPage(page: $0) }
        for index in pages.indices where pages[index].tiltDegrees == nil {
            let tilt = found.indices.contains(pages[index].page) ? found[pages[index].page].tiltDegrees : 0
            if tilt != 0 { pages[index].tiltDegrees = tilt }
        }
        let crop = part.layout?.crop ?? margins(of: pages, found)
        let isPlain = crop == nil && part.layout == nil && pages.allSatisfy { $0.tiltDegrees == nil }
        return isPlain ? nil : try? PartLayout(pages: pages, crop: crop, count: part.pages.count)
    }

    /// Returns what is common to all pages: no printed note of any of them is left away.
    /// - Returns: nil if the margins are so narrow that nothing would be gained.
    static func margins(of pages: [LaidPage], _ found: [PageFinding]) -> PageCrop? {
        let odd = common(pages.filter { $0.page.isMultiple(of: 2) }, found)
        let even = common(pages.filter { !$0.page.isMultiple(of: 2) }, found)
        guard let first = odd ?? even, let second = even ?? odd else { return nil }
        // Left and right pages are shown in one size, so that notes do not change their size with every turn.
        let (left, right) = sameSize(first, second)
        // Both have one size.
        let gain: Double = max(1 - (left.right - left.left), 1 - (left.bottom - left.top))
        guard gain >= leastGain, let one = rectangle(left), let other = rectangle(right) else { return nil }
        return PageCrop(odd: one, even: other)
    }

    private typealias Edges = (left: Double, top: Double, right: Double, bottom: Double)

    /// The box around the music of some pages, with a little paper around it.
    private static func common(_ pages: [LaidPage], _ found: [PageFinding]) -> Edges? {
        var edges: Edges?
        for page in pages where found.indices.contains(page.page) {
            // A page that still lies on its side says nothing of the others' margins.
            if found[page.page].isOnSide, page.quarterTurns.isMultiple(of: 2) { continue }
            guard let ink = found[page.page].ink, ink.width > 0, ink.height > 0,
                let box = try? PageRectangle(
                    left: max(ink.x, 0), top: max(ink.y, 0), right: min(ink.x + ink.width, 1),
                    bottom: min(ink.y + ink.height, 1))
            else { continue }
            // Found after straightening, so that only the quarter turns remain.
            let turned = PageForm(size: PageSize(width: 1, height: 1), quarterTurns: page.quarterTurns)
                .upright(box)
            let old = edges ?? turned
            edges = (
                min(old.left, turned.left), min(old.top, turned.top), max(old.right, turned.right),
                max(old.bottom, turned.bottom)
            )
        }
        return edges.map {
            (
                max($0.left - spareMargin, 0), max($0.top - spareMargin, 0), min($0.right + spareMargin, 1),
                min($0.bottom + spareMargin, 1)
            )
        }
    }

    /// Widens two boxes to a common width and height, each kept on its page.
    private static func sameSize(_ one: Edges, _ other: Edges) -> (Edges, Edges) {
        let width = max(one.right - one.left, other.right - other.left)
        let height = max(one.bottom - one.top, other.bottom - other.top)
        func widened(_ edges: Edges) -> Edges {
            let left = min(max((edges.left + edges.right - width) / 2, 0), 1 - width)
            let top = min(max((edges.top + edges.bottom - height) / 2, 0), 1 - height)
            return (left, top, min(left + width, 1), min(top + height, 1))
        }
        return (widened(one), widened(other))
    }

    private static func rectangle(_ edges: Edges) -> PageRectangle? {
        func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
        return try? PageRectangle(
            left: rounded(edges.left), top: rounded(edges.top), right: rounded(edges.right),
            bottom: rounded(edges.bottom))
    }
}
