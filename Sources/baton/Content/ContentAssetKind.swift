import Concert

/// What a file is, by its first bytes, whatever its name says.
enum ContentAssetKind: String, CaseIterable {
    case png, jpeg, gif, webp, svg, pdf, text

    /// - Parameter head: the first kilobyte or more.
    init?(head: [UInt8]) {
        func starts(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
            head.count >= offset + bytes.count && Array(head[offset..<offset + bytes.count]) == bytes
        }
        if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if starts([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if starts(Array("GIF87a".utf8)) || starts(Array("GIF89a".utf8)) {
            self = .gif
        } else if starts(Array("RIFF".utf8)) && starts(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if starts(Array("%PDF-".utf8)) {
            self = .pdf
        } else {
            let bytes = starts([0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : head
            guard !bytes.contains(0) else { return nil }
            self = Self.outermost(String(decoding: bytes, as: UTF8.self)) == "svg" ? .svg : .text
        }
    }

    var type: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case .svg: "image/svg+xml"
        case .pdf: "application/pdf"
        case .text: "text/plain; charset=utf-8"
        }
    }

    /// The endings a file of this kind may bear.
    var endings: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg"]
        case .text: ["md", "txt"]
        default: [rawValue]
        }
    }

    var isImage: Bool { self != .pdf && self != .text }

    /// The name of an XML text's outermost element; nil for other texts.
    private static func outermost(_ text: String) -> String? {
        var rest = text.drop { $0.isWhitespace }
        while rest.hasPrefix("<?") || rest.hasPrefix("<!--") {
            let end = rest.hasPrefix("<?") ? "?>" : "-->"
            guard let range = rest.firstRange(of: end) else { return nil }
            rest = rest[range.upperBound...].drop { $0.isWhitespace }
        }
        guard rest.first == "<" else { return nil }
        let name = rest.dropFirst().prefix { $0.isLetter || $0 == ":" }
        return name.split(separator: ":").last.map(String.init)
    }
}

/// Why a file was not taken.
struct ContentAssetFault: Error, Equatable {
    var sentence: String
}

/// Looks at a file before it becomes an asset.
enum ContentAssetCheck {
    /// Of an SVG, which every phone has to draw.
    static let mostDrawingBytes = 2 << 20

    /// - Parameter bytes: the whole file.
    static func kind(
        of bytes: [UInt8], named name: AssetName, in place: ContentAsset.Place
    ) throws(ContentAssetFault) -> ContentAssetKind {
        // The server itself answers no address with these in it.
        if let bad = name.text.first(where: { "%:".contains($0) }) {
            throw ContentAssetFault(
                sentence: "“\(name)” holds “\(bad)”, which no address may; rename the file.")
        }
        guard let kind = ContentAssetKind(head: Array(bytes.prefix(4_096))) else {
            throw ContentAssetFault(
                sentence: "“\(name)” is no PNG, JPEG, GIF, WebP, SVG, PDF or text; save it as one of these.")
        }
        guard kind.isImage || place == .AppAssets else {
            throw ContentAssetFault(
                sentence: "“\(name)” is no image (\(kind.type)); slides show PNG, JPEG, GIF, WebP and SVG.")
        }
        guard kind.endings.contains(name.ending) else {
            throw ContentAssetFault(
                sentence: "“\(name)” is in truth \(kind.type); rename it to end in .\(kind.endings[0]).")
        }
        guard kind != .svg || bytes.count <= mostDrawingBytes else {
            throw ContentAssetFault(
                sentence:
                    "The drawing “\(name)” is larger than \(mostDrawingBytes >> 20) MB; save it as a PNG.")
        }
        if kind == .svg, let found = danger(in: bytes) {
            throw ContentAssetFault(
                sentence: "“\(name)” holds “\(found)”; save it as a plain drawing without scripts and links.")
        }
        return kind
    }

    /// What no drawing needs. It is served where no script runs; this is the second lock.
    private static func danger(in bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let words = [
            "<script", "javascript:", "<foreignobject", "<!doctype", "<!entity", "<iframe", "<embed",
            "<object",
            "<handler", "<set ", "data:text", "@import",
        ]
        if let word = words.first(where: { text.contains($0) }) { return word }
        // An event handler: a blank, `on`, letters, an equals sign, within a tag.
        var rest = text[...]
        while let found = rest.firstRange(of: " on") {
            let behind = rest[found.upperBound...]
            let name = behind.prefix { $0.isLetter }
            if !name.isEmpty, behind.dropFirst(name.count).drop(while: \.isWhitespace).first == "=" {
                return "on\(name)"
            }
            rest = behind
        }
        return nil
    }
}
