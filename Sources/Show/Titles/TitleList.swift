import Basics

/// The titles of one piece in the order in which they are shown. The first title has the number 1.
public struct TitleList: Hashable, Sendable {
    public static let maximumCount = 1_500
    /// The most bytes of one text or note.
    public static let maximumTextBytes = 1_000
    public static let maximumLanguages = 8
    /// The most bytes of all texts and notes of one list.
    public static let maximumBytes = 1_000_000
    /// The most bytes of all texts and notes of the lists of a programme.
    public static let maximumBytesOfProgramme = 4_000_000

    public let titles: [Title]
    /// The indices of titles that are left out tonight: nothing but their own number shows them. Not part of the list
    /// as it is kept.
    public private(set) var skipped: Set<Int> = []

    /// Creates an empty list.
    public init() { titles = [] }

    /// Checks the titles.
    /// - Parameter measureCount: the number of played measures of the piece.
    /// - Throws: ``TitleFault`` naming the first title that breaks a rule.
    /// - Complexity: O(titles).
    public init(_ titles: [Title], measureCount: Int = .max) throws(TitleFault) {
        guard titles.count <= Self.maximumCount else { throw .tooManyTitles(titles.count) }
        for title in titles where title.texts.count > Self.maximumLanguages {
            throw .tooManyLanguages(title.texts.count)
        }
        self.titles = titles
        guard languages.count <= Self.maximumLanguages else { throw .tooManyLanguages(languages.count) }
        guard byteCount <= Self.maximumBytes else { throw .listTooLong(bytes: byteCount) }
        try check(measureCount: measureCount)
    }

    public var isEmpty: Bool { titles.isEmpty }
    public var count: Int { titles.count }

    /// The languages of the titles, in the order in which they first occur. A list whose languages have no names has
    /// the one language “”. The search ends with the first language that is too much.
    public var languages: [String] {
        var found: [String] = []
        for title in titles {
            for text in title.texts where !found.contains(text.language) {
                found.append(text.language)
                if found.count > Self.maximumLanguages { return found }
            }
        }
        return found
    }

    /// Checks the titles against a piece.
    /// - Parameter measureCount: the number of played measures of the piece.
    /// - Throws: ``TitleFault`` naming the first title that breaks a rule.
    public func check(measureCount: Int) throws(TitleFault) {
        var last: (number: Int, played: Int)?
        for (index, title) in titles.enumerated() {
            let number = index + 1
            try title.check(number: number)
            guard let played = title.played else { continue }
            guard (0..<measureCount).contains(played) else {
                throw .noSuchMeasure(number: number, played: played)
            }
            if let last, last.played == played { throw .sameMeasure(number: number, before: last.number) }
            if let last, last.played > played { throw .measureGoesBack(number: number, before: last.number) }
            last = (number, played)
        }
    }

    /// The list without some of its titles, which are left out tonight.
    public func skipping(_ indices: [Int]) -> TitleList {
        var list = self
        list.skipped = Set(indices)
        return list
    }

    /// The index of the title that belongs to a played measure: the last one whose own measure has come. Nil before the
    /// first title with a measure.
    /// - Complexity: O(titles).
    public func index(atMeasure played: Int) -> Int? {
        titles.indices.last { isDue($0) { $0 <= played } }
    }

    /// The index of the next title with a measure after a played measure; nil after the last one.
    public func index(afterMeasure played: Int) -> Int? {
        titles.indices.first { isDue($0) { $0 > played } }
    }

    private func isDue(_ index: Int, _ isMeant: (Int) -> Bool) -> Bool {
        titles[index].played.map(isMeant) ?? false && !skipped.contains(index)
    }

    /// The index of the next title that is not left out, from an index on; nil after the last one.
    func unskipped(from index: Int) -> Int? { (index..<max(count, index)).first { !skipped.contains($0) } }

    /// The index of the last title before an index that is not left out; nil before the first.
    func unskipped(before index: Int) -> Int? { (0..<index).last { !skipped.contains($0) } }

    /// The index of the nearest title with a measure at or before a title in the list; nil if there is none.
    func anchor(of index: Int) -> Int? { titles[...index].lastIndex { $0.played != nil } }
}

extension Title {
    func check(number: Int) throws(TitleFault) {
        for text in texts {
            guard text.text.utf8.count <= TitleList.maximumTextBytes else {
                throw .textTooLong(number: number, bytes: text.text.utf8.count)
            }
            guard Self.isLanguage(text.language) else {
                throw .notALanguage(number: number, text.language)
            }
            guard !text.text.unicodeScalars.contains(where: Self.isControl) else {
                throw .controlCharacter(number: number)
            }
        }
        guard Set(texts.map(\.language)).count == texts.count else { throw .languageTwice(number: number) }
        guard note.utf8.count <= TitleList.maximumTextBytes else {
            throw .textTooLong(number: number, bytes: note.utf8.count)
        }
        guard label.count <= Self.mostLabelLetters, label.utf8.count <= 4 * Self.mostLabelLetters,
            !label.unicodeScalars.contains(where: Self.isControl)
        else { throw .badLabel(number: number, label) }
        if let place, place.utf8.count > 200 { throw .textTooLong(number: number, bytes: place.utf8.count) }
        for fade in [fadeIn, fadeOut] where !(0...Self.longestFade).contains(fade) {
            throw .fadeOutOfRange(number: number, seconds: fade)
        }
        for wait in [lead, doubleCut ?? 0] where !(0...Self.longestWait).contains(wait) {
            throw .waitOutOfRange(number: number, seconds: wait)
        }
        guard lead == 0 || place != nil || played != nil else { throw .leadWithoutMeasure(number: number) }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\n"
    }

    /// True for a language tag: letters, digits and hyphens, at most 20 of them; also for no tag at all.
    static func isLanguage(_ tag: String) -> Bool {
        tag.utf8.count <= 20
            && tag.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D
            }
    }
}

extension TitleList: Codable {
    public init(from decoder: any Decoder) throws {
        // The piece checks which measures exist.
        try self.init(try decoder.singleValueContainer().decode([Title].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(titles)
    }
}

/// The first mistake in a list of titles.
public enum TitleFault: Explained, Hashable, Sendable {
    case tooManyTitles(Int)
    case tooManyLanguages(Int)
    case listTooLong(bytes: Int)
    /// The titles of all pieces together have too many bytes.
    case programmeTooLong(bytes: Int)
    case textTooLong(number: Int, bytes: Int)
    case notALanguage(number: Int, String)
    case languageTwice(number: Int)
    case controlCharacter(number: Int)
    case badLabel(number: Int, String)
    case fadeOutOfRange(number: Int, seconds: Double)
    case waitOutOfRange(number: Int, seconds: Double)
    case leadWithoutMeasure(number: Int)
    case placeNotFound(number: Int, reason: String)
    case noSuchMeasure(number: Int, played: Int)
    case sameMeasure(number: Int, before: Int)
    case measureGoesBack(number: Int, before: Int)

    public var sentence: String {
        switch self {
        case .tooManyTitles(let count):
            "There are \(count) titles; a piece holds \(TitleList.maximumCount) at most."
        case .tooManyLanguages(let count):
            "The titles are in \(count) languages; \(TitleList.maximumLanguages) are possible."
        case .listTooLong(let bytes):
            "The texts of the titles have \(bytes) bytes; a piece holds \(TitleList.maximumBytes) at most. Shorten them, "
                + "or divide the piece."
        case .programmeTooLong(let bytes):
            "The titles of all pieces of the programme would have \(bytes) bytes; "
                + "\(TitleList.maximumBytesOfProgramme) are possible. Take titles or pieces out."
        case .textTooLong(let number, let bytes):
            "A text of title \(number) has \(bytes) bytes; shorten it to \(TitleList.maximumTextBytes) at most."
        case .notALanguage(let number, let tag):
            "“\(tag.prefix(40))” in title \(number) is no language; write a tag such as de or pt-BR."
        case .languageTwice(let number): "Title \(number) has two texts in one language; join them."
        case .controlCharacter(let number):
            "Title \(number) has a control character in its text, which no screen can show; remove it."
        case .badLabel(let number, let label):
            "“\(label.prefix(40))” is no number for title \(number); write \(Title.mostLabelLetters) letters at most, "
                + "such as 12a, or leave it empty."
        case .fadeOutOfRange(let number, let seconds):
            "Title \(number) fades for \(seconds) s; give 0 to \(Int(Title.longestFade)) seconds."
        case .waitOutOfRange(let number, let seconds):
            "Title \(number) waits or leads for \(seconds) s; give 0 to \(Int(Title.longestWait)) seconds."
        case .leadWithoutMeasure(let number):
            "Title \(number) has a lead but no bar that it could lead; give it a bar, or no lead."
        case .placeNotFound(let number, let reason): "Title \(number): \(reason)"
        case .noSuchMeasure(let number, let played):
            "Title \(number) stands at played measure \(played), which the piece does not have; correct its bar."
        case .sameMeasure(let number, let before):
            "Titles \(before) and \(number) begin at the same bar; leave the second without a bar. It is then shown by "
                + "hand, or by itself some seconds after the first (“double_cut”)."
        case .measureGoesBack(let number, let before):
            "Title \(number) is at an earlier bar than title \(before); change their order, or write the bar with "
                + "its occurrence, such as 57/2."
        }
    }
}
