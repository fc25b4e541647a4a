/// The part of a page that is printed, as shares of the page's width and height.
public struct PageFrame: Equatable, Sendable {
    public var left: Double
    public var top: Double
    public var right: Double
    public var bottom: Double

    public init(left: Double, top: Double, right: Double, bottom: Double) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    public static let whole = PageFrame(left: 0, top: 0, right: 1, bottom: 1)

    /// The frame, made larger so that no annotation is cut, but never larger than the page.
    public func widened(for annotations: [PageAnnotation], on paper: PaperSize) -> PageFrame {
        // Heights are shares of the page's height; this makes them shares of its width.
        let across = paper.height / max(paper.width, .leastNormalMagnitude)
        var frame = self
        for annotation in annotations {
            let box = annotation.bounds(across: across)
            frame.left = min(frame.left, max(box.left, 0))
            frame.top = min(frame.top, max(box.top, 0))
            frame.right = max(frame.right, min(box.right, 1))
            frame.bottom = max(frame.bottom, min(box.bottom, 1))
        }
        return frame
    }
}

extension PageAnnotation {
    /// The width of a letter as a share of its height, rather too wide: only the typeface knows it.
    private static let letterWidth = 0.65
    private static let lineHeight = 1.2

    /// The box around what is drawn.
    fileprivate func bounds(across: Double) -> PageFrame {
        switch self {
        case .penStroke(let points, let thickness, _), .highlighterStroke(let points, let thickness, _):
            let half = thickness / 2
            return PageFrame(
                left: (points.map(\.x).min() ?? 0.5) - half * across,
                top: (points.map(\.y).min() ?? 0.5) - half,
                right: (points.map(\.x).max() ?? 0.5) + half * across,
                bottom: (points.map(\.y).max() ?? 0.5) + half)
        case .highlightedBox(let box, _):
            return PageFrame(left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height)
        case .text(let text, let point, let height, _):
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let longest = Double(lines.map(\.count).max() ?? 0)
            return PageFrame(
                left: point.x, top: point.y, right: point.x + longest * Self.letterWidth * height * across,
                bottom: point.y + Double(lines.count) * Self.lineHeight * height)
        case .stamp(_, let centre, let height, _):
            return PageFrame(
                left: centre.x - height * across, top: centre.y - height, right: centre.x + height * across,
                bottom: centre.y + height)
        }
    }
}
