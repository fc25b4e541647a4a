import Foundation

/// The settings of a named screen, made by a technician. The screen's own address takes precedence over them.
struct ScreenSettings: Codable, Equatable, Sendable {
    /// The content of the screen: `titles`, `slides`, `film`, or `both`, which is all of them.
    var shows = "both"
    /// The languages below each other; none for all that a title has.
    var languages: [String] = []
    /// The size of the letters; 1 is the usual one.
    var size = 1.0
    /// The colours of the languages in their order, each as six hexadecimal digits; further ones are as usual.
    var colours: [String] = []
    /// The sizes of the languages in their order, beside ``size``; further ones are as usual.
    var sizes: [Double] = []
    /// The place for titles that do not name an edge: bottom, middle or top.
    var position = "bottom"
    /// The side on which the lines of a title stand: left, centre or right.
    var align = "centre"
    /// The way in which letters stand out from a picture behind them: plain, outline, shadow or ground (a dark strip).
    var lettering = "plain"
    /// The family of the letters, one that the screen's own machine has; empty for the usual one.
    var font = ""
    /// The free margins at the top, right, bottom and left, each a share of the screen, 0 to 0.45; empty for none.
    var margins: [Double] = []
    /// The brightness of the screen, 0.05 to 1.
    var brightness = 1.0
    /// The share of the screen's height that titles may take, 0.1 to 1; 0 for the usual one: half of a picture, nearly
    /// all of a board that is much wider than high.
    var area = 0.0
    /// The background as six hexadecimal digits.
    var ground = "000000"
    /// True for a screen that stays on when the screens are blanked.
    var ignoresBlank = false
    /// True if a title that has none of the languages is shown in the first one that it has.
    var fallsBack = true
    /// Milliseconds by which a film is shown earlier, because of what the projector needs; less than 0 for later.
    var filmOffset = 0

    static let filmOffsets = -5_000...5_000
    static let standard = ScreenSettings()

    init() {}

    /// A setting that is not stored has its usual value.
    init(from decoder: any Decoder) throws {
        self = try ScreenSettingsChange(from: decoder).applied(to: .standard)
    }

    /// The first setting that makes no sense, as a sentence; nil if all do.
    var fault: String? {
        if !["both", "titles", "slides", "film"].contains(shows) {
            return "A screen shows “both”, “titles”, “slides” or “film”."
        }
        if languages.count > 8 { return "A screen shows 8 languages at most." }
        if !languages.allSatisfy(Self.isLanguage) {
            return "A language is a tag such as de or pt-BR; divide several by commas."
        }
        if !(0.3...3).contains(size) { return "The size of the letters is 0.3 to 3; 1 is the usual one." }
        if colours.count > 8 || !colours.allSatisfy(Self.isColour) {
            return "A language's colour is six hexadecimal digits, such as ffe9a8; 8 at most."
        }
        if sizes.count > 8 || !sizes.allSatisfy((0.3...3).contains) {
            return "A language's size is 0.3 to 3, beside that of all letters; 8 at most."
        }
        if !["bottom", "middle", "top"].contains(position) {
            return "Titles stand at the “bottom”, in the “middle” or at the “top”."
        }
        if !["left", "centre", "right"].contains(align) {
            return "The lines of a title stand “left”, “centre” or “right”."
        }
        if !["plain", "outline", "shadow", "ground"].contains(lettering) {
            return "Letters are “plain”, or have an “outline”, a “shadow” or a “ground”."
        }
        if !Self.isFontFamily(font) {
            return "A font is a family such as Noto Serif: letters, digits, spaces and hyphens, 60 at most."
        }
        if !(margins.isEmpty || margins.count == 4) || !margins.allSatisfy((0...0.45).contains) {
            return "Margins are four shares of the screen, top, right, bottom and left, each 0 to 0.45."
        }
        if !(0.05...1).contains(brightness) { return "The brightness is 0.05 to 1." }
        if area != 0, !(0.1...1).contains(area) {
            return "Titles take 0.1 to 1 of the screen's height; 0 is the usual share."
        }
        if !Self.filmOffsets.contains(filmOffset) {
            return "A film is shown at most 5000 milliseconds earlier, or later (-5000)."
        }
        if !Self.isColour(ground) {
            return "The background is six hexadecimal digits, such as 00ff00."
        }
        return nil
    }

    private static func isLanguage(_ tag: String) -> Bool {
        (1...20).contains(tag.utf8.count)
            && tag.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
    }

    private static func isFontFamily(_ name: String) -> Bool {
        name.utf8.count <= 120 && name.count <= 60
            && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
    }

    private static func isColour(_ text: String) -> Bool {
        text.utf8.count == 6
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    }
}
