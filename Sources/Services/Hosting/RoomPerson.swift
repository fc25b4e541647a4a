import Catalogue
import Rehearsal
import WebServer

/// Who asks something of the rooms: an account, and whether it is a librarian's.
struct RoomPerson: Hashable, Sendable {
    /// Of the one person there is without a sign-in.
    static let localID = Rehearsal.User.ID("00000000-0000-4000-8000-000000000001")!

    var id: Rehearsal.User.ID
    var name: String
    var role: String
    /// Holds every bundle.
    var isLibrarian: Bool

    /// - Returns: nil for an account whose id is no UUID; none is made like that.
    init?(_ person: WebPerson) {
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

    init(id: Rehearsal.User.ID, name: String, isLibrarian: Bool = false) {
        self.id = id
        self.name = name
        role = isLibrarian ? WebRole.editor.rawValue : WebRole.technician.rawValue
        self.isLibrarian = isLibrarian
    }

    /// - Throws: where it cannot be looked up.
    func holds(
        _ score: Rehearsal.Score.ID, on shelf: any ScoreShelf
    ) async throws(CatalogueError) -> Bool {
        if isLibrarian { return true }
        return try await shelf.holds(id, score)
    }
}
