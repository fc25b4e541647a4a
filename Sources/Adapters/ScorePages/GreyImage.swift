/// A page in shades of grey, 0 black, 255 white, row by row.
public struct GreyImage: Equatable, Sendable {
    public let width: Int
    public let height: Int
    public let pixels: [UInt8]

    /// - Precondition: `pixels` has `width × height` elements.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(
            width >= 0 && height >= 0 && pixels.count == width * height,
            "\(pixels.count) pixels for \(width) × \(height)")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Reads a portable grey map (P5, 8 bits), as pdftoppm -gray writes it.
    /// - Throws: ``ScorePagesError/imageUnusable(reason:)``.
    public init(pgm: [UInt8]) throws(ScorePagesError) {
        var place = 2
        func number() -> Int? {
            while place < pgm.count, pgm[place] <= 0x20 || pgm[place] == UInt8(ascii: "#") {
                if pgm[place] == UInt8(ascii: "#") {
                    while place < pgm.count, pgm[place] != 0x0A { place += 1 }
                } else {
                    place += 1
                }
            }
            var value: Int?
            while place < pgm.count, case let digit = Int(pgm[place]) - 0x30, (0...9).contains(digit) {
                value = (value ?? 0) * 10 + digit
                guard value! <= 100_000 else { return nil }
                place += 1
            }
            return value
        }
        guard pgm.starts(with: "P5".utf8), let width = number(), let height = number(), number() == 255,
            width > 0, height > 0, pgm.count - place - 1 >= width * height
        else { throw .imageUnusable(reason: "it is no grey map of 8 bits") }
        self.init(
            width: width, height: height, pixels: Array(pgm[(place + 1)..<(place + 1 + width * height)]))
    }
}
