import Diary
import Foundation

/// Reads the performance history of the New York Philharmonic (github.com/nyphilarchive/PerformanceHistory,
/// `Programs/json`), one programme at a time.
///
/// Anything odd is noted in ``oddities``; nothing is dropped silently.
public struct NYPhilReader {
    public static let source = "nyphil"

    public private(set) var oddities: [ImportOddity] = []
    private var fileNames: [String: String] = [:]
    private var numbers: [String: String] = [:]
    /// For each work number its composer and title, and the number of each composer and title.
    var worksByNumber: [String: String] = [:]
    var numbersByWork: [String: String] = [:]

    public init() {}

    /// Reads a file and passes on its programmes, each with its ensemble.
    public mutating func read(
        _ path: String, _ receive: (Ensemble, ConcertProgramme) throws -> Void
    ) throws {
        let file = URL(fileURLWithPath: path).lastPathComponent
        try MappedFile.withBytes(of: path) { bytes in
            var elements = JSONElements(bytes, file: path)
            var hasProgrammes = false
            try elements.forEach { key, index, range in
                guard key == "programs", let index else {
                    return note(.unknownField, "\(file) \(key)", index.map { "element \($0 + 1)" } ?? "")
                }
                hasProgrammes = true
                let data = Data(bytes[range])
                guard let object = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
                else {
                    throw DiaryFileFault.notJSON(
                        file: path, byte: range.lowerBound, what: "programme \(index + 1) is damaged")
                }
                try programme(object, "\(file) #\(index + 1)", file, receive)
            }
            if !hasProgrammes {
                throw DiaryFileFault.wrongFormat(
                    file: path,
                    what: "has no programmes (a list “programs”), so it is no file of the Philharmonic")
            }
        }
    }

    mutating func note(_ kind: ImportOddity.Kind, _ place: String, _ value: String = "") {
        oddities.append(ImportOddity(kind, at: place, value: String(value.prefix(300))))
    }

    private mutating func programme(
        _ object: Any, _ place: String, _ file: String, _ receive: (Ensemble, ConcertProgramme) throws -> Void
    ) throws {
        guard let fields = object as? [String: Any], let id = fields["id"] as? String, !id.isEmpty else {
            return note(.notAnEntry, place, "\(object)")
        }
        noteUnknown(fields, ["id", "programID", "orchestra", "season", "concerts", "works"], place)
        if let other = fileNames.updateValue(place, forKey: id) {
            note(.entryTwice, place, "\(id), also in \(other)")
        }
        let number = text(fields["programID"], place + " programID")
        if let number, let other = numbers.updateValue(place, forKey: number), other != place {
            note(.programmeNumberTwice, place, "\(number), also in \(other)")
        }
        let name = text(fields["orchestra"], place + " orchestra") ?? "Unknown ensemble"
        let ensemble = Ensemble(id: DiaryID.make("ensemble", name), name: name, source: Self.source)
        let concerts = concerts(fields["concerts"], of: id, place)
        guard !concerts.isEmpty else { return note(.withoutConcerts, place, id) }
        let works = fields["works"] as? [Any] ?? []
        if works.isEmpty { note(.withoutWorks, place, id) }
        let items = works.enumerated().map { item($0.element, "\(place) works[\($0.offset + 1)]") }
        try receive(
            ensemble,
            ConcertProgramme(
                id: id, number: number, ensemble: ensemble.id,
                season: text(fields["season"], place + " season"),
                concerts: concerts, items: items, provenance: Provenance(.imported, source: Self.source)))
    }

    // MARK: Concerts

    private mutating func concerts(_ list: Any?, of id: String, _ place: String) -> [DiaryConcert] {
        var concerts: [DiaryConcert] = []
        var ids: [String: Int] = [:]
        var seen: Set<String> = []
        for (index, element) in (list as? [Any] ?? []).enumerated() {
            let place = "\(place) concerts[\(index + 1)]"
            guard let fields = element as? [String: Any], let date = date(fields["Date"], place) else {
                if !(element is [String: Any]) { note(.unreadableDate, place, "\(element)") }
                continue
            }
            noteUnknown(fields, ["eventType", "Location", "Venue", "Date", "Time"], place)
            let time = time(fields["Time"], place)
            // The id holds the day and time, so that a concert that the source inserts later moves no other's id.
            // It has no slash, so that it can be a part of an address.
            let moment = "\(id)_\(date)" + (time.map { "T\(padded($0.hour))\(padded($0.minute))" } ?? "")
            let count = ids[moment, default: 0] + 1
            ids[moment] = count
            let location = text(fields["Location"], place + " Location")
            let found = location.map(NYPhilPlace.init)
            let venue = text(fields["Venue"], place + " Venue")
            if !seen.insert("\(moment) \(venue ?? "") \(location ?? "")").inserted {
                note(.sameConcertTwice, place, moment)
            }
            concerts.append(
                DiaryConcert(
                    id: count == 1 ? moment : "\(moment)-\(count)", date: date, time: time,
                    timeZone: found?.timeZone, type: text(fields["eventType"], place + " eventType"),
                    venue: venue, location: location, city: found?.city, countryCode: found?.countryCode))
        }
        return concerts
    }

    private mutating func date(_ value: Any?, _ place: String) -> CalendarDate? {
        guard let text = value as? String, let date = CalendarDate(String(text.prefix(10))) else {
            note(.unreadableDate, place, value.map { "\($0)" } ?? "")
            return nil
        }
        let rest = text.dropFirst(10)
        let isMidnight = rest == "T05:00:00Z" || rest == "T04:00:00Z"
        note(isMidnight ? .dateAsMidnight : .dateNotMidnight, place, text)
        return date
    }

    private mutating func time(_ value: Any?, _ place: String) -> TimeOfDay? {
        guard let text = text(value, place + " Time") else { return nil }
        if let time = TimeOfDay(text) { return time }
        note(.unreadableTime, place, text)
        return nil
    }

    // MARK: Texts

    /// The text of a field with single spaces; nil if it is missing, blank, or the word “None”.
    mutating func text(_ value: Any?, _ place: String) -> String? {
        guard let value else { return nil }
        var given: String
        if let string = value as? String {
            given = string
        } else if let object = value as? [String: Any], let joined = NYPhilMarkup.join(object) {
            note(.objectInsteadOfText, place, NYPhilMarkup.source(object))
            given = joined
        } else {
            note(.notText, place, "\(value)")
            return nil
        }
        let words = given.split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" }
        guard !words.isEmpty else {
            note(.blankText, place, given)
            return nil
        }
        let text = words.joined(separator: " ")
        if value is String, text != given { note(.doubledSpaces, place, given) }
        guard text != "None" else {
            note(.noneAsText, place)
            return nil
        }
        return text
    }

    mutating func noteUnknown(_ fields: [String: Any], _ known: Set<String>, _ place: String) {
        for key in fields.keys.sorted() where !known.contains(key) {
            note(.unknownField, "\(place) \(key)", "\(fields[key] ?? "")")
        }
    }

    private func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}
