import Foundation

/// The drawing operators of one page of a PDF: marks over an image.
struct PDFInk {
    private let paper: PaperSize
    private(set) var operators = ""

    init(over paper: PaperSize) { self.paper = paper }

    /// Covers the whole page with the image called `Im`.
    mutating func image() {
        operators += "q \(number(paper.width)) 0 0 \(number(paper.height)) 0 0 cm /Im Do Q\n"
    }

    mutating func draw(_ mark: PageAnnotation) {
        switch mark {
        case .line(let points, let thickness, let colour):
            stroke([points.map(place)], thickness: thickness * paper.height, colour)
        case .highlight(let box, let colour):
            let corner = place(PagePoint(x: box.x, y: box.y + box.height))
            operators += "q /Marker gs \(components(colour)) rg \(number(corner.x)) \(number(corner.y)) "
            operators += "\(number(box.width * paper.width)) \(number(box.height * paper.height)) re f Q\n"
        case .marker(let points, let thickness, let colour):
            operators += "q /Marker gs "
            stroke([points.map(place)], thickness: thickness * paper.height, colour)
            operators += "Q\n"
        case .text(let text, let at, let height, let colour):
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(200)
            for (index, line) in lines.enumerated() {
                let size = height * paper.height
                let corner = place(at)
                write(
                    String(line), font: "Sans", size: size, x: corner.x,
                    y: corner.y - size * (0.8 + 1.2 * Double(index)), colour)
            }
        case .stamp(let stamp, let at, let height, let colour): draw(stamp, at, height * paper.height, colour)
        }
    }

    private mutating func draw(_ stamp: Stamp, _ at: PagePoint, _ size: Double, _ colour: AnnotationColour) {
        let centre = place(at)
        guard let drawing = StampDrawing(stamp) else {
            if case .boxed(let letters) = stamp { box(letters, centre, size, colour) }
            return
        }
        let unit = size / 1_000
        for fill in drawing.fills {
            operators += "q \(components(colour)) rg \(path(fill, centre, unit))f Q\n"
        }
        for line in drawing.lines {
            operators += "q 1 J 1 j \(components(colour)) RG \(number(max(line.width * unit, 0.2))) w "
            operators += "\(path(line.path, centre, unit))S Q\n"
        }
        if let letters = drawing.letters {
            let height = letters.size * unit
            let width = PDFText.width(of: letters.text) * height
            write(
                letters.text, font: "Slanted", size: height, x: centre.x + letters.x * unit - width / 2,
                y: centre.y - height * StampDrawing.baseline, colour)
        }
    }

    private mutating func box(
        _ letters: String, _ centre: (x: Double, y: Double), _ size: Double, _ colour: AnnotationColour
    ) {
        let width = max(PDFText.width(of: letters), 0.4) * size
        let (across, down) = ((width + 0.4 * size) / 2, 0.6 * size)
        let corners = [(-across, -down), (across, -down), (across, down), (-across, down), (-across, -down)]
        stroke(
            [corners.map { (centre.x + $0.0, centre.y + $0.1) }], thickness: size * 0.09, colour)
        write(letters, font: "Sans", size: size, x: centre.x - width / 2, y: centre.y - size * 0.35, colour)
    }

    /// A stamp's path (M, L, C and Z) as operators, each followed by a blank.
    private func path(_ path: String, _ centre: (x: Double, y: Double), _ unit: Double) -> String {
        let verbs: [Character: String] = ["M": "m", "L": "l", "C": "c", "Z": "h"]
        var result = ""
        var rest = path[...]
        while let letter = rest.popFirst() {
            let end = rest.firstIndex { verbs[$0] != nil } ?? rest.endIndex
            let numbers = rest[..<end].split(separator: " ").compactMap { Double($0) }
            rest = rest[end...]
            for (index, value) in numbers.enumerated() {
                result +=
                    number(index.isMultiple(of: 2) ? centre.x + value * unit : centre.y - value * unit) + " "
            }
            result += (verbs[letter] ?? "") + " "
        }
        return result
    }

    private mutating func stroke(
        _ lines: [[(x: Double, y: Double)]], thickness: Double, _ colour: AnnotationColour
    ) {
        for line in lines {
            guard let first = line.first else { continue }
            operators += "q 1 J 1 j \(components(colour)) RG \(number(max(thickness, 0.2))) w "
            operators += "\(number(first.x)) \(number(first.y)) m "
            // A single point is a dot: a line to itself with a round end.
            for point in line.count > 1 ? line[1...] : line[...] {
                operators += "\(number(point.x)) \(number(point.y)) l "
            }
            operators += "S Q\n"
        }
    }

    private mutating func write(
        _ text: String, font: String, size: Double, x: Double, y: Double, _ colour: AnnotationColour
    ) {
        operators += "q \(components(colour)) rg BT /\(font) \(number(size)) Tf "
        operators += "\(number(x)) \(number(y)) Td <\(PDFText.hexadecimal(text))> Tj ET Q\n"
    }

    /// Converts from shares of the page, downwards, to points, upwards.
    private func place(_ point: PagePoint) -> (x: Double, y: Double) {
        (point.x * paper.width, (1 - point.y) * paper.height)
    }

    private func components(_ colour: AnnotationColour) -> String {
        [colour.red, colour.green, colour.blue].map { number(min(max($0, 0), 1)) }.joined(separator: " ")
    }

    /// PDF has no exponents; no position on a page is larger than this.
    private func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let thousandths = Int((min(max(value, -100_000), 100_000) * 1_000).rounded())
        let fraction = String(abs(thousandths) % 1_000)
        return (thousandths < 0 ? "-" : "") + "\(abs(thousandths) / 1_000)."
            + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
