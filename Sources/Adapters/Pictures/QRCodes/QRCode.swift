import CQRencode

/// A QR code of a short text, with error correction M, in the smallest version that holds the text.
public struct QRCode: Equatable, Sendable {
    /// The maximum length of the text in bytes of UTF-8: the capacity of version 10. Larger codes could not be read
    /// from some metres away.
    public static let mostTextBytes = 213
    /// The width in modules (small squares) of the white margin that QR readers need on every side.
    static let quietZoneModules = 4

    /// The number of modules (small squares) along one side, without the white margin.
    public let modulesPerSide: Int
    /// The code's `modulesPerSide × modulesPerSide` modules, row after row; true is dark.
    private let darkModules: [Bool]

    /// Encodes a text; nil if it is empty or longer than ``mostTextBytes``.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...Self.mostTextBytes).contains(bytes.count),
            let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(code) }
        modulesPerSide = Int(code.pointee.width)
        // The lowest bit of each byte is the colour; the others say what the module is for.
        darkModules = UnsafeBufferPointer(start: code.pointee.data, count: modulesPerSide * modulesPerSide)
            .map { $0 & 1 == 1 }
    }

    public func isDark(row: Int, column: Int) -> Bool { darkModules[row * modulesPerSide + column] }

    /// Returns the code with its white margin as an SVG, black on white; one unit is a module.
    public func makeSVG() -> String {
        let whole = modulesPerSide + 2 * Self.quietZoneModules
        var path = ""
        for row in 0..<modulesPerSide {
            var column = 0
            while column < modulesPerSide {
                let start = column
                while column < modulesPerSide, isDark(row: row, column: column) { column += 1 }
                let run = column - start
                if run > 0 {
                    path +=
                        "M\(start + Self.quietZoneModules) \(row + Self.quietZoneModules)h\(run)v1h-\(run)z"
                }
                column += 1
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(whole) \(whole)" shape-rendering="crispEdges">\
            <rect width="\(whole)" height="\(whole)" fill="#fff"/><path d="\(path)"/></svg>
            """
    }
}
