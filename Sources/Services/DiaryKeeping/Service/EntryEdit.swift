import Diary
import Foundation

/// A person's edit of an entry: for each field the value that the person saw, and the new one.
///
/// Two people may edit an entry at once. Edits of different fields both hold; if both changed the same field, the later
/// one is told.
struct EntryEdit: Decodable, Sendable {
    struct Change: Decodable, Sendable {
        var from: EntryFieldValue
        var to: EntryFieldValue
    }

    struct Conflict: Encodable, Equatable {
        var field: String
        var theirs: EntryFieldValue
        var yours: EntryFieldValue
    }

    static let longestTextBytes = 300
    static let longestCommentBytes = 8_000
    static let mostWorks = 60

    var changes: [String: Change]

    /// Applies the edit.
    /// - Returns: the conflicts; if there is any, nothing is to be written.
    /// - Throws: ``DiaryInputFault`` naming the field whose value is impossible.
    func apply(
        to programme: inout ConcertProgramme, concert index: Int, ensembleName: inout String
    ) throws(DiaryInputFault) -> [Conflict] {
        var conflicts: [Conflict] = []
        for (field, change) in changes.sorted(by: { $0.key < $1.key }) {
            let now = try Self.value(of: field, in: programme, index, ensembleName)
            if now == change.to { continue }
            guard now == change.from else {
                conflicts.append(Conflict(field: field, theirs: now, yours: change.to))
                continue
            }
            try Self.set(field, to: change.to, in: &programme, index, &ensembleName)
        }
        return conflicts
    }

    private static func value(
        of field: String, in programme: ConcertProgramme, _ index: Int, _ ensembleName: String
    ) throws(DiaryInputFault) -> EntryFieldValue {
        let concert = programme.concerts[index]
        if let performers = EntryPerformers(field, in: programme) { return .performers(performers) }
        return switch field {
        case "title": .text(programme.title ?? ensembleName)
        case "date": .text(concert.date.description)
        case "start": .text(concert.time.map { "\(concert.date)T\($0)" } ?? "")
        case "ensemble": .text(ensembleName)
        case "venue": .text(concert.venue ?? "")
        case "city": .text(concert.city ?? concert.location ?? "")
        case "stage": .text(concert.stage ?? "")
        case "country": .text(concert.countryCode ?? "")
        case "end": .text(concert.endTime.map { "\(concert.endDate ?? concert.date)T\($0)" } ?? "")
        case "comment": .text(programme.note)
        case "isSupportAct": .flag(concert.isSupportAct)
        case "works": .works(programme.workGroups.map { .init(composer: $0.composer, title: $0.title) })
        default:
            throw DiaryInputFault(
                String(field.prefix(40)), "“\(field.prefix(40))” is no field of an entry that can be changed."
            )
        }
    }

    private static func set(
        _ field: String, to value: EntryFieldValue, in programme: inout ConcertProgramme, _ index: Int,
        _ ensembleName: inout String
    ) throws(DiaryInputFault) {
        switch (field, value) {
        case ("works", .works(let works)):
            try setWorks(works, in: &programme)
            return
        case ("isSupportAct", .flag(let flag)):
            programme.concerts[index].isSupportAct = flag
            programme.provenance.set(.typed, for: "concerts/\(index)/supportAct")
            return
        case (_, .performers(let performers)) where field.hasPrefix(EntryPerformers.fieldPrefix):
            try performers.write(field, to: &programme)
        case (_, .text(let text)) where !field.hasPrefix(EntryPerformers.fieldPrefix):
            let limit = field == "comment" ? longestCommentBytes : longestTextBytes
            let text = try checkedText(text, field, limit: limit)
            try setText(field, text, in: &programme, index, &ensembleName)
        default:
            throw DiaryInputFault(field, "The field “\(field)” has a value of the wrong kind.")
        }
    }

    private static func setText(
        _ field: String, _ text: String, in programme: inout ConcertProgramme, _ index: Int,
        _ ensembleName: inout String
    ) throws(DiaryInputFault) {
        let optional = text.isEmpty ? nil : text
        var path = "concerts/\(index)/\(field)"
        switch field {
        case "title": (programme.title, path) = (optional, "title")
        case "comment": (programme.note, path) = (text, "note")
        case "venue": programme.concerts[index].venue = optional
        case "city": programme.concerts[index].city = optional
        case "stage": programme.concerts[index].stage = optional
        case "country":
            let code = try SourceField.country(text, field)
            programme.concerts[index].countryCode = code.isEmpty ? nil : code
            path = "concerts/\(index)/countryCode"
        case "end":
            try setEnd(text, of: &programme.concerts[index])
            path = "concerts/\(index)/endTime"
        case "ensemble":
            guard optional != nil else {
                throw DiaryInputFault(field, "The ensemble is missing; write who played.")
            }
            (ensembleName, path) = (text, "ensemble")
        case "date":
            guard let date = CalendarDate(text) else {
                throw DiaryInputFault(field, "“\(text.prefix(40))” is no date; write it as 2026-11-23.")
            }
            programme.concerts[index].date = date
            if let end = programme.concerts[index].endDate, end < date {
                programme.concerts[index].endDate = nil
            }
        case "start":
            guard let moment = ISOMoment(text) else {
                guard text.isEmpty else {
                    throw DiaryInputFault(
                        field, "“\(text.prefix(40))” is no time; write it as 2026-11-23T20:00.")
                }
                programme.concerts[index].time = nil
                break
            }
            (programme.concerts[index].time, path) = (moment.time, "concerts/\(index)/time")
        default: break
        }
        programme.provenance.set(.typed, for: path)
    }

    private static func setEnd(_ text: String, of concert: inout DiaryConcert) throws(DiaryInputFault) {
        guard !text.isEmpty else {
            (concert.endDate, concert.endTime) = (nil, nil)
            return
        }
        guard let moment = ISOMoment(text), let time = moment.time else {
            throw DiaryInputFault("end", "“\(text.prefix(40))” is no time; write it as 2026-11-23T22:00.")
        }
        guard moment.date >= concert.date else {
            throw DiaryInputFault("end", "The concert ends before it begins; correct a time.")
        }
        (concert.endDate, concert.endTime) = (moment.date == concert.date ? nil : moment.date, time)
    }

    static func checkedText(_ text: String, _ field: String, limit: Int) throws(DiaryInputFault) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count <= limit else {
            throw DiaryInputFault(field, "“\(field)” has \(text.utf8.count) bytes; \(limit) are possible.")
        }
        let isMultiline = field == "comment"
        guard
            !text.unicodeScalars.contains(where: { scalar in
                scalar.properties.generalCategory == .control
                    && !(isMultiline && "\n\r\t".unicodeScalars.contains(scalar))
            })
        else { throw DiaryInputFault(field, "“\(field)” contains a control character; remove it.") }
        return text
    }
}
