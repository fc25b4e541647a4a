import Concert
import Foundation
import Platform
import WebServer

/// The folders of the pieces that are being prepared: `DATA/drafts/ID/` with `draft.json`, `sounds`, `scores`,
/// `uploads` and `work`.
package struct DraftStore: Sendable {
    /// The beginning of the name of a folder that is being deleted.
    private static let deletedPrefix = "deleted-"

    /// The absolute path of the folder of all pieces.
    package let folder: String

    package init(data: String) {
        folder = URL(fileURLWithPath: data).standardizedFileURL.path + "/drafts"
    }

    /// Makes the folder, and removes what interrupted deletions, uploads and jobs have left.
    func prepareFolder() throws(Refusal) {
        try DraftFiles.makeFolder(arrivingFolder)
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(Self.deletedPrefix) {
            try? files.removeItem(atPath: folder + "/" + name)
        }
        for name in (try? files.contentsOfDirectory(atPath: arrivingFolder)) ?? [] {
            try? files.removeItem(atPath: arrivingFolder + "/" + name)
        }
        for id in pieceIDs() {
            try? files.removeItem(atPath: workFolder(of: id))
            removeIfEmpty(id)
        }
    }

    /// Removes the folder of a piece whose first file was never completed.
    func removeIfEmpty(_ id: String) {
        let unfinished = DurableFile.unfinishedPath(recordPath(id))
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: pieceFolder(id)),
            names.allSatisfy({ pieceFolder(id) + "/" + $0 == unfinished })
        else { return }
        unlink(unfinished)
        rmdir(pieceFolder(id))
    }

    /// The folder in which the chunks of uploads arrive.
    var arrivingFolder: String { folder + "/arriving" }

    func pieceFolder(_ id: String) -> String { folder + "/" + id }
    /// The folder of a recording: the sound, the listening copy and the pictures of the sound.
    func soundFolder(of piece: String, _ recording: String) -> String {
        pieceFolder(piece) + "/sounds/" + recording
    }
    func scoreFolder(of piece: String) -> String { pieceFolder(piece) + "/scores" }
    func uploadsFolder(of piece: String) -> String { pieceFolder(piece) + "/uploads" }
    /// The folder of the jobs; it holds nothing that must last.
    func workFolder(of piece: String) -> String { pieceFolder(piece) + "/work" }

    /// Makes a folder inside a piece's folder, which must exist.
    /// - Parameter path: the absolute path.
    func makeFolder(_ path: String, of piece: String) throws(Refusal) {
        try DraftFiles.makeFolder(
            String(path.dropFirst(pieceFolder(piece).count)), inside: pieceFolder(piece))
    }

    func soundPath(of piece: String, _ recording: DraftRecording) -> String {
        soundFolder(of: piece, recording.id) + "/" + recording.file
    }

    /// The ids of all pieces, also of damaged ones.
    func pieceIDs() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter(Self.isPieceID).sorted()
    }

    /// True for the ids of pieces; other names in the folder, such as `arriving`, are none.
    private static func isPieceID(_ id: String) -> Bool { id.hasPrefix("p") && DraftLimits.isValidID(id) }

    /// Reads a piece.
    func load(_ id: String) throws(Refusal) -> DraftRecord {
        guard Self.isPieceID(id), FileManager.default.fileExists(atPath: pieceFolder(id)) else {
            throw .noSuchPiece
        }
        guard let bytes = FileManager.default.contents(atPath: recordPath(id)) else {
            throw .damaged(name: id, reason: "draft.json cannot be read")
        }
        guard let record = try? JSONDecoder().decode(DraftRecord.self, from: bytes), record.id == id else {
            throw .damaged(name: id, reason: "draft.json is incomplete or was changed by hand")
        }
        guard record.version <= DraftRecord.currentVersion else {
            throw .damaged(name: id, reason: "draft.json was written by a later version of the program")
        }
        return record
    }

    /// Writes a piece. When this returns, it is on the disk.
    func save(_ record: DraftRecord) throws(Refusal) {
        let coder = JSONEncoder()
        coder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? coder.encode(record) else { throw .notWritten(reason: "it cannot be encoded") }
        try DraftFiles.makeFolder(pieceFolder(record.id))
        try DraftFiles.write(Array(bytes), to: recordPath(record.id))
    }

    /// Deletes a piece with everything in its folder.
    func delete(_ id: String) throws(Refusal) {
        guard Self.isPieceID(id) else { throw .noSuchPiece }
        // After the renaming the piece is gone, even if the program ends before its files are.
        let gone = folder + "/" + Self.deletedPrefix + id
        guard rename(pieceFolder(id), gone) == 0 else {
            if errno == ENOENT { throw .noSuchPiece }
            throw .notWritten(reason: String(cString: strerror(errno)))
        }
        DraftFiles.flush(folder: folder)
        try? FileManager.default.removeItem(atPath: gone)
    }

    private func recordPath(_ id: String) -> String { pieceFolder(id) + "/draft.json" }

    /// Makes an id for something new.
    /// - Parameter prefix: a letter.
    static func makeID(_ prefix: String) -> String {
        let number = UInt64.random(in: 0...UInt64.max)
        return prefix + String(number, radix: 36)
    }

    /// A file name with the letters of a name that people chose: without folders, control characters and a leading
    /// full stop, at most 100 bytes. It keeps the ending.
    static func safeFileName(_ name: String) -> String {
        let last = name.split(whereSeparator: { "/\\".contains($0) }).last.map(String.init) ?? ""
        let allowed = last.unicodeScalars.filter {
            $0.isASCII
                ? ($0.value >= 32 && $0.value != 127 && !"\"'`$<>|:*?".unicodeScalars.contains($0))
                : $0.properties.isAlphabetic
        }
        let text = String(String.UnicodeScalarView(allowed)).trimmingCharacters(in: .whitespaces)
        let ending = String((text as NSString).pathExtension.prefix(10))
        var stem = (text as NSString).deletingPathExtension
        while stem.hasPrefix(".") || stem.hasPrefix("-") { stem.removeFirst() }
        while stem.utf8.count > 80 { stem.removeLast() }
        if stem.isEmpty { stem = "file" }
        return ending.isEmpty ? stem : stem + "." + ending
    }
}
