import Concert
import Foundation
import Score
import ScoreFiles

/// The pieces' folders in a concert's folder, in the order of the concert.
///
/// Where there is a list of the pieces, it decides: a folder may be left from an earlier export, of a piece that was
/// removed since. Without a list, all folders are pieces, by name.
struct ListedPieceFolders {
    private(set) var folders: [String] = []
    /// A sentence for each folder that is not listed, and for each listed piece without a folder.
    private(set) var notes: [String] = []

    /// - Parameters:
    ///   - found: the names of the folders that hold a piece, sorted.
    ///   - list: the content of the list of pieces; nil if there is none.
    ///   - path: the path of the concert's folder.
    init(found: [String], list: Data?, in path: String) {
        guard let list else {
            folders = found
            return
        }
        let names = String(decoding: list, as: UTF8.self).split(separator: ";").compactMap {
            try? PieceName(CleanText.cleanedLine(String($0)))
        }
        var others = found
        for (name, expected) in zip(names, PieceFolderNames.distinctNames(of: names)) {
            // A folder that a person has made may have another name.
            let index =
                others.firstIndex(of: expected)
                ?? others.firstIndex { Self.holdsPiece(name, at: "\(path)/\($0)") }
            if let index {
                folders.append(others.remove(at: index))
            } else {
                notes.append(
                    "“\(name)” is in \(ContentFiles.pieceListFileName), but no folder in \(path) holds it; "
                        + "it was left out.")
            }
        }
        for folder in others {
            notes.append(
                "The folder \(path)/\(folder) was left out, because \(ContentFiles.pieceListFileName) does not name "
                    + "its piece; add the name there if it belongs to the concert.")
        }
    }

    private static func holdsPiece(_ name: PieceName, at path: String) -> Bool {
        (try? PieceContentFolder.read(at: path))?.piece.name == name
    }
}
