/// The text of a slide as an editor writes it, with images as `$image.png, caption`.
public struct SlideText: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The written text, cleaned by ``CleanText/cleanedParagraphs(_:)``.
    public let writtenText: String

    public init(_ raw: String) { self.writtenText = CleanText.cleanedParagraphs(raw) }

    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(writtenText)
    }

    public var description: String { writtenText }

    /// The contents of the slide in order: paragraphs of text, and images with their captions.
    /// - Complexity: O(length).
    public var parts: [SlidePart] {
        var parts: [SlidePart] = []
        for paragraph in Self.splitParagraphs(of: writtenText) {
            let marks = ImageReference.all(in: paragraph)
            appendTextPart(paragraph[..<(marks.first?.range.lowerBound ?? paragraph.endIndex)], to: &parts)
            for (index, mark) in marks.enumerated() {
                let next = index + 1 < marks.count ? marks[index + 1].range.lowerBound : paragraph.endIndex
                let rest = paragraph[mark.range.upperBound..<next]
                parts.append(
                    .image(mark.name, caption: mark.hasCaption ? CleanText.cleanedLine(String(rest)) : ""))
                // A full stop after a bare image name is dropped.
                if !mark.hasCaption {
                    appendTextPart(rest.first == "." ? rest.dropFirst() : rest, to: &parts)
                }
            }
        }
        return parts
    }

    /// The images that the text names, each once, in order of first appearance.
    public var images: [AssetName] { parts.images }

    /// Returns the same text with other names for its images.
    /// - Parameter others: the new name for each old one.
    public func renamingImages(_ others: [AssetName: AssetName]) -> SlideText {
        let paragraphs = writtenText.split(separator: "\n", omittingEmptySubsequences: false).map {
            line -> String in
            var text = ""
            var rest = line.startIndex
            for mark in ImageReference.all(in: line) {
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

    /// Number of characters that a listener reads, in text and captions.
    public var readableCharacterCount: Int { parts.readableCharacterCount }

    private static func splitParagraphs(of text: String) -> [Substring] {
        // A cleaned text has line breaks only in pairs, between paragraphs. Bytes are searched because that is fast.
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated().compactMap { $0.isMultiple(of: 2) ? Substring($1) : nil }
    }

    private func appendTextPart(_ text: Substring, to parts: inout [SlidePart]) {
        let words = CleanText.cleanedLine(String(text))
        if !words.isEmpty { parts.append(.text(words)) }
    }
}

extension [SlidePart] {
    /// The images of these parts, each once, in order of first appearance.
    var images: [AssetName] {
        var seen: Set<AssetName> = []
        return compactMap(\.image).filter { seen.insert($0).inserted }
    }

    /// Number of characters that a listener reads in these parts, in text and captions.
    var readableCharacterCount: Int {
        reduce(0) { sum, part in
            let words = part.textOrCaption
            // Cleaned text contains no CRLF, whose two bytes are one character.
            return sum + (words.utf8.allSatisfy { $0 < 0x80 } ? words.utf8.count : words.count)
        }
    }
}

/// A paragraph of a slide, or an image with its caption.
public enum SlidePart: Hashable, Sendable {
    case text(String)
    case image(AssetName, caption: String)

    /// The words of this part of a slide: its text or its caption.
    public var textOrCaption: String {
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

    /// Decodes either `{"text": …}` or `{"image": …, "caption": …}`.
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
