import Basics
import Podium
import Titles

/// Keeps the lists of titles of all prepared pieces, so that they can be written before a piece is in the programme.
package protocol PreparedTitleKeeping: Sendable {
    /// The prepared pieces, by name.
    func listPieces() async -> [PreparedTitles]
    /// A prepared piece with its sections, cues and titles; nil if there is no such piece. If its list cannot be used, it
    /// has no titles, and a copy of the list is kept.
    func piece(_ folder: String) async -> ShowPiece?
    /// Changes a piece's list. It is on the disk before this returns, and no other change comes in between.
    /// - Parameter change: makes the new list from the piece with its present one.
    /// - Returns: the piece with the new list; nil if there is no such piece.
    /// - Throws: what `change` throws; ``ExplainedError`` if the list cannot be written.
    func changeTitles(
        of folder: String, _ change: @Sendable (ShowPiece) throws -> TitleList
    ) async throws -> ShowPiece?
    /// The lists as the backup server copies them.
    var replicatedFolder: ReplicatedFolder { get }
}

/// A prepared piece with a fact or two about its list of titles.
package struct PreparedTitles: Sendable, Equatable {
    /// The folder of its model, by which the piece is known.
    package var folder: String
    package var name: String
    package var count: Int
    /// The ``TitleList/fingerprint`` of the list.
    package var revision: String
    /// Why the list cannot be used, as a sentence; nil if it can, or if there is none.
    package var fault: String?

    package init(folder: String, name: String, count: Int, revision: String, fault: String? = nil) {
        (self.folder, self.name, self.count, self.revision) = (folder, name, count, revision)
        self.fault = fault
    }
}
