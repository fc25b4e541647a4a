/// Escapes texts that a spreadsheet program would run as formulas: `=HYPERLINK(…)`, `+1`, `-1`, `@SUM`.
///
/// With an apostrophe in front, every such program shows the text as text; reading removes the apostrophe again. If a
/// text already begins with apostrophes before a formula sign, one more is added, so that every text is read back
/// unchanged.
package enum SpreadsheetFormulaEscaping {
    private static let apostrophe = UInt8(ascii: "'")
    /// First characters of formulas: `=`, `+`, `-`, `@`, tab, carriage return, line feed.
    private static let formulaSigns: Set<UInt8> = [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D, 0x0A]

    package static func formulaEscaped(_ text: String) -> String { runsAsFormula(text) ? "'" + text : text }

    package static func formulaUnescaped(_ text: String) -> String {
        text.utf8.first == apostrophe && runsAsFormula(text)
            ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text
    }

    /// True if a spreadsheet would run the text as a formula: a formula sign is at the beginning, or preceded only by
    /// apostrophes.
    private static func runsAsFormula(_ text: String) -> Bool {
        text.utf8.first { $0 != apostrophe }.map(formulaSigns.contains) ?? false
    }
}
