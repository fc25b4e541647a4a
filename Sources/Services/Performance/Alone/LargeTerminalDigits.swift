/// Large digits for the terminal, three rows high, to be read from a distance.
struct LargeTerminalDigits {
    let isUnicode: Bool

    private static let unicodeShapes: [Character: [String]] = [
        "0": ["█▀▀█", "█  █", "█▄▄█"], "1": [" ▄█ ", "  █ ", " ▄█▄"], "2": ["█▀▀█", " ▄▄▀", "█▄▄▄"],
        "3": ["█▀▀█", "  ▀▄", "█▄▄█"], "4": ["█  █", "█▄▄█", "   █"], "5": ["█▀▀▀", "▀▀▀▄", "▄▄▄▀"],
        "6": ["▄▀▀▀", "█▀▀▄", "▀▄▄▀"], "7": ["▀▀▀█", "  ▄▀", " ▐▌ "], "8": ["▄▀▀▄", "▄▀▀▄", "▀▄▄▀"],
        "9": ["▄▀▀▄", "▀▄▄█", " ▄▄▀"], "-": ["    ", "▀▀▀▀", "    "],
    ]
    private static let asciiShapes: [Character: [String]] = [
        "0": [" __ ", "|  |", "|__|"], "1": ["    ", "   |", "   |"], "2": [" __ ", " __|", "|__ "],
        "3": [" __ ", " __|", " __|"], "4": ["    ", "|__|", "   |"], "5": [" __ ", "|__ ", " __|"],
        "6": [" __ ", "|__ ", "|__|"], "7": [" __ ", "   |", "   |"], "8": [" __ ", "|__|", "|__|"],
        "9": [" __ ", "|__|", " __|"], "-": ["    ", " __ ", "    "],
    ]

    /// Draws a number in large digits.
    /// - Parameter number: the number to draw; nil draws a dash.
    /// - Returns: three rows of text.
    func rows(_ number: Int?) -> [String] {
        let shapes = isUnicode ? Self.unicodeShapes : Self.asciiShapes
        let text = number.map { "\($0)" } ?? "-"
        return (0..<3).map { row in text.compactMap { shapes[$0]?[row] }.joined(separator: " ") }
    }
}
