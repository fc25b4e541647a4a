import Basics
import Concert
import Foundation
import Pictures
import ScoreFiles

/// Format of a file, detected from its first bytes; the file's name does not count.
package enum AssetFileFormat: String, CaseIterable {
    case png, jpeg, gif, webp, heic, avif, tiff, svg, pdf, text

    /// Detects the format; nil if the bytes have none of the known formats.
    /// - Parameter head: the first kilobyte or more of the file.
    package init?(head: [UInt8]) {
        func starts(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
            head.count >= offset + bytes.count && Array(head[offset..<offset + bytes.count]) == bytes
        }
        if let picture = PictureFormat(head: head), let format = AssetFileFormat(rawValue: picture.rawValue) {
            self = format
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
        case .heic: "image/heic"
        case .avif: "image/avif"
        case .tiff: "image/tiff"
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

    /// The format as one made of pixels; nil for drawings, PDF and texts.
    package var picture: PictureFormat? { PictureFormat(rawValue: rawValue) }

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

/// Checks a file before it becomes an asset.
package enum AssetFileCheck {
    /// A checked file: its format and the bytes to store. An SVG is rewritten without active content
    /// (``SVGSanitizer``); other files are stored unchanged.
    package struct CheckedFile {
        package var format: AssetFileFormat
        package var bytes: [UInt8]

        package init(format: AssetFileFormat, bytes: [UInt8]) { (self.format, self.bytes) = (format, bytes) }
    }

    /// Checks that a file's format is allowed in its folder and matches its name.
    /// - Parameter bytes: the whole file.
    package static func checkFile(
        _ bytes: [UInt8], named name: AssetName, in place: ContentAsset.Folder
    ) throws -> CheckedFile {
        // The web server refuses addresses that contain these characters.
        if let bad = name.text.first(where: { "%:".contains($0) }) {
            throw ExplainedError(
                "“\(name)” contains “\(bad)”, which is not allowed in an address; rename the file.")
        }
        guard let kind = AssetFileFormat(head: Array(bytes.prefix(4_096))) else {
            throw ExplainedError(
                "“\(name)” is neither PNG, JPEG, GIF, WebP, HEIC, AVIF, TIFF, SVG, PDF nor text; save it as one "
                    + "of these.")
        }
        guard kind.isImage || place == .AppAssets else {
            throw ExplainedError(
                "“\(name)” is not an image (\(kind.mediaType)); slides show PNG, JPEG, GIF, WebP and SVG."
            )
        }
        // What browsers do not show gets another name with its other format.
        guard kind.picture?.isForBrowsers == false || kind.fileExtensions.contains(name.fileExtension) else {
            throw ExplainedError(
                "“\(name)” is actually \(kind.mediaType); rename it to end in .\(kind.fileExtensions[0])."
            )
        }
        guard kind == .svg else { return CheckedFile(format: kind, bytes: bytes) }
        let drawing = try SVGSanitizer.sanitize(bytes, name: name.text)
        return CheckedFile(format: kind, bytes: EmbeddedPictures.clean(drawing))
    }

    /// Makes of a checked file what is published: a picture without data about its maker, upright, not larger than a
    /// page shows, and in a format that browsers show (``PicturePreparation``); a PDF without such data
    /// (``CleanPDF``). Texts and originals stay as they are.
    /// - Returns: the file, and its name, which may end otherwise.
    package static func prepare(
        _ file: CheckedFile, named name: AssetName, in place: ContentAsset.Folder
    ) async throws -> (name: AssetName, file: CheckedFile) {
        guard place != .originals else { return (name, file) }
        if file.format == .pdf {
            guard let clean = CleanPDF.clean(file.bytes) else {
                throw ExplainedError(
                    "“\(name)” cannot be read, because it is protected; save it as PDF without protection, so that "
                        + "its photographs can be published without the place where they were taken.")
            }
            return (name, CheckedFile(format: .pdf, bytes: clean))
        }
        guard let picture = file.format.picture else { return (name, file) }
        do {
            let made = try await PicturePreparation().prepare(file.bytes, picture)
            let format = AssetFileFormat(rawValue: made.format.rawValue) ?? file.format
            guard format != file.format else { return (name, CheckedFile(format: format, bytes: made.bytes)) }
            let stem = name.text.dropLast(name.fileExtension.isEmpty ? 0 : name.fileExtension.count + 1)
            return (try AssetName("\(stem).jpg"), CheckedFile(format: format, bytes: made.bytes))
        } catch let refusal as PictureRefusal {
            throw ExplainedError(refusal.sentence(about: name.text))
        } catch let error as ExplainedError {
            throw error
        } catch {
            throw ExplainedError("“\(name)” could not be read; send it again.")
        }
    }
}
