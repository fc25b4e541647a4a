/// What an editor writes on a slide: text, and images as `$image.png, caption`.
public struct SlideText: Hashable, Sendable, Codable, CustomStringConvertible {
    /// As written, with blanks put in order by ``ContentWords/paragraphs(_:)``.
    public let raw: String

    public init(_ raw: String) { self.raw = ContentWords.paragraphs(raw) }

    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(raw)
    }

    public var description: String { raw }

    /// What a page shows, in order: paragraphs of text and images with their captions.
    /// - Complexity: O(length).
    public var parts: [SlidePart] {
        var parts: [SlidePart] = []
        for paragraph in Self.paragraphs(of: raw) {
            let marks = ImageMark.all(in: paragraph)
            append(paragraph[..<(marks.first?.range.lowerBound ?? paragraph.endIndex)], to: &parts)
            for (index, mark) in marks.enumerated() {
                let next = index + 1 < marks.count ? marks[index + 1].range.lowerBound : paragraph.endIndex
                let rest = paragraph[mark.range.upperBound..<next]
                parts.append(
                    .image(mark.name, caption: mark.hasCaption ? ContentWords.line(String(rest)) : ""))
                // The full stop behind a bare name belongs to nothing.
                if !mark.hasCaption { append(rest.first == "." ? rest.dropFirst() : rest, to: &parts) }
            }
        }
        return parts
    }

    /// The images the text names, each once, in the order they come.
    public var images: [AssetName] { parts.images }

    /// The same text with other names for its images.
    public func renaming(_ others: [AssetName: AssetName]) -> SlideText {
        let paragraphs = raw.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            var text = ""
            var rest = line.startIndex
            for mark in ImageMark.all(in: line) {
                guard let other = others[mark.name],
                    let name = line[mark.range].firstRange(of: mark.name.text)
                else { continue }
                text += line[rest..<name.lowerBound] + other.text
                rest = name.upperBound
            }
            return text + line[rest...]
        }
        return SlideText(paragraphs.joined(separator: "\n"))
    }

    /// How many characters a listener reads: text and captions.
    public var readCharacters: Int { parts.readCharacters }

    private static func paragraphs(of text: String) -> [Substring] {
        // In order, a text has line breaks between paragraphs only, two each time; and bytes are quick to look through.
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated().compactMap { $0.isMultiple(of: 2) ? Substring($1) : nil }
    }

    private func append(_ text: Substring, to parts: inout [SlidePart]) {
        let words = ContentWords.line(String(text))
        if !words.isEmpty { parts.append(.text(words)) }
    }
}

extension [SlidePart] {
    /// The images, each once, in the order they come.
    var images: [AssetName] {
        var seen: Set<AssetName> = []
        return compactMap(\.image).filter { seen.insert($0).inserted }
    }

    /// How many characters a listener reads.
    var readCharacters: Int {
        reduce(0) { sum, part in
            let words = part.words
            // Put in order it holds no CRLF, the one character of two such bytes.
            return sum + (words.utf8.allSatisfy { $0 < 0x80 } ? words.utf8.count : words.count)
        }
    }
}

/// A paragraph of a slide, or an image with its caption.
public enum SlidePart: Hashable, Sendable {
    case text(String)
    case image(AssetName, caption: String)

    /// The words of the part: the text or the caption.
    public var words: String {
        switch self {
        case .text(let text): text
        case .image(_, let caption): caption
        }
    }

    public var image: AssetName? {
        if case .image(let name, _) = self { name } else { nil }
    }
}

extension SlidePart: Codable {
    private enum CodingKeys: CodingKey { case text, image, caption }

    /// `{"text": …}` or `{"image": …, "caption": …}`.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        if let name = try fields.decodeIfPresent(AssetName.self, forKey: .image) {
            self = .image(name, caption: try fields.decodeIfPresent(String.self, forKey: .caption) ?? "")
        } else {
            self = .text(try fields.decode(String.self, forKey: .text))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .text(let text): try fields.encode(text, forKey: .text)
        case .image(let name, let caption):
            try fields.encode(name, forKey: .image)
            try fields.encode(caption, forKey: .caption)
        }
    }
}
