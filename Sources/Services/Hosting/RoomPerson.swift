import Catalogue
import Rehearsal
import WebServer

/// Who asks something of the rooms: an account, and whether it is a librarian's.
package struct RoomPerson: Hashable, Sendable {
    /// Of the one person there is without a sign-in.
    package static let localID = Rehearsal.User.ID("00000000-0000-4000-8000-000000000001")!

    package var id: Rehearsal.User.ID
    package var name: String
    package var role: String
    /// Holds every bundle.
    package var isLibrarian: Bool

    /// - Returns: nil for an account whose id is no UUID; none is made like that.
    package init?(_ person: WebPerson) {
        if person.id == "local" {
            id = Self.localID
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

    /// - Throws: where it cannot be looked up.
    package func holds(
        _ score: Rehearsal.Score.ID, on shelf: any ScoreShelf
    ) async throws(CatalogueError) -> Bool {
        if isLibrarian { return true }
        return try await shelf.holds(id, score)
    }
}
