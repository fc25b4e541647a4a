import Score

extension PieceName {
    /// What keeps a name out of a concert's list, or makes it risky there; nil for a name without trouble.
    ///
    /// `getPieces.php` joins names by `;`, so that a client would take one with a semicolon for two.
    public var intakeFault: IntakeFault? {
        if text.utf8.contains(UInt8(ascii: ";")) { return .semicolon(text) }
        if text.utf8.contains(UInt8(ascii: "|")) { return .bar(text) }
        if text != ContentWords.line(text) { return .blanks(text) }
        // The folder's name has to fit a file system, which takes 255 bytes.
        return offlineFolder.utf8.count > 200 ? .tooLongForAFolder(text) : nil
    }

    /// What is wrong with a name as part of a concert.
    public enum IntakeFault: Error, Hashable, Sendable {
        case semicolon(String)
        case bar(String)
        case blanks(String)
        case tooLongForAFolder(String)

        /// True where existing clients would go wrong; the others are warnings.
        public var isRefused: Bool { if case .semicolon = self { true } else { false } }

        public var sentence: String {
            switch self {
            case .semicolon(let name):
                "The name “\(name)” holds a semicolon, where phones end a name; write a comma or a dash instead."
            case .bar(let name):
                "The name “\(name)” holds a “|”, which separates the fields of a message; write a dash instead."
            case .blanks(let name):
                "The name “\(name)” begins, ends or is spaced with extra blanks; leave single blanks only."
            case .tooLongForAFolder(let name):
                "The name “\(name)” is too long for a phone's offline folder; shorten it to 190 characters."
            }
        }
    }

    /// `POA` and the name's letters and digits: the folder a phone keeps the piece in.
    public var offlineFolder: String { "POA" + letters(of: text, lowercase: false) }

    /// Which of several names a client means.
    ///
    /// Clients leave out the blank behind the comma, and packets have been seen with other capitals and
    /// without a full stop: the exact name wins, then the name without blanks and capitals, then letters and
    /// digits alone where only one name has them.
    /// - Returns: index into `names`, or nil.
    public static func match(_ asked: String, among names: [PieceName]) -> Int? {
        PieceNameIndex(names).match(asked)
    }
}

/// Names prepared for ``PieceName/match(_:among:)``, so that asking costs the same however many there are.
public struct PieceNameIndex: Sendable {
    private var exact: [String: Int] = [:]
    private var tight: [String: Int] = [:]
    /// Nil where several names have the same letters.
    private var plain: [String: Int?] = [:]

    public init(_ names: [PieceName]) {
        for (place, name) in names.enumerated() {
            exact[name.text] = exact[name.text] ?? place
            let tightName = withoutBlanks(name.text)
            tight[tightName] = tight[tightName] ?? place
            let plainName = letters(of: name.text, lowercase: true)
            plain[plainName] = .some(plain[plainName] == nil ? place : nil)
        }
    }

    /// - Returns: index into the names, or nil.
    public func match(_ asked: String) -> Int? {
        if let exact = exact[asked] { return exact }
        if let same = tight[withoutBlanks(asked)] { return same }
        let plainName = letters(of: asked, lowercase: true)
        return plainName.isEmpty ? nil : plain[plainName] ?? nil
    }
}

private func withoutBlanks(_ name: String) -> String {
    name.lowercased().filter { !$0.isWhitespace }
}

/// Letters, digits and the marks that belong to letters.
private func letters(of name: String, lowercase: Bool) -> String {
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
