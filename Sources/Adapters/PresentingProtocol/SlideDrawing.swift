/// A drawing on the slide that is shown, as the annotation message (0x34) carries it.
///
/// Places are fractions of the slide, from its upper left corner: 0 to 65,535 for 0 to 1, big-endian.
public enum SlideDrawing: Hashable, Sendable {
    /// A line, or a part of one that is still being drawn.
    case stroke(SlideStroke)
    /// Removes all strokes of the page.
    case clear
    /// Shows a light on the slide, or with nil puts it out. It passes: neither the show log nor a late screen has it.
    case pointer(SlidePoint?)

    public static let strokeType: UInt16 = 0x10
    public static let clearType: UInt16 = 0x11
    public static let pointerType: UInt16 = 0x12

    /// Reads the content of an annotation.
    /// - Returns: nil if the type is none of these, or the bytes are no drawing of their type.
    public init?(type: UInt16, bytes: [UInt8]) {
        switch (type, bytes.count) {
        case (Self.strokeType, _):
            guard let stroke = SlideStroke(bytes: bytes) else { return nil }
            self = .stroke(stroke)
        case (Self.clearType, 0): self = .clear
        case (Self.pointerType, 0): self = .pointer(nil)
        case (Self.pointerType, 4): self = .pointer(SlidePoint(bytes[...]))
        default: return nil
        }
    }

    public var type: UInt16 {
        switch self {
        case .stroke: Self.strokeType
        case .clear: Self.clearType
        case .pointer: Self.pointerType
        }
    }

    public var bytes: [UInt8] {
        switch self {
        case .stroke(let stroke): stroke.bytes
        case .clear, .pointer(nil): []
        case .pointer(let point?): point.bytes
        }
    }

    /// True if the bytes of an annotation are not a drawing of its type. Other types are kept without being drawn.
    public static func isBroken(type: UInt16, bytes: [UInt8]) -> Bool {
        (strokeType...pointerType).contains(type) && SlideDrawing(type: type, bytes: bytes) == nil
    }
}

/// A place on a slide, in 65,535ths of its width and height.
public struct SlidePoint: Hashable, Sendable {
    public var x: UInt16
    public var y: UInt16

    public init(x: UInt16, y: UInt16) { (self.x, self.y) = (x, y) }

    init(_ bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        x = UInt16(bytes[start]) << 8 | UInt16(bytes[start + 1])
        y = UInt16(bytes[start + 2]) << 8 | UInt16(bytes[start + 3])
    }

    var bytes: [UInt8] {
        [UInt8(x >> 8), UInt8(truncatingIfNeeded: x), UInt8(y >> 8), UInt8(truncatingIfNeeded: y)]
    }
}

/// A line on a slide: three bytes of colour, a reserved byte 0, u16 width, then its points.
public struct SlideStroke: Hashable, Sendable {
    /// Red, green and blue, 0 to 255.
    public var red, green, blue: UInt8
    /// The width in 65,535ths of the slide's height, at most a tenth of it.
    public var width: UInt16
    /// The points in order; a single one is a dot.
    public var points: [SlidePoint]

    public static let mostPoints = 2_000
    public static let greatestWidth = UInt16.max / 10
    private static let headLength = 6

    public init(red: UInt8, green: UInt8, blue: UInt8, width: UInt16, points: [SlidePoint]) {
        (self.red, self.green, self.blue, self.width) = (red, green, blue, width)
        self.points = points
    }

    /// - Returns: nil if the bytes are no stroke, or over a limit.
    public init?(bytes: [UInt8]) {
        let count = bytes.count - Self.headLength
        guard count >= 4, count.isMultiple(of: 4), count / 4 <= Self.mostPoints, bytes[3] == 0 else {
            return nil
        }
        (red, green, blue) = (bytes[0], bytes[1], bytes[2])
        width = UInt16(bytes[4]) << 8 | UInt16(bytes[5])
        guard (1...Self.greatestWidth).contains(width) else { return nil }
        points = stride(from: Self.headLength, to: bytes.count, by: 4).map {
            SlidePoint(bytes[$0..<($0 + 4)])
        }
    }

    public var bytes: [UInt8] {
        [red, green, blue, 0, UInt8(width >> 8), UInt8(truncatingIfNeeded: width)] + points.flatMap(\.bytes)
    }
}
