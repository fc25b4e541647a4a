import Catalogue
import Diary
import WebServer

/// Decides what a visitor may see of the diary. Every answer asks here, so that no address shows more than another.
struct DiaryViewer: Sendable {
    let person: WebPerson?

    init(_ request: WebRequest) { person = request.person }

    init(person: WebPerson?) { self.person = person }

    /// True for those who run the house: they see and change its entries before these are published.
    var isStaff: Bool { person.map { WebRole.staff.contains($0.role) } ?? false }

    /// True if the entry may be seen: published ones by everybody, the house's own by its staff, a person's own by that
    /// person alone.
    func maySee(_ programme: ConcertProgramme) -> Bool {
        maySee(programme.visibility, of: programme.owner)
    }

    func maySee(_ programme: ProgrammeOutline) -> Bool {
        maySee(programme.visibility, of: programme.owner)
    }

    private func maySee(_ visibility: ConcertProgramme.Visibility, of owner: String?) -> Bool {
        if visibility == .published { return true }
        guard let person else { return false }
        if let owner { return owner == person.id }
        return isStaff
    }

    func mayEdit(_ programme: ConcertProgramme) -> Bool {
        guard let person else { return false }
        return programme.owner.map { $0 == person.id } ?? isStaff
    }

    /// Limits a question to what this visitor may see.
    func limited(_ query: DiaryQuery) -> DiaryQuery {
        var query = query
        query.visibilities = isStaff ? [.published, .proposed, .private] : [.published]
        query.owner = person?.id
        return query
    }
}
