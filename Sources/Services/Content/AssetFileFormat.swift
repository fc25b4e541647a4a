import Concert
import ScoreFiles

/// Format of a file, detected from its first bytes; the file's name does not count.
package enum AssetFileFormat: String, CaseIterable {
    case png, jpeg, gif, webp, svg, pdf, text

    /// Detects the format; nil if the bytes have none of the known formats.
    /// - Parameter head: the first kilobyte or more of the file.
    package init?(head: [UInt8]) {
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
            self = Self.findRootElementName(String(decoding: bytes, as: UTF8.self)) == "svg" ? .svg : .text
        }
    }

    package var mediaType: String {
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

    /// File name extensions that are valid for this format.
    var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg"]
        case .text: ["md", "txt"]
        default: [rawValue]
        }
    }

    var isImage: Bool { self != .pdf && self != .text }

    /// The name of an XML text's root element; nil for other texts.
    private static func findRootElementName(_ text: String) -> String? {
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

/// The reason why a file is refused as an asset.
package struct ContentAssetError: Error, Equatable {
    package var sentence: String

    package init(sentence: String) {
        self.sentence = sentence
    }
}

/// Checks a file before it becomes an asset.
package enum AssetFileCheck {
    /// A checked file: its format and the bytes to store. An SVG is rewritten without active content
    /// (``SVGSanitizer``); other files are stored unchanged.
    package struct CheckedFile {
        package var format: AssetFileFormat
        package var bytes: [UInt8]
    }

    /// Checks that a file's format is allowed in its folder and matches its name.
    /// - Parameter bytes: the whole file.
    package static func checkFile(
        _ bytes: [UInt8], named name: AssetName, in place: ContentAsset.Folder
    ) throws(ContentAssetError) -> CheckedFile {
        // The web server refuses addresses that contain these characters.
        if let bad = name.text.first(where: { "%:".contains($0) }) {
            throw ContentAssetError(
                sentence: "“\(name)” contains “\(bad)”, which is not allowed in an address; rename the file.")
        }
        guard let kind = AssetFileFormat(head: Array(bytes.prefix(4_096))) else {
            throw ContentAssetError(
                sentence:
                    "“\(name)” is neither PNG, JPEG, GIF, WebP, SVG, PDF nor text; save it as one of these.")
        }
        guard kind.isImage || place == .AppAssets else {
            throw ContentAssetError(
                sentence:
                    "“\(name)” is not an image (\(kind.mediaType)); slides show PNG, JPEG, GIF, WebP and SVG."
            )
        }
        guard kind.fileExtensions.contains(name.fileExtension) else {
            throw ContentAssetError(
                sentence:
                    "“\(name)” is actually \(kind.mediaType); rename it to end in .\(kind.fileExtensions[0])."
            )
        }
        guard kind == .svg else { return CheckedFile(format: kind, bytes: bytes) }
        do throws(SVGRefusal) {
            return CheckedFile(format: kind, bytes: try SVGSanitizer.sanitize(bytes, name: name.text))
        } catch {
            throw ContentAssetError(sentence: error.sentence)
        }
    }
}
