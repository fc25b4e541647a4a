import Catalogue
import Rehearsal

/// Looks up the scores in the library and the users to whom they are granted, for the rehearsal rooms.
///
/// A failed lookup throws. An error does not mean “no”: the caller changes nothing and tries again later.
package protocol ScoreLookup: Sendable {
    /// Finds a score by its id; nil if there is none.
    func findScore(_ id: Rehearsal.Score.ID) async -> Rehearsal.Score?
    /// Returns true if the score was granted to the user. A librarian may open every score; the caller checks for
    /// this.
    func isScoreGranted(
        _ user: Rehearsal.User.ID, _ score: Rehearsal.Score.ID
    ) async throws(CatalogueError) -> Bool
    /// Lists the scores granted to a user.
    /// - Parameter user: nil lists all scores.
    func listGrantedScores(of user: Rehearsal.User.ID?) async throws(CatalogueError) -> [Rehearsal.Score]
    /// The ids of the scores granted to a user.
    func listGrantedScoreIDs(
        of user: Rehearsal.User.ID
    ) async throws(CatalogueError) -> Set<Rehearsal.Score.ID>
    /// A tag that changes whenever the score's pages change, used in cacheable addresses; nil if there is none.
    func pagesRevisionTag(of score: Rehearsal.Score.ID) async -> String?
}

extension ScoreLookup {
    package func pagesRevisionTag(of score: Rehearsal.Score.ID) async -> String? { nil }

    package func listGrantedScoreIDs(
        of user: Rehearsal.User.ID
    ) async throws(CatalogueError) -> Set<Rehearsal.Score.ID> {
        Set(try await listGrantedScores(of: user).map(\.id))
    }
}
