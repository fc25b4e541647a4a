import PDFWriting

/// Draws the annotations of one page over the image of the page.
struct AnnotationPen {
    let pdfPages: PDFPages
    let paper: PaperSize

    func draw(_ mark: PageAnnotation) {
        switch mark {
        case .penStroke(let points, let thickness, let colour):
            setInk(colour)
            stroke(points, thickness)
        case .highlighterStroke(let points, let thickness, let colour):
            setInk(colour, isHighlighter: true)
            stroke(points, thickness)
        case .highlightedBox(let box, let colour):
            setInk(colour, isHighlighter: true)
            pdfPages.fill(
                Self.rectangle(
                    point(box.x, box.y), point(box.x + box.width, box.y + box.height)))
        case .text(let text, let at, let height, let colour):
            setInk(colour)
            let (corner, size) = (point(at.x, at.y), length(height))
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(200)
            for (index, line) in lines.enumerated() {
                pdfPages.write(
                    String(line), x: corner.x, y: corner.y + size * (0.8 + 1.2 * Double(index)), size: size,
                    face: .sans)
            }
        case .stamp(let stamp, let at, let height, let colour):
            setInk(colour)
            draw(stamp, point(at.x, at.y), length(height))
        }
    }

    private func draw(_ stamp: AnnotationStamp, _ centre: (x: Double, y: Double), _ size: Double) {
        guard let drawing = StampDrawing(stamp) else {
            if case .boxed(let letters) = stamp { drawBoxedLetters(letters, centre, size) }
            return
        }
        let unit = size / 1_000
        for fill in drawing.fills { pdfPages.fill(StampDrawing.steps(of: fill, at: centre, unit: unit)) }
        for line in drawing.lines {
            pdfPages.stroke(
                StampDrawing.steps(of: line.path, at: centre, unit: unit), width: max(line.width * unit, 0.2))
        }
        if let letters = drawing.letters {
            let height = letters.size * unit
            let width = pdfPages.width(of: letters.text, size: height, face: .serifBoldItalic)
            pdfPages.write(
                letters.text, x: centre.x + letters.x * unit - width / 2,
                y: centre.y + height * StampDrawing.baseline, size: height, face: .serifBoldItalic)
        }
    }

    private func drawBoxedLetters(_ letters: String, _ centre: (x: Double, y: Double), _ size: Double) {
        let width = pdfPages.width(of: letters, size: size, face: .sans)
        let (across, down) = ((max(width, 0.4 * size) + 0.4 * size) / 2, 0.6 * size)
        pdfPages.stroke(
            Self.rectangle((centre.x - across, centre.y - down), (centre.x + across, centre.y + down)),
            width: max(size * 0.09, 0.2))
        pdfPages.write(letters, x: centre.x - width / 2, y: centre.y + size * 0.35, size: size, face: .sans)
    }

    private func setInk(_ colour: AnnotationColour, isHighlighter: Bool = false) {
        pdfPages.setInk(
            red: colour.red, green: colour.green, blue: colour.blue, isHighlighter: isHighlighter)
    }

    private func stroke(_ points: [PagePoint], _ thickness: Double) {
        guard let first = points.first.map({ point($0.x, $0.y) }) else { return }
        // A single point is a dot: a line to itself with a round end.
        let rest = points.count > 1 ? points[1...] : points[...]
        pdfPages.stroke(
            [.move(x: first.x, y: first.y)]
                + rest.map {
                    let next = point($0.x, $0.y)
                    return .line(x: next.x, y: next.y)
                }, width: max(length(thickness), 0.2))
    }

    private static func rectangle(
        _ corner: (x: Double, y: Double), _ opposite: (x: Double, y: Double)
    ) -> [PDFPages.PathStep] {
        [
            .move(x: corner.x, y: corner.y), .line(x: opposite.x, y: corner.y),
            .line(x: opposite.x, y: opposite.y), .line(x: corner.x, y: opposite.y), .close,
        ]
    }

    /// Converts a position from fractions of the page to points of 1/72 inch.
    private func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        (Self.bounded(x * paper.width), Self.bounded(y * paper.height))
    }

    /// Converts a fraction of the page's height to points of 1/72 inch.
    private func length(_ share: Double) -> Double { max(0, Self.bounded(share * paper.height)) }

    /// Limits a coordinate to ±100,000 points, more than any page has; NaN and infinity become 0.
    private static func bounded(_ value: Double) -> Double {
        value.isFinite ? min(max(value, -100_000), 100_000) : 0
    }
}

extension StampDrawing {
    /// Converts a path text with the SVG commands M, L, C and Z to drawing steps around a centre.
    /// - Parameter unit: the length of one unit of the path, in points.
    static func steps(
        of path: String, at centre: (x: Double, y: Double), unit: Double
    ) -> [PDFPages.PathStep] {
        var steps: [PDFPages.PathStep] = []
        var rest = path[...]
        while let letter = rest.popFirst() {
            let end = rest.firstIndex { $0.isLetter } ?? rest.endIndex
            let numbers = rest[..<end].split(separator: " ").compactMap { Double($0) }
            rest = rest[end...]
            let places = numbers.enumerated().map { index, number in
                (index.isMultiple(of: 2) ? centre.x : centre.y) + number * unit
            }
            switch (letter, places.count) {
            case ("M", 2): steps.append(.move(x: places[0], y: places[1]))
            case ("L", 2): steps.append(.line(x: places[0], y: places[1]))
            case ("C", 6):
                steps.append(
                    .curve(
                        x1: places[0], y1: places[1], x2: places[2], y2: places[3], x: places[4], y: places[5]
                    ))
            case ("Z", 0): steps.append(.close)
            default: preconditionFailure("a stamp's path has an unknown step: \(path)")
            }
        }
        return steps
    }
}
