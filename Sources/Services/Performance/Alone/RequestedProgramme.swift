import Basics
import Following
import Foundation
import Hosting
import Score

/// The pieces to follow, as given on the command line: one piece, several, or a concert file.
package struct RequestedProgramme {
    /// The title in the concert file; nil if there is none, and the pieces' names are used.
    package var title: String?
    /// The names of the pieces' folders in the models' and the recordings' folder.
    package var pieceFolderNames: [String]

    private struct ConcertFile: Decodable {
        var title: String?
        var pieces: [String]
    }

    /// The largest number of pieces. No concert has nearly as many.
    static let mostPieces = 100

    /// The pieces of a programme that was read before.
    package init(title: String?, pieceFolderNames: [String]) {
        (self.title, self.pieceFolderNames) = (title, pieceFolderNames)
    }

    /// Reads the pieces from a command-line argument.
    /// - Parameter text: folder names separated by commas, or the path of a concert file with the content
    ///   `{"title": …, "pieces": [folder names]}`.
    package init(_ text: String) throws {
        if text.hasSuffix(".json") {
            let file = try Self.readConcertFile(text)
            pieceFolderNames = file.pieces
            title = file.title ?? URL(fileURLWithPath: text).deletingPathExtension().lastPathComponent
        } else {
            pieceFolderNames = text.split(separator: ",", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        guard !pieceFolderNames.isEmpty, pieceFolderNames.count <= Self.mostPieces else {
            throw ExplainedError(
                "“\(text)” names \(pieceFolderNames.count) pieces; a concert has 1 to \(Self.mostPieces)."
            )
        }
        for folder in pieceFolderNames where !Self.isFolderName(folder) {
            throw ExplainedError(
                "“\(folder)” is not the name of a piece's folder, which has only letters, digits and dashes."
            )
        }
    }

    private static func readConcertFile(_ path: String) throws -> ConcertFile {
        let handle = FileHandle(forReadingAtPath: path)
        guard let handle else {
            throw ExplainedError(
                FileManager.default.fileExists(atPath: path)
                    ? "The concert file “\(path)” cannot be read; check its permissions."
                    : "There is no concert file “\(path)”. Check the spelling and the folder.")
        }
        // A concert file is short, so reading stops after 1 MiB; nil from the handle means an empty file.
        let bytes: Data
        do { bytes = try handle.read(upToCount: 1 << 20) ?? Data() } catch {
            throw ExplainedError(
                "“\(path)” is not a concert file, but perhaps a folder; name a file that ends in .json.")
        }
        guard let file = try? JSONDecoder().decode(ConcertFile.self, from: bytes) else {
            throw ExplainedError(
                "“\(path)” is not a valid concert file; write {\"title\": …, \"pieces\": [folder names]}."
            )
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
