import Basics
import Concert
import Foundation
import Score

/// Reads and writes the content folder of one piece: a folder `POA…` as phones store it, or `content/` in the folder of
/// a recording.
public struct PieceContentFolder: Equatable, Sendable {
    public static let maximumImageBytes = 50 << 20
    public static let maximumImageCount = 1_000

    public var piece: PieceContent
    /// The images that exist in the folder: first the images that the slides name, then others that images.txt names.
    public var images: [OfflineFile]
    /// Sentences for the user about missing files and about assumptions that were made while reading.
    public var readingWarnings: [String]

    public init(piece: PieceContent, images: [OfflineFile] = [], readingWarnings: [String] = []) {
        self.piece = piece
        self.images = images
        self.readingWarnings = readingWarnings
    }

    /// Reads a folder: data.xml and, if present, images.txt, name.txt, supplement.json and the images.
    ///
    /// Reads only files that data.xml or images.txt name, and follows no links.
    /// - Throws: ``ContentFileError``.
    public static func read(at path: String) throws(ContentFileError) -> PieceContentFolder {
        let file = "\(path)/\(OfflineFolder.contentFile)"
        let content = try ContentXMLReader.readPieces(
            in: try readRegularFile(at: file, limitBytes: MeasureTimesLimits.xmlBytes), path: file)
        guard let piece = content.pieces.first, content.pieces.count == 1 else {
            throw .notOnePiece(path: file, count: content.pieces.count)
        }
        var folder = PieceContentFolder(piece: piece, readingWarnings: content.readingWarnings)
        try folder.compareNameFile(path)
        try folder.readSupplement(path)
        try folder.readImages(path)
        return folder
    }

    /// All files of the folder with their content, ready to be written or sent.
    public var filesToWrite: OfflineFolder {
        let supplement = PieceSupplement(of: piece)
        let bytes = Dictionary(images.map { ($0.name, $0.content) }, uniquingKeysWith: { first, _ in first })
        return OfflineFolder(
            piece, alsoImages: images.compactMap { try? AssetName($0.name) },
            supplement: supplement.isEmpty ? nil : SupplementJSONCoder.supplementBytes(of: supplement)
        ) { bytes[$0.text] }
    }

    /// Writes the files into a folder, and creates the folder if it is missing. Other files in the folder are kept.
    /// - Throws: ``ContentFileError``.
    public func write(to path: String) throws(ContentFileError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .cannotWrite(path: path, reason: "the folder cannot be made")
        }
        for file in filesToWrite.files {
            do {
                try Data(file.content).write(
                    to: URL(fileURLWithPath: "\(path)/\(file.name)"), options: .atomic)
            } catch {
                throw .cannotWrite(path: "\(path)/\(file.name)", reason: "the file cannot be made")
            }
        }
    }

    private mutating func compareNameFile(_ path: String) throws(ContentFileError) {
        let file = "\(path)/\(OfflineFolder.pieceNameFile)"
        guard Self.fileExists(file) else {
            return readingWarnings.append("\(file) is missing: the name was taken from the XML.")
        }
        let bytes = try Self.readRegularFile(at: file, limitBytes: 1 << 20)
        if CleanText.cleanedLine(String(decoding: bytes, as: UTF8.self)) != piece.name.text {
            readingWarnings.append(
                "\(file) and the XML give different names: “\(piece.name)” was taken from the XML.")
        }
    }

    private mutating func readSupplement(_ path: String) throws(ContentFileError) {
        let file = "\(path)/\(OfflineFolder.supplementFile)"
        guard Self.fileExists(file) else { return }
        let bytes = try Self.readRegularFile(at: file, limitBytes: SupplementJSONCoder.limitBytes)
        readingWarnings += try SupplementJSONCoder.decodeSupplement(in: bytes, path: file).apply(to: &piece)
    }

    private mutating func readImages(_ path: String) throws(ContentFileError) {
        let file = "\(path)/\(OfflineFolder.imageListFile)"
        var names = piece.slideImages
        if Self.fileExists(file) {
            let list = String(
                decoding: try Self.readRegularFile(at: file, limitBytes: 1 << 20), as: UTF8.self)
            for entry in list.split(separator: ";") {
                let text = CleanText.cleanedLine(String(entry))
                guard !text.isEmpty else { continue }
                do throws(ExplainedError) {
                    let name = try AssetName(text)
                    if !names.contains(name) { names.append(name) }
                } catch {
                    throw .invalidImageName(path: file, fault: error)
                }
                guard names.count <= Self.maximumImageCount else {
                    throw .tooManyImages(path: file, limit: Self.maximumImageCount)
                }
            }
        }
        for name in names {
            guard Self.fileExists("\(path)/\(name)") else {
                readingWarnings.append("The image “\(name)” is missing in \(path).")
                continue
            }
            let bytes = try Self.readRegularFile(at: "\(path)/\(name)", limitBytes: Self.maximumImageBytes)
            images.append(OfflineFile(name: name.text, content: bytes))
        }
    }

    private static func fileExists(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)) != nil
    }

    /// - Throws: ``ContentFileError``, also if the path is a symbolic link, because a folder from an untrusted source
    ///   must not refer to files outside it.
    private static func readRegularFile(at path: String, limitBytes: Int) throws(ContentFileError) -> [UInt8]
    {
        if let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType != .typeRegular
        {
            throw .notRegularFile(path: path)
        }
        do throws(MeasureTimesError) {
            return try SizeLimitedFileReader.readBytes(at: path, limitBytes: limitBytes)
        } catch {
            throw ContentFileError(error)
        }
    }
}
