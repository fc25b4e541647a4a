/// A length as it is written: a note value with dots and a tuplet.
public struct WrittenLength: Hashable, Sendable {
    /// A part of a whole note.
    public var value: Fraction
    public var dots: Int
    public var tuplet: [Int]?
    /// The real length in quarters.
    public var quarters: Fraction
    /// True if value, dots and tuplet give the real length.
    public var isExact: Bool

    public init(value: Fraction, dots: Int = 0, tuplet: [Int]? = nil) {
        self.value = value
        self.dots = dots
        self.tuplet = tuplet
        (quarters, isExact) = (.zero, true)
        var beat = TabBeat()
        (beat.value, beat.dots, beat.tuplet) = (value, dots, tuplet)
        quarters = beat.writtenQuarters
    }

    /// The note values of notation, longest first, as parts of a whole note.
    static let values =
        [4, 2, 1].map { Fraction($0) } + (1...8).map { Fraction(1, 1 << $0) }
    static let tuplets = [
        [3, 2], [5, 4], [6, 4], [7, 4], [9, 8], [7, 8], [11, 8], [13, 8], [15, 8], [10, 8],
    ]

    /// Lengths that one note can have, by their quarters; the simplest way of writing wins.
    private static let single: [Fraction: WrittenLength] = {
        var known: [Fraction: WrittenLength] = [:]
        func add(_ written: WrittenLength) {
            if known[written.quarters] == nil { known[written.quarters] = written }
        }
        for dots in 0...2 { for value in values { add(WrittenLength(value: value, dots: dots)) } }
        for tuplet in tuplets {
            for dots in 0...1 {
                for value in values { add(WrittenLength(value: value, dots: dots, tuplet: tuplet)) }
            }
        }
        return known
    }()

    /// The length as one note value; nil if there is none.
    public static func one(_ quarters: Fraction) -> WrittenLength? { single[quarters] }

    /// The length as one note value. If there is none, the next shorter value carries the exact length.
    public static func nearest(_ quarters: Fraction) -> WrittenLength {
        if let exact = single[quarters] { return exact }
        let value = values.first { $0 * Fraction(4) <= quarters } ?? values[values.count - 1]
        var written = WrittenLength(value: value)
        (written.quarters, written.isExact) = (quarters, false)
        return written
    }

    /// The length as note values that follow each other, to be tied; the last may carry an exact length.
    public static func several(_ quarters: Fraction) -> [WrittenLength] {
        var (rest, parts): (Fraction, [WrittenLength]) = (quarters, [])
        while rest > .zero, parts.count < 64 {
            if let whole = one(rest) { return parts + [whole] }
            guard rest.denominator & (rest.denominator - 1) == 0,
                let value = values.first(where: { $0 * Fraction(4) <= rest })
            else { return parts + [nearest(rest)] }
            parts.append(WrittenLength(value: value))
            rest = rest - value * Fraction(4)
        }
        return parts
    }
}
