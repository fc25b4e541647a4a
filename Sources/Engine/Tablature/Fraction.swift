/// An exact, reduced fraction: lengths and onsets in quarters.
///
/// A result whose denominator does not fit is rounded to ``grid``, so that no file, however contrived, can overflow.
public struct Fraction: Hashable, Sendable {
    public let numerator: Int
    /// Always positive.
    public let denominator: Int

    public static let zero = Fraction(0)
    /// The denominator of rounded results: it keeps triplets, quintuplets, septuplets and 512th notes exact.
    static let grid = 128 * 27 * 25 * 7 * 11 * 13
    private static let largest = 1 << 40
    private static let range = -largest...largest

    public init(_ whole: Int) { self.init(whole, 1) }

    /// - Parameter denominator: not 0; a 0 is taken for 1.
    public init(_ numerator: Int, _ denominator: Int) {
        var (a, b) = (
            min(max(numerator, -Self.largest), Self.largest),
            min(max(denominator, -Self.largest), Self.largest)
        )
        if b == 0 { b = 1 }
        if b < 0 { (a, b) = (-a, -b) }
        let divisor = Self.greatestCommonDivisor(abs(a), b)
        self.numerator = a / divisor
        self.denominator = b / divisor
    }

    /// A fraction from its text: `3/2`, `-1` or `0.25`.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 24 else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let top = Int(parts[0]), let bottom = Int(parts[1]), bottom != 0,
                Self.range.contains(top), Self.range.contains(bottom)
            else { return nil }
            self.init(top, bottom)
        } else if let whole = Int(text) {
            guard Self.range.contains(whole) else { return nil }
            self.init(whole)
        } else if let decimal = Double(text), decimal.isFinite, abs(decimal) < 1e6 {
            self.init(rounding: decimal)
        } else {
            return nil
        }
    }

    /// The fraction nearest to a decimal number, to a ten thousandth.
    public init(rounding decimal: Double) {
        self =
            decimal.isFinite
            ? Fraction(Int((min(max(decimal, -1e7), 1e7) * 10_000).rounded()), 10_000) : .zero
    }

    public var value: Double { Double(numerator) / Double(denominator) }

    public var text: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }

    static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return max(a, 1)
    }

    /// The fraction of two numbers after reduction; rounded to the grid if it is too fine or too large.
    private static func reduced(_ top: Int, _ bottom: Int, _ didOverflow: Bool, _ fallback: Double)
        -> Fraction
    {
        if !didOverflow {
            let divisor = greatestCommonDivisor(abs(top), bottom)
            let (a, b) = (top / divisor, bottom / divisor)
            if abs(a) < largest, b < largest { return Fraction(a, b) }
        }
        let steps = min(max(fallback * Double(grid), -Double(largest)), Double(largest))
        return Fraction(Int(steps.rounded()), grid)
    }

    public static func + (a: Fraction, b: Fraction) -> Fraction {
        if a.denominator == b.denominator {
            return reduced(a.numerator + b.numerator, a.denominator, false, 0)
        }
        let (x, o1) = a.numerator.multipliedReportingOverflow(by: b.denominator)
        let (y, o2) = b.numerator.multipliedReportingOverflow(by: a.denominator)
        let (bottom, o3) = a.denominator.multipliedReportingOverflow(by: b.denominator)
        let (top, o4) = x.addingReportingOverflow(y)
        return reduced(top, bottom, o1 || o2 || o3 || o4 || top == .min, a.value + b.value)
    }

    public static prefix func - (a: Fraction) -> Fraction { Fraction(-a.numerator, a.denominator) }
    public static func - (a: Fraction, b: Fraction) -> Fraction { a + -b }

    public static func * (a: Fraction, b: Fraction) -> Fraction {
        let (top, o1) = a.numerator.multipliedReportingOverflow(by: b.numerator)
        let (bottom, o2) = a.denominator.multipliedReportingOverflow(by: b.denominator)
        return reduced(top, bottom, o1 || o2 || top == .min, a.value * b.value)
    }

    /// The quotient; a division by 0 gives 0.
    public static func / (a: Fraction, b: Fraction) -> Fraction {
        b.numerator == 0 ? .zero : a * Fraction(b.denominator, b.numerator)
    }

    public static func += (a: inout Fraction, b: Fraction) { a = a + b }
}

extension Fraction: Comparable {
    public static func < (a: Fraction, b: Fraction) -> Bool {
        if a.denominator == b.denominator { return a.numerator < b.numerator }
        let left = a.numerator.multipliedFullWidth(by: b.denominator)
        let right = b.numerator.multipliedFullWidth(by: a.denominator)
        return (left.high, left.low) < (right.high, right.low)
    }
}

extension Fraction: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? container.decode(Int.self) {
            self.init(whole)
            return
        }
        let text = try container.decode(String.self)
        guard let fraction = Fraction(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "“\(text.prefix(40))” is no fraction such as \"3/2\"")
        }
        self = fraction
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
