/// Collects the elements of an SVG picture. Coordinates are in drawing units and are written with one decimal.
struct PictureCanvas {
    private(set) var body = ""

    enum Anchor: String { case start, middle, end }

    mutating func text(_ text: String, x: Double, y: Double, style: String, anchor: Anchor = .start) {
        let side = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
        body += "<text class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\"\(side)>"
        body += Self.escaped(text) + "</text>\n"
    }

    mutating func line(x1: Double, y1: Double, x2: Double, y2: Double, style: String) {
        let from = "M\(Self.number(x1)) \(Self.number(y1))"
        body += "<path class=\"\(style)\" d=\"\(from)L\(Self.number(x2)) \(Self.number(y2))\"/>\n"
    }

    mutating func box(x: Double, y: Double, width: Double, height: Double, style: String, radius: Double = 0)
    {
        guard width > 0, height > 0 else { return }
        body += "<rect class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
        body += " width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
        body += radius > 0 ? " rx=\"\(Self.number(radius))\"/>\n" : "/>\n"
    }

    /// Adds a path whose coordinates are tenths of a unit.
    mutating func path(_ tenths: String, style: String) {
        guard !tenths.isEmpty else { return }
        body += "<path transform=\"scale(.1)\" class=\"\(style)\" d=\"\(tenths)\"/>\n"
    }

    /// Adds vertical strokes, one column wide. Their coordinates count columns to the right of a point and rows
    /// above it.
    mutating func strokes(
        _ path: String, style: String, x: Double, y: Double, column: Double, row: Double
    ) {
        guard !path.isEmpty else { return }
        let place = "translate(\(Self.number(x)) \(Self.number(y))) scale(\(column.rounded(places: 5)) "
        body += "<path transform=\"\(place)\(row.rounded(places: 5)))\" class=\"\(style)\""
        body += " d=\"M0 0\(path)\"/>\n"
    }

    /// A coordinate with at most one decimal, none for whole numbers.
    static func number(_ value: Double) -> String {
        let tenths = PlotLine.tenths(value)
        let sign = tenths < 0 ? "-" : ""
        let rest = tenths.magnitude % 10
        return sign + "\(tenths.magnitude / 10)" + (rest == 0 ? "" : ".\(rest)")
    }

    /// Escapes text for elements and attributes, and drops characters that XML does not allow.
    static func escaped(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out.append(contentsOf: "&amp;".unicodeScalars)
            case "<": out.append(contentsOf: "&lt;".unicodeScalars)
            case ">": out.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": out.append(contentsOf: "&quot;".unicodeScalars)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}
