import Diary

/// The conductors and soloists of a work in an entry, as people edit them.
struct EntryPerformers: Codable, Equatable, Sendable {
    /// The work's name shows that both sides mean the same work.
    var composer: String
    var title: String
    var conductors: [String]
    var soloists: [ProgrammeItem.Soloist]

    static let fieldPrefix = "performers/"
    static let mostNames = 60

    /// The performers of a work; nil if the field names none.
    /// - Parameter field: `performers/` and the work's number in the programme, from 0.
    init?(_ field: String, in programme: ConcertProgramme) {
        guard let group = Self.group(field, in: programme) else { return nil }
        let items = group.items.map { programme.items[$0] }
        (composer, title) = (group.composer, group.title)
        conductors = items.flatMap(\.conductors).withoutRepeats
        soloists = items.flatMap(\.soloists).withoutRepeats
    }

    /// Writes the performers to every movement of the work, and notes that they were typed.
    func write(_ field: String, to programme: inout ConcertProgramme) throws(DiaryInputFault) {
        guard let now = EntryPerformers(field, in: programme), now.composer == composer, now.title == title,
            let group = Self.group(field, in: programme)
        else {
            throw DiaryInputFault(field, "The programme has no such work any more; load the page again.")
        }
        guard conductors.count + soloists.count <= Self.mostNames else {
            throw DiaryInputFault(field, "A work has at most \(Self.mostNames) conductors and soloists.")
        }
        let names = try conductors.map { text throws(DiaryInputFault) in try Self.name(text, field) }
        let players = try soloists.map { soloist throws(DiaryInputFault) in
            ProgrammeItem.Soloist(
                name: try Self.name(soloist.name, field),
                instrument: try SourceField.optional(soloist.instrument, field),
                role: try SourceField.optional(soloist.role, field))
        }
        for index in group.items {
            if now.conductors != conductors {
                programme.items[index].conductors = names
                programme.provenance.set(.typed, for: "items/\(index)/conductors")
            }
            if now.soloists != soloists {
                programme.items[index].soloists = players
                programme.provenance.set(.typed, for: "items/\(index)/soloists")
            }
        }
    }

    private static func name(_ text: String, _ field: String) throws(DiaryInputFault) -> String {
        let name = try EntryEdit.checkedText(text, field, limit: EntryEdit.longestTextBytes)
        guard !name.isEmpty else {
            throw DiaryInputFault(field, "A name is empty; write it, or take it away.")
        }
        return name
    }

    private static func group(_ field: String, in programme: ConcertProgramme) -> WorkGroup? {
        guard field.hasPrefix(fieldPrefix), let number = Int(field.dropFirst(fieldPrefix.count)) else {
            return nil
        }
        let groups = programme.workGroups
        return groups.indices.contains(number) ? groups[number] : nil
    }
}
