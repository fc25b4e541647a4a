import Catalogue
import Rehearsal

/// The scores there are, and who was given them, as the rooms need to know.
///
/// A look-up that fails throws: it is no “no”, and whoever asked changes nothing and asks again.
protocol ScoreShelf: Sendable {
    /// Nil where there is no such score.
    func score(_ id: Rehearsal.Score.ID) async -> Rehearsal.Score?
    /// By bundle; what a librarian may see beside that is the caller's business.
    func holds(
        _ user: Rehearsal.User.ID, _ score: Rehearsal.Score.ID
    ) async throws(CatalogueError) -> Bool
    /// - Parameter user: nil for all scores.
    func scores(of user: Rehearsal.User.ID?) async throws(CatalogueError) -> [Rehearsal.Score]
    /// Changes when the score's pages do, for addresses that are kept; nil where that is not known.
    func revision(of score: Rehearsal.Score.ID) async -> String?
}

extension ScoreShelf {
    func revision(of score: Rehearsal.Score.ID) async -> String? { nil }
}
