import Diary
import Editing
import Foundation

/// A person's edit of an entry: for each field the value that the person saw, and the new one.
///
/// Two people may edit an entry at once. Edits of different fields both hold; if both changed the same field, the later
/// one is refused with the other's value.
struct EntryEdit: Decodable, Sendable {
    struct Conflict: Encodable, Equatable {
        var field: String
        var theirs: EntryFieldValue
        var yours: EntryFieldValue
    }

    static let longestTextBytes = 300
    static let longestCommentBytes = 40_000
    static let mostWorks = 60

    private static func longestBytes(of field: String) -> Int {
        switch field {
        case "comment": longestCommentBytes
        case "recordings": RecordingLink.mostOfConcert * (RecordingLink.longestBytes + 2)
        default: longestTextBytes
        }
    }

    var changes: [String: ValueChange<EntryFieldValue>]
    /// True if works that were heard may be removed, with all that is known of their performance.
    var removesHeard: Bool?

    /// Applies the edit.
    /// - Returns: the conflicts; if there is any, nothing is to be written.
    /// - Throws: ``DiaryInputFault`` naming the field whose value is impossible.
    func apply(
        to programme: inout ConcertProgramme, concert index: Int, ensembleName: inout String
    ) throws(DiaryInputFault) -> [Conflict] {
        // All fields are compared before the first one is written: a new date changes the text of the times.
        let sorted = changes.sorted { $0.key < $1.key }
        let present = try sorted.map { field, _ throws(DiaryInputFault) in
            try Self.value(of: field, in: programme, index, ensembleName)
        }
        var conflicts: [Conflict] = []
        for ((field, change), now) in zip(sorted, present) {
            switch change.verdict(on: now, isSame: { Self.isSame($0, $1, field) }) {
            case .isDone: continue
            case .conflicts: conflicts.append(Conflict(field: field, theirs: now, yours: change.to))
            case .isMade:
                if case .works(let works) = change.to, removesHeard != true {
                    try Self.checkHeardWorksStay(works, in: programme)
                }
                try Self.set(field, to: change.to, in: &programme, index, &ensembleName)
            }
        }
        if changes["end"] != nil || changes["start"] != nil || changes["date"] != nil {
            try Self.placeEnd(of: &programme.concerts[index], isGiven: changes["end"] != nil)
        }
        return conflicts
    }

    /// Compares two values of a field. Of the beginning and the end only the time counts: the day is a field of its
    /// own.
    private static func isSame(_ one: EntryFieldValue, _ other: EntryFieldValue, _ field: String) -> Bool {
        guard field == "start" || field == "end", case .text(let one) = one, case .text(let other) = other
        else {
            return one == other
        }
        return one.drop { $0 != "T" } == other.drop { $0 != "T" }
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
        case "recordings": .text(concert.recordings.map(\.address).joined(separator: "\n"))
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
            let limit = Self.longestBytes(of: field)
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
        case "title":
            guard optional != nil else {
                throw DiaryInputFault(
                    field, "The title is missing; write what the evening is called, or the ensemble's name.")
            }
            (programme.title, path) = (text, "title")
        case "comment": (programme.note, path) = (text, "note")
        case "recordings": programme.concerts[index].recordings = try recordings(text)
        case "venue": programme.concerts[index].venue = optional
        case "city": programme.concerts[index].city = optional
        case "stage": programme.concerts[index].stage = optional
        case "country":
            let present = programme.concerts[index].countryCode
            let code = try SourceField.country(text, field, present: present)
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
        (concert.endDate, concert.endTime) = (moment.date == concert.date ? nil : moment.date, time)
    }

    /// Gives the end its day once the beginning is written: a concert that ends at an earlier time of the day than it
    /// begins ends on the next day.
    /// - Parameter isGiven: true if the edit names the day of the end.
    private static func placeEnd(of concert: inout DiaryConcert, isGiven: Bool) throws(DiaryInputFault) {
        guard let time = concert.endTime else { return }
        let (day, start) = (concert.endDate ?? concert.date, concert.time ?? time)
        if isGiven, (day, time) < (concert.date, start) {
            throw DiaryInputFault("end", "The concert ends before it begins; correct a time.")
        }
        guard !isGiven else { return }
        concert.endDate = concert.time.map { time < $0 } ?? false ? concert.date.next : nil
    }

    private static func recordings(_ text: String) throws(DiaryInputFault) -> [RecordingLink] {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        guard lines.count <= RecordingLink.mostOfConcert else {
            throw DiaryInputFault(
                "recordings",
                "A concert has at most \(RecordingLink.mostOfConcert) links of recordings; leave some out.")
        }
        return try lines.map { line throws(DiaryInputFault) in
            guard let link = RecordingLink(line) else {
                throw DiaryInputFault(
                    "recordings",
                    "“\(line.prefix(60))” is not the address of a recording; write each on its own line, as https://…."
                )
            }
            return link
        }
    }

    static func checkedText(_ text: String, _ field: String, limit: Int) throws(DiaryInputFault) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count <= limit else {
            throw DiaryInputFault(field, "“\(field)” has \(text.utf8.count) bytes; \(limit) are possible.")
        }
        let isMultiline = field == "comment" || field == "recordings"
        guard
            !text.unicodeScalars.contains(where: { scalar in
                scalar.properties.generalCategory == .control
                    && !(isMultiline && "\n\r\t".unicodeScalars.contains(scalar))
            })
        else { throw DiaryInputFault(field, "“\(field)” contains a control character; remove it.") }
        return text
    }
}
