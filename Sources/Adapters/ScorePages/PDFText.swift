import Foundation

/// Encodes text for the standard fonts of all PDF readers, which have Western European letters.
enum PDFText {
    /// Letters of WinAnsiEncoding that are not in Latin-1.
    private static let extra: [Character: UInt8] = [
        "€": 0x80, "‚": 0x82, "ƒ": 0x83, "„": 0x84, "…": 0x85, "†": 0x86, "‡": 0x87, "ˆ": 0x88, "‰": 0x89,
        "Š": 0x8A, "‹": 0x8B, "Œ": 0x8C, "Ž": 0x8E, "‘": 0x91, "’": 0x92, "“": 0x93, "”": 0x94, "•": 0x95,
        "–": 0x96, "—": 0x97, "˜": 0x98, "™": 0x99, "š": 0x9A, "›": 0x9B, "œ": 0x9C, "ž": 0x9E, "Ÿ": 0x9F,
    ]
    private static let plainer: [Character: String] = [
        "♯": "#", "♭": "b", "♮": "nat.", "→": "->", "←": "<-", "↑": "^", "ł": "l", "Ł": "L", "đ": "d",
        "Đ": "D",
    ]

    /// The text in WinAnsiEncoding. Other letters lose their accents; letters still unknown become "?".
    static func encoded(_ text: String) -> [UInt8] {
        text.flatMap { character -> [UInt8] in
            if let byte = byte(character) { return [byte] }
            if let plain = plainer[character] { return Array(plain.utf8) }
            let folded = String(character).folding(options: .diacriticInsensitive, locale: nil)
            return folded.map { byte($0) ?? UInt8(ascii: "?") }
        }
    }

    static func hexadecimal(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(
            decoding: encoded(text).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The approximate width of a text in units of its height; good enough for centring.
    static func width(of text: String) -> Double {
        text.reduce(0) { $0 + ("iljtfI.,:;|! ".contains($1) ? 0.28 : "mwMW".contains($1) ? 0.83 : 0.55) }
    }

    private static func byte(_ character: Character) -> UInt8? {
        if let byte = extra[character] { return byte }
        let scalars = String(character).precomposedStringWithCanonicalMapping.unicodeScalars
        guard scalars.count == 1, let value = scalars.first?.value else { return nil }
        if value == 0x09 { return 0x20 }
        return (0x20...0x7E).contains(value) || (0xA0...0xFF).contains(value) ? UInt8(value) : nil
    }
}
