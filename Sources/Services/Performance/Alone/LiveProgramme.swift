import Following
import Foundation
import Score

/// What was asked to be followed: a piece, several, or a concert file.
struct LiveProgramme {
    /// Nil where nobody gave one; the names of the pieces say what is played.
    var title: String?
    /// Folder names below the models' and the recordings' folder.
    var folders: [String]

    private struct ConcertFile: Decodable {
        var title: String?
        var pieces: [String]
    }

    /// Far more than an evening holds.
    static let mostPieces = 100

    /// - Parameter text: folder names separated by commas, or the path of a concert file:
    ///   `{"title": …, "pieces": [folder names]}`.
    init(_ text: String) throws(LiveFailure) {
        if text.hasSuffix(".json") {
            let file = try Self.read(text)
            folders = file.pieces
            title = file.title ?? URL(fileURLWithPath: text).deletingPathExtension().lastPathComponent
        } else {
            folders = text.split(separator: ",", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        guard !folders.isEmpty, folders.count <= Self.mostPieces else {
            throw LiveFailure(
                sentence: "“\(text)” names \(folders.count) pieces; a concert has 1 to \(Self.mostPieces).")
        }
        for folder in folders where !Self.isFolderName(folder) {
            throw LiveFailure(
                sentence: "“\(folder)” is no piece; give the name of its folder: letters, digits and dashes.")
        }
    }

    private static func read(_ path: String) throws(LiveFailure) -> ConcertFile {
        let handle = FileHandle(forReadingAtPath: path)
        guard let handle else {
            throw LiveFailure(
                sentence: FileManager.default.fileExists(atPath: path)
                    ? "The concert file “\(path)” may not be read; check its permissions."
                    : "There is no concert file “\(path)”. Check the spelling and the folder.")
        }
        // A concert file is short; something else would only cost memory. Nothing comes of an empty file.
        let bytes: Data
        do { bytes = try handle.read(upToCount: 1 << 20) ?? Data() } catch {
            throw LiveFailure(
                sentence: "“\(path)” is no concert file, perhaps a folder; name one that ends in .json.")
        }
        guard let file = try? JSONDecoder().decode(ConcertFile.self, from: bytes) else {
            throw LiveFailure(
                sentence: "“\(path)” is no concert; write {\"title\": …, \"pieces\": [folder names]}.")
        }
        return file
    }

    private static func isFolderName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 200 && name.first != "."
            && name.unicodeScalars.allSatisfy {
                ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
                    || "-_.".unicodeScalars.contains($0)
            }
    }
}
