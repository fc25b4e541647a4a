import Basics
import Score

extension PieceName {
    /// The reason why a name cannot be in a concert's list of pieces, or is risky there; nil if the name is fine.
    ///
    /// `getPieces.php` joins names by `;`, so a client would take a name with a semicolon for two names.
    public var concertNameFault: ConcertNameFault? {
        if text.utf8.contains(UInt8(ascii: ";")) { return .containsSemicolon(text) }
        if text.utf8.contains(UInt8(ascii: "|")) { return .containsVerticalBar(text) }
        if text != CleanText.cleanedLine(text) { return .extraBlanks(text) }
        // The folder's name must fit a file system, which allows 255 bytes.
        return offlineFolderName.utf8.count > 200 ? .tooLongForAFolder(text) : nil
    }

    /// A problem that a piece's name causes for clients.
    public enum ConcertNameFault: Explained, Hashable, Sendable {
        case containsSemicolon(String)
        case containsVerticalBar(String)
        case extraBlanks(String)
        case tooLongForAFolder(String)

        /// True if existing clients would fail, so that the name is refused. The other faults are only warnings.
        public var isRefused: Bool { if case .containsSemicolon = self { true } else { false } }

        public var sentence: String {
            switch self {
            case .containsSemicolon(let name):
                PieceName.semicolonSentence(name)
            case .containsVerticalBar(let name):
                "The name “\(name)” holds a “|”, which separates the fields of a message; write a dash instead."
            case .extraBlanks(let name):
                "The name “\(name)” begins, ends or is spaced with extra blanks; leave single blanks only."
            case .tooLongForAFolder(let name):
                "The name “\(name)” is too long for a phone's offline folder; shorten it to 190 characters."
            }
        }
    }

    /// The name of the folder in which a phone keeps the piece: `POA` and the name's letters and digits.
    public var offlineFolderName: String { "POA" + lettersAndDigits(of: text, lowercase: false) }

    /// Finds the piece name that a client means.
    ///
    /// Clients leave out the space after the comma, and some packets have other capitals or lack a full stop. So the
    /// exact name is tried first; then the name without spaces and capitals; then its letters and digits alone, if only
    /// one piece has these.
    /// - Returns: index into `names`; nil if none fits.
    public static func match(_ asked: String, among names: [PieceName]) -> Int? {
        PieceNameIndex(names).match(asked)
    }
}

/// An index of piece names for ``PieceName/match(_:among:)``. The cost of a lookup does not depend on the number of
/// names.
public struct PieceNameIndex: Sendable {
    private var indexByExactName: [String: Int] = [:]
    private var bySpacelessName: [String: Int] = [:]
    /// The index of a name, by the letters and digits of the name; nil if several names have the same letters and
    /// digits.
    private var byLettersAndDigits: [String: Int?] = [:]

    public init(_ names: [PieceName]) {
        for (place, name) in names.enumerated() {
            indexByExactName[name.text] = indexByExactName[name.text] ?? place
            let tightName = lowercasedWithoutSpaces(name.text)
            bySpacelessName[tightName] = bySpacelessName[tightName] ?? place
            let plainName = lettersAndDigits(of: name.text, lowercase: true)
            byLettersAndDigits[plainName] = .some(byLettersAndDigits[plainName] == nil ? place : nil)
        }
    }

    /// Finds the piece name that a client means.
    /// - Returns: index into the names; nil if none fits.
    public func match(_ asked: String) -> Int? {
        if let exact = indexByExactName[asked] { return exact }
        if let same = bySpacelessName[lowercasedWithoutSpaces(asked)] { return same }
        let plainName = lettersAndDigits(of: asked, lowercase: true)
        return plainName.isEmpty ? nil : byLettersAndDigits[plainName] ?? nil
    }
}

private func lowercasedWithoutSpaces(_ name: String) -> String {
    name.lowercased().filter { !$0.isWhitespace }
}

/// Keeps only the letters, the digits and the letters' combining marks of a name.
private func lettersAndDigits(of name: String, lowercase: Bool) -> String {
    let kept = name.unicodeScalars.filter { scalar in
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
    let text = String(String.UnicodeScalarView(kept))
    return lowercase ? text.lowercased() : text
}
