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

    mutating func draw(_ mark: PageMark) {
        switch mark {
        case .line(let points, let thickness, let colour):
            stroke([points.map(place)], thickness: thickness * paper.height, colour)
        case .highlight(let box, let colour):
            let corner = place(PagePoint(x: box.x, y: box.y + box.height))
            operators += "q /Marker gs \(components(colour)) rg \(number(corner.x)) \(number(corner.y)) "
            operators += "\(number(box.width * paper.width)) \(number(box.height * paper.height)) re f Q\n"
        case .text(let text, let at, let height, let colour):
            let lines = text.split(whereSeparator: \.isNewline).prefix(200)
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

    private mutating func draw(_ stamp: Stamp, _ at: PagePoint, _ size: Double, _ colour: MarkColour) {
        let centre = place(at)
        // Shapes in a square of side 1 around the place, y upwards.
        func shape(_ lines: [[(Double, Double)]]) -> [[(x: Double, y: Double)]] {
            lines.map { $0.map { (centre.x + $0.0 * size, centre.y + $0.1 * size) } }
        }
        let thickness = size * 0.09
        switch stamp {
        case .downBow:
            let frame = [(-0.4, -0.4), (-0.4, 0.4), (0.4, 0.4), (0.4, -0.4)]
            stroke(shape([frame]), thickness: thickness, colour)
            stroke(shape([[(-0.4, 0.33), (0.4, 0.33)]]), thickness: size * 0.2, colour)
        case .upBow:
            stroke(shape([[(-0.3, 0.5), (0, -0.5), (0.3, 0.5)]]), thickness: thickness, colour)
        case .breath:
            let comma = [(0.05, 0.3), (0.12, 0.12), (0.02, -0.15), (-0.12, -0.3)]
            stroke(shape([comma]), thickness: size * 0.16, colour)
        case .caesura:
            stroke(
                shape([[(-0.3, -0.5), (0, 0.5)], [(0, -0.5), (0.3, 0.5)]]), thickness: thickness, colour)
        case .accent:
            stroke(shape([[(-0.5, 0.25), (0.5, 0), (-0.5, -0.25)]]), thickness: thickness, colour)
        case .tenuto: stroke(shape([[(-0.4, 0), (0.4, 0)]]), thickness: size * 0.13, colour)
        case .fermata:
            let arc = (0...16).map { step -> (Double, Double) in
                let angle = Double(step) / 16 * Double.pi
                return (0.5 * cos(angle), 0.5 * sin(angle) - 0.2)
            }
            stroke(shape([arc]), thickness: thickness, colour)
            stroke(shape([[(0, -0.1), (0, -0.1)]]), thickness: size * 0.18, colour)
        case .dynamic(let letters):
            let width = PDFText.width(of: letters) * size
            write(
                letters, font: "Slanted", size: size, x: centre.x - width / 2, y: centre.y - size * 0.3,
                colour)
        case .boxed(let letters):
            let width = max(PDFText.width(of: letters), 0.4) * size
            let half = (width / size + 0.4) / 2
            stroke(
                shape([[(-half, -0.6), (half, -0.6), (half, 0.6), (-half, 0.6), (-half, -0.6)]]),
                thickness: thickness, colour)
            write(
                letters, font: "Sans", size: size, x: centre.x - width / 2, y: centre.y - size * 0.35, colour)
        }
    }

    private mutating func stroke(
        _ lines: [[(x: Double, y: Double)]], thickness: Double, _ colour: MarkColour
    ) {
        for line in lines {
            guard let first = line.first else { continue }
            operators += "q 1 J 1 j \(components(colour)) RG \(number(max(thickness, 0.2))) w "
            operators += "\(number(first.x)) \(number(first.y)) m "
            // A single point is a dot: a line to itself, with a round end.
            for point in line.count > 1 ? line[1...] : line[...] {
                operators += "\(number(point.x)) \(number(point.y)) l "
            }
            operators += "S Q\n"
        }
    }

    private mutating func write(
        _ text: String, font: String, size: Double, x: Double, y: Double, _ colour: MarkColour
    ) {
        operators += "q \(components(colour)) rg BT /\(font) \(number(size)) Tf "
        operators += "\(number(x)) \(number(y)) Td <\(PDFText.hexadecimal(text))> Tj ET Q\n"
    }

    /// From shares of the page, downwards, to points, upwards.
    private func place(_ point: PagePoint) -> (x: Double, y: Double) {
        (point.x * paper.width, (1 - point.y) * paper.height)
    }

    private func components(_ colour: MarkColour) -> String {
        [colour.red, colour.green, colour.blue].map { number(min(max($0, 0), 1)) }.joined(separator: " ")
    }

    /// PDF knows no exponents; nothing on a page lies further out than this.
    private func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let thousandths = Int((min(max(value, -100_000), 100_000) * 1_000).rounded())
        let fraction = String(abs(thousandths) % 1_000)
        return (thousandths < 0 ? "-" : "") + "\(abs(thousandths) / 1_000)."
            + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
