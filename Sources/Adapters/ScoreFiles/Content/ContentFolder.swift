import Concert
import Foundation
import Score

/// Reads and writes the content folder of one piece: a folder `POA…` as phones store it, or `content/` in the folder of
/// a recording.
public struct ContentFolder: Equatable, Sendable {
    public static let imageLimitBytes = 50 << 20
    public static let imageLimit = 1_000

    public var piece: PieceContent
    /// The images that exist in the folder: first those that the slides name, then others that images.txt names.
    public var images: [OfflineFile]
    /// Sentences for the user about missing files and about assumptions that were made while reading.
    public var readingNotes: [String]

    public init(piece: PieceContent, images: [OfflineFile] = [], readingNotes: [String] = []) {
        self.piece = piece
        self.images = images
        self.readingNotes = readingNotes
    }

    /// Reads a folder: data.xml and, if present, images.txt, name.txt, supplement.json and the images.
    ///
    /// Reads only files that data.xml or images.txt name, and follows no links.
    /// - Throws: ``ContentFileError``.
    public static func read(at path: String) throws(ContentFileError) -> ContentFolder {
        let file = "\(path)/\(OfflineFolder.contentFile)"
        let content = try ContentReader.pieces(
            in: try bytes(at: file, limitBytes: MeasureTimesLimits.xmlBytes), path: file)
        guard let piece = content.pieces.first, content.pieces.count == 1 else {
            throw .notOnePiece(path: file, count: content.pieces.count)
        }
        var folder = ContentFolder(piece: piece, readingNotes: content.readingNotes)
        try folder.readName(path)
        try folder.readSupplement(path)
        try folder.readImages(path)
        return folder
    }

    /// All files of the folder with their content, ready to be written or sent.
    public var files: OfflineFolder {
        let supplement = PieceSupplement(of: piece)
        let bytes = Dictionary(images.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        return OfflineFolder(
            piece, alsoImages: images.compactMap { try? AssetName($0.name) },
            supplement: supplement.isEmpty ? nil : SupplementFile.bytes(of: supplement)
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
        for file in files.files {
            do {
                try Data(file.bytes).write(to: URL(fileURLWithPath: "\(path)/\(file.name)"), options: .atomic)
            } catch {
                throw .cannotWrite(path: "\(path)/\(file.name)", reason: "the file cannot be made")
            }
        }
    }

    private mutating func readName(_ path: String) throws(ContentFileError) {
        let file = "\(path)/\(OfflineFolder.nameFile)"
        guard Self.isThere(file) else {
            return readingNotes.append("\(file) is missing: the name was taken from the XML.")
        }
        let bytes = try Self.bytes(at: file, limitBytes: 1 << 20)
        if CleanText.line(String(decoding: bytes, as: UTF8.self)) != piece.name.text {
            readingNotes.append(
                "\(file) and the XML give different names: “\(piece.name)” was taken from the XML.")
        }
    }

    private mutating func readSupplement(_ path: String) throws(ContentFileError) {
        let file = "\(path)/\(OfflineFolder.supplementFile)"
        guard Self.isThere(file) else { return }
        let bytes = try Self.bytes(at: file, limitBytes: SupplementFile.limitBytes)
        readingNotes += try SupplementFile.supplement(in: bytes, path: file).apply(to: &piece)
    }

    private mutating func readImages(_ path: String) throws(ContentFileError) {
        let file = "\(path)/\(OfflineFolder.imageListFile)"
        var names = piece.images
        if Self.isThere(file) {
            let list = String(decoding: try Self.bytes(at: file, limitBytes: 1 << 20), as: UTF8.self)
            for entry in list.split(separator: ";") {
                let text = CleanText.line(String(entry))
                guard !text.isEmpty else { continue }
                do throws(AssetNameFault) {
                    let name = try AssetName(text)
                    if !names.contains(name) { names.append(name) }
                } catch {
                    throw .imageName(path: file, fault: error)
                }
                guard names.count <= Self.imageLimit else {
                    throw .tooManyFiles(path: file, limit: Self.imageLimit)
                }
            }
        }
        for name in names {
            guard Self.isThere("\(path)/\(name)") else {
                readingNotes.append("The image “\(name)” is missing in \(path).")
                continue
            }
            let bytes = try Self.bytes(at: "\(path)/\(name)", limitBytes: Self.imageLimitBytes)
            images.append(OfflineFile(name: name.text, bytes: bytes))
        }
    }

    private static func isThere(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)) != nil
    }

    /// - Throws: ``ContentFileError``, also if the path is a symbolic link, because a folder from an untrusted source
    ///   must not refer to files outside it.
    private static func bytes(at path: String, limitBytes: Int) throws(ContentFileError) -> [UInt8] {
        if let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType != .typeRegular
        {
            throw .notAFile(path: path)
        }
        do throws(MeasureTimesError) {
            return try SizeLimitedFile.bytes(at: path, limitBytes: limitBytes)
        } catch {
            throw ContentFileError(error)
        }
    }
}
