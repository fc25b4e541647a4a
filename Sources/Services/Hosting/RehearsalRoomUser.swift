import Catalogue
import Rehearsal
import WebServer

/// The person who sends a request to the rehearsal rooms: an account, and whether it belongs to a librarian.
package struct RehearsalRoomUser: Hashable, Sendable {
    /// The user id of the only person on a server that runs without sign-in.
    package static let idWithoutSignIn = Rehearsal.User.ID("00000000-0000-4000-8000-000000000001")!

    package var id: Rehearsal.User.ID
    package var name: String
    package var role: String
    /// True if the person may open every score.
    package var isLibrarian: Bool

    /// Makes the person from a signed-in account.
    /// - Returns: nil if the account's id is not a UUID, which no account of this program has.
    package init?(_ person: WebPerson) {
        if person.id == "local" {
            id = Self.idWithoutSignIn
            isLibrarian = true
        } else {
            guard let id = Rehearsal.User.ID(person.id) else { return nil }
            self.id = id
            isLibrarian = person.role == .editor || person.role == .administrator
        }
        name = person.name
        role = person.role.rawValue
    }

    package init(id: Rehearsal.User.ID, name: String, isLibrarian: Bool = false) {
        self.id = id
        self.name = name
        role = isLibrarian ? WebRole.editor.rawValue : WebRole.technician.rawValue
        self.isLibrarian = isLibrarian
    }

    /// Returns true if the person may open the score: a librarian always, any other user if the score was granted to
    /// this user.
    /// - Throws: if the database cannot be read.
    package func mayOpenScore(
        _ score: Rehearsal.Score.ID, in shelf: any ScoreLookup
    ) async throws(CatalogueError) -> Bool {
        if isLibrarian { return true }
        return try await shelf.isScoreGranted(id, score)
    }
}
