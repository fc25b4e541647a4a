/// A place on a page, in shares of its width and height from the top left corner.
public struct PagePoint: Hashable, Sendable, Codable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A colour by its parts, 0…1.
public struct MarkColour: Hashable, Sendable, Codable {
    public var red: Double
    public var green: Double
    public var blue: Double

    public static let pencil = MarkColour(red: 0.15, green: 0.15, blue: 0.2)

    public init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// A remark as it is printed over a page. Thicknesses and heights are shares of the page's height.
public enum PageMark: Equatable, Sendable {
    case line([PagePoint], thickness: Double, colour: MarkColour)
    case highlight(PageBox, colour: MarkColour)
    /// The first line's upper left corner; line feeds begin new lines.
    case text(String, at: PagePoint, height: Double, colour: MarkColour)
    /// Centred on its place.
    case stamp(Stamp, at: PagePoint, height: Double, colour: MarkColour)
}

/// A sign put on a page with one tap.
public enum Stamp: Equatable, Sendable {
    case downBow, upBow, breath, caesura, accent, tenuto, fermata
    /// "pp", "mf", "sfz": letters in the slant of printed dynamics.
    case dynamic(String)
    /// A letter or number in a box, as rehearsal marks are printed.
    case boxed(String)
}
