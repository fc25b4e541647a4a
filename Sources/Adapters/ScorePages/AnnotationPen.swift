import PDFWriting

/// Draws the annotations of one page over the image of the page.
struct AnnotationPen {
    let pdfPages: PDFPageWriter
    let paperSize: PaperSize

    func drawAnnotation(_ mark: PageAnnotation) {
        switch mark {
        case .penStroke(let points, let thickness, let colour):
            setInk(colour)
            drawStroke(points, thickness)
        case .highlighterStroke(let points, let thickness, let colour):
            setInk(colour, isHighlighter: true)
            drawStroke(points, thickness)
        case .highlightedBox(let box, let colour):
            setInk(colour, isHighlighter: true)
            pdfPages.fillPath(
                Self.rectanglePath(
                    convertToPaperPoint(box.x, box.y),
                    convertToPaperPoint(box.x + box.width, box.y + box.height)))
        case .text(let text, let at, let height, let colour):
            setInk(colour)
            let (corner, size) = (convertToPaperPoint(at.x, at.y), convertToPaperLength(height))
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(200)
            for (index, line) in lines.enumerated() {
                pdfPages.drawText(
                    String(line), x: corner.x, y: corner.y + size * (0.8 + 1.2 * Double(index)), size: size,
                    face: .sans)
            }
        case .stamp(let stamp, let at, let height, let colour):
            setInk(colour)
            drawStamp(stamp, convertToPaperPoint(at.x, at.y), convertToPaperLength(height))
        }
    }

    private func drawStamp(_ stamp: AnnotationStamp, _ centre: (x: Double, y: Double), _ size: Double) {
        guard let drawing = StampDrawing(stamp) else {
            if case .boxedLetters(let letters) = stamp { drawBoxedLetters(letters, centre, size) }
            return
        }
        let unit = size / 1_000
        for fill in drawing.filledPaths {
            pdfPages.fillPath(StampDrawing.pathSteps(of: fill, at: centre, unit: unit))
        }
        for line in drawing.strokedPaths {
            pdfPages.strokePath(
                StampDrawing.pathSteps(of: line.svgPath, at: centre, unit: unit),
                width: max(line.strokeWidth * unit, 0.2))
        }
        if let letters = drawing.letters {
            let height = letters.letterHeight * unit
            let width = pdfPages.textWidth(of: letters.text, size: height, face: .serifBoldItalic)
            pdfPages.drawText(
                letters.text, x: centre.x + letters.centreX * unit - width / 2,
                y: centre.y + height * StampDrawing.baselineOffset, size: height, face: .serifBoldItalic)
        }
    }

    private func drawBoxedLetters(_ letters: String, _ centre: (x: Double, y: Double), _ size: Double) {
        let width = pdfPages.textWidth(of: letters, size: size, face: .sans)
        let (across, down) = ((max(width, 0.4 * size) + 0.4 * size) / 2, 0.6 * size)
        pdfPages.strokePath(
            Self.rectanglePath((centre.x - across, centre.y - down), (centre.x + across, centre.y + down)),
            width: max(size * 0.09, 0.2))
        pdfPages.drawText(
            letters, x: centre.x - width / 2, y: centre.y + size * 0.35, size: size, face: .sans)
    }

    private func setInk(_ colour: AnnotationColour, isHighlighter: Bool = false) {
        pdfPages.setInk(
            red: colour.red, green: colour.green, blue: colour.blue, isHighlighter: isHighlighter)
    }

    private func drawStroke(_ points: [PagePoint], _ thickness: Double) {
        guard let first = points.first.map({ convertToPaperPoint($0.x, $0.y) }) else { return }
        // A single point is a dot: a line to itself with a round end.
        let rest = points.count > 1 ? points[1...] : points[...]
        pdfPages.strokePath(
            [.move(x: first.x, y: first.y)]
                + rest.map {
                    let next = convertToPaperPoint($0.x, $0.y)
                    return .line(x: next.x, y: next.y)
                }, width: max(convertToPaperLength(thickness), 0.2))
    }

    private static func rectanglePath(
        _ corner: (x: Double, y: Double), _ opposite: (x: Double, y: Double)
    ) -> [PDFPageWriter.PathStep] {
        [
            .move(x: corner.x, y: corner.y), .line(x: opposite.x, y: corner.y),
            .line(x: opposite.x, y: opposite.y), .line(x: corner.x, y: opposite.y), .close,
        ]
    }

    /// Converts a position from fractions of the page to points of 1/72 inch.
    private func convertToPaperPoint(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        (Self.boundedCoordinate(x * paperSize.width), Self.boundedCoordinate(y * paperSize.height))
    }

    /// Converts a fraction of the page's height to points of 1/72 inch.
    private func convertToPaperLength(_ share: Double) -> Double {
        max(0, Self.boundedCoordinate(share * paperSize.height))
    }

    /// Limits a coordinate to ±100,000 points, more than any page has; NaN and infinity become 0.
    private static func boundedCoordinate(_ value: Double) -> Double {
        value.isFinite ? min(max(value, -100_000), 100_000) : 0
    }
}

extension StampDrawing {
    /// Converts a path text with the SVG commands M, L, C and Z to drawing steps around a centre.
    /// - Parameter unit: the length of one unit of the path, in points.
    static func pathSteps(
        of path: String, at centre: (x: Double, y: Double), unit: Double
    ) -> [PDFPageWriter.PathStep] {
        var steps: [PDFPageWriter.PathStep] = []
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
