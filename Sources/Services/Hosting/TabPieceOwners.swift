import Foundation

/// Tells which prepared pieces are tabs of single people, and whose.
///
/// Such a piece is private: only its owner practises it, no list of the show's pieces has it, and the backup server
/// does not copy it. The file `RECORDINGS/PIECE/piece.json` names the owner.
package struct TabPieceOwners: Sendable {
    private struct PieceFile: Decodable {
        var tabOwner: String?
        var tab: String?
    }

    private let recordings: String

    /// - Parameter recordings: the path of the folder of recordings.
    package init(recordings: String) { self.recordings = recordings }

    /// The account whose tab a prepared piece is; nil for pieces of the house.
    /// - Parameter piece: the name of the piece's folder.
    package func owner(of piece: String) -> String? { pieceFile(of: piece)?.tabOwner }

    /// The id of the tab of which a prepared piece is one version; nil for pieces of the house.
    package func tab(of piece: String) -> String? { pieceFile(of: piece)?.tab }

    private func pieceFile(of piece: String) -> PieceFile? {
        FileManager.default.contents(atPath: "\(recordings)/\(piece)/piece.json")
            .flatMap { try? JSONDecoder().decode(PieceFile.self, from: $0) }
    }

    package func isTab(_ piece: String) -> Bool { owner(of: piece) != nil }
}
