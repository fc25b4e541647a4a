/// A point on a page, in fractions of the page's width and height from the top left corner.
public struct PagePoint: Hashable, Sendable, Codable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A colour by its components, 0…1.
public struct AnnotationColour: Hashable, Sendable, Codable {
    public var red: Double
    public var green: Double
    public var blue: Double

    public static let pencilColour = AnnotationColour(red: 0.15, green: 0.15, blue: 0.2)

    public init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// An annotation to be printed over a page. Thicknesses and heights are fractions of the page's height.
public enum PageAnnotation: Equatable, Sendable {
    case penStroke([PagePoint], thickness: Double, colour: AnnotationColour)
    case highlightedBox(PageBox, colour: AnnotationColour)
    /// A highlighter stroke in any direction: a broad transparent line.
    case highlighterStroke([PagePoint], thickness: Double, colour: AnnotationColour)
    /// A text; `at` is the upper left corner of its first line, and line feeds begin new lines.
    case text(String, at: PagePoint, height: Double, colour: AnnotationColour)
    /// A sign; `at` is its centre.
    case stamp(AnnotationStamp, at: PagePoint, height: Double, colour: AnnotationColour)
}

/// A musical or rehearsal sign that a musician puts on a page with one tap.
public enum AnnotationStamp: Hashable, Sendable {
    case downBow, upBow, slur, pizzicato, arco, mute
    case breath, caesura, fermata, accent, staccato, tenuto, marcato, trill
    /// Letters such as "pp", "mf" or "sfz", slanted like printed dynamics.
    case dynamicMark(String)
    case crescendo, diminuendo, sharp, flat, natural
    /// A pair of glasses, which means: look up and watch the conductor.
    case glasses
    case attention
    /// A letter or number in a box, as rehearsal marks are printed.
    case boxedLetters(String)
}
