import Diary
import Foundation

/// An ensemble as the API has it.
struct BandRecord: Codable, Equatable {
    var id: String?
    var MBID: String?
    /// May be left out for a band that is known by its id or MBID.
    var name: String?
    var genre: String?
    var imageUrl: String?
    var biography: [String: String]?
    var source: String?

    init(_ ensemble: Ensemble) {
        (id, MBID, name, genre) = (ensemble.id, ensemble.mbid, ensemble.name, ensemble.genre)
        (imageUrl, biography, source) = (ensemble.imageURL, ensemble.biography, ensemble.source)
    }

    /// The ensemble, checked. Fields that are missing keep the values of the known one.
    /// - Parameter id: the id of a new ensemble without MBID.
    func ensemble(known: Ensemble?, orMade id: String) throws(DiaryInputFault) -> Ensemble {
        let name = try SourceField.text(name ?? known?.name ?? "", "name")
        guard !name.isEmpty else { throw DiaryInputFault("name", "The name is missing; write who plays.") }
        if let MBID, UUID(uuidString: MBID) == nil {
            throw DiaryInputFault("MBID", "“\(MBID.prefix(40))” is no MusicBrainz id; it is a UUID.")
        }
        if let imageUrl, !imageUrl.isEmpty, !imageUrl.hasPrefix("https://"), !imageUrl.hasPrefix("http://") {
            throw DiaryInputFault("imageUrl", "The address of the picture begins with https:// or http://.")
        }
        var result = known ?? Ensemble(id: MBID?.lowercased() ?? id, name: name)
        result.name = name
        result.mbid = MBID?.lowercased() ?? result.mbid
        result.genre =
            try genre.map { text throws(DiaryInputFault) in try SourceField.text(text, "genre") }
            ?? result.genre
        result.imageURL =
            try imageUrl.map { text throws(DiaryInputFault) in try SourceField.text(text, "imageUrl") }
            ?? result.imageURL
        result.source =
            try source.map { text throws(DiaryInputFault) in try SourceField.text(text, "source") }
            ?? result.source
        if let biography {
            result.biography = try SourceField.merged(
                SourceField.localized(biography, "biography", limit: 20_000), into: result.biography)
        }
        return result
    }
}

/// An ensemble as a search gives it: a part of the fields.
struct BandSummary: Codable, Equatable {
    var id: String
    var MBID: String?
    var name: String
    var genre: String
}

/// A concert of an ensemble as the API has it. Times are those of the place, without a time zone.
///
/// A field that is left out, or null, stays as it is; an empty text removes what is there.
struct TourDateRecord: Codable, Equatable {
    var id: String?
    var bandId: String?
    var startDate: String?
    var endDate: String?
    var stage: String?
    var venue: String?
    var city: String?
    var countryCode: String?
    var supportAct: Bool?
}

extension TourDateRecord {
    init(_ found: FoundConcert) {
        let concert = found.concert
        (id, bandId) = (concert.id, found.ensemble)
        startDate = SourceField.date(concert.date, concert.time)
        endDate = SourceField.date(concert.endDate ?? concert.date, concert.endTime ?? concert.time)
        (stage, venue, city) = (concert.stage, concert.venue, concert.city)
        (countryCode, supportAct) = (concert.countryCode ?? "", concert.isSupportAct)
    }
}

/// A festival or another event as the API has it. A field that is left out, or null, stays as it is; an empty text
/// removes what is there.
struct EventRecord: Codable, Equatable {
    struct Slot: Codable, Equatable {
        var bandId: String
        var startTime: String?
        var endTime: String?
    }

    var id: String?
    var description: String?
    var startDate: String?
    var endDate: String?
    var venue: String?
    var city: String?
    var countryCode: String?
    var performances: [String: [String: [Slot]]]?

    /// - Parameter isPartial: true leaves out the performances.
    init(_ event: DiaryEvent, isPartial: Bool = false) {
        (id, description, venue, city) = (event.id, event.description, event.venue, event.city)
        (startDate, endDate) = (event.startDate.description, event.endDate.description)
        countryCode = event.countryCode
        guard !isPartial else { return }
        performances = event.performances.mapValues { stages in
            stages.mapValues { slots in
                slots.map { Slot(bandId: $0.ensemble, startTime: $0.startTime, endTime: $0.endTime) }
            }
        }
    }

    static let mostSlots = 2_000

    /// The event with the fields that were sent.
    /// - Parameter known: the event as it is stored, whose other fields stay; nil for a new one.
    func event(changing known: DiaryEvent? = nil) throws(DiaryInputFault) -> DiaryEvent {
        let name = try SourceField.text(description ?? known?.description ?? "", "description")
        guard !name.isEmpty else { throw DiaryInputFault("description", "The description is missing.") }
        let (start, end) = (
            try SourceField.day(startDate, "startDate", known: known?.startDate),
            try SourceField.day(endDate, "endDate", known: known?.endDate)
        )
        guard start <= end else {
            throw DiaryInputFault("endDate", "The event ends before it begins; correct a date.")
        }
        let present = known?.countryCode
        let code = try SourceField.country(countryCode ?? present ?? "", "countryCode", present: present)
        var days: [String: [String: [DiaryEvent.Slot]]] = [:]
        var count = 0
        for (day, stages) in performances ?? [:] {
            let date = try SourceField.moment(day, "performances").date.description
            for (stage, slots) in stages {
                count += slots.count
                guard count <= Self.mostSlots else {
                    throw DiaryInputFault(
                        "performances", "An event has at most \(Self.mostSlots) performances.")
                }
                let stage = try SourceField.text(stage, "performances")
                var kept: [DiaryEvent.Slot] = []
                for slot in slots {
                    for time in [slot.startTime, slot.endTime].compactMap({ $0 }) {
                        _ = try SourceField.moment(time, "performances")
                    }
                    kept.append(
                        .init(
                            ensemble: try SourceField.text(slot.bandId, "performances"),
                            startTime: slot.startTime,
                            endTime: slot.endTime))
                }
                days[date, default: [:]][stage, default: []] += kept
            }
        }
        return DiaryEvent(
            id: try SourceField.id(id, orMade: DiaryID.make("event", name, start.description)),
            description: name,
            startDate: start, endDate: end, venue: try SourceField.optional(venue ?? known?.venue, "venue"),
            city: try SourceField.optional(city ?? known?.city, "city"), countryCode: code,
            performances: performances == nil ? known?.performances ?? [:] : days)
    }
}

struct VenueRecord: Codable, Equatable {
    var id: String?
    var name: String
    var city: String?
    var countryCode: String?
}

struct CityRecord: Codable, Equatable {
    var id: String?
    var city: String
    var countryCode: String?
}

struct CountryRecord: Codable, Equatable {
    var code: String
    var name: [String: String]
}

/// Checks of fields that several records have.
enum SourceField {
    static let longestBytes = 300

    static func text(_ text: String, _ field: String, limit: Int = longestBytes) throws(DiaryInputFault)
        -> String
    {
        try EntryEdit.checkedText(text, field, limit: limit)
    }

    static func needed(_ given: String?, _ field: String) throws(DiaryInputFault) -> String {
        let text = try text(given ?? "", field)
        guard !text.isEmpty else { throw DiaryInputFault(field, "“\(field)” is missing.") }
        return text
    }

    static func optional(_ text: String?, _ field: String) throws(DiaryInputFault) -> String? {
        guard let text else { return nil }
        let checked = try self.text(text, field)
        return checked.isEmpty ? nil : checked
    }

    /// The day that was sent, else the known one.
    static func day(_ text: String?, _ field: String, known: CalendarDate?) throws(DiaryInputFault)
        -> CalendarDate
    {
        if let text { return try moment(text, field).date }
        guard let known else { throw DiaryInputFault(field, "“\(field)” is missing.") }
        return known
    }

    /// Texts by language in which those that were sent take the place of the known ones; an empty text removes one.
    static func merged(_ sent: [String: String], into known: [String: String]) -> [String: String] {
        known.merging(sent) { $1 }.filter { !$0.value.isEmpty }
    }

    static func moment(_ text: String, _ field: String) throws(DiaryInputFault) -> ISOMoment {
        guard let moment = ISOMoment(text) else {
            throw DiaryInputFault(
                field,
                "“\(text.prefix(40))” is no date; write the local time as 2026-11-23T20:00:00.000, without a zone."
            )
        }
        return moment
    }

    /// A country's code in capitals; empty if none is given.
    /// - Parameter present: the code that is stored. It stays even if it would not be accepted today.
    static func country(_ code: String, _ field: String, present: String? = nil) throws(DiaryInputFault)
        -> String
    {
        let known = code.uppercased()
        let isInUse = code.allSatisfy(\.isASCII) && CountryCode.isInUse(known)
        guard code.isEmpty || isInUse || code == present else {
            throw DiaryInputFault(
                field,
                "“\(code.prefix(20))” is no country; use the two letters that ISO 3166-1 gives it, such as AT."
            )
        }
        return known
    }

    static func id(_ given: String?, orMade made: String) throws(DiaryInputFault) -> String {
        guard let given, !given.isEmpty else { return made }
        guard given.utf8.count <= 100,
            given.utf8.allSatisfy({
                $0 == 0x2D || $0 == 0x5F || $0 == 0x2E || (0x30...0x39).contains($0)
                    || (0x61...0x7A).contains($0 | 0x20)
            })
        else {
            throw DiaryInputFault("id", "An id has 1 to 100 letters, digits, dots, hyphens and underscores.")
        }
        return given
    }

    static func localized(
        _ texts: [String: String], _ field: String, limit: Int = longestBytes
    ) throws(DiaryInputFault) -> [String: String] {
        guard texts.count <= 300 else {
            throw DiaryInputFault(field, "“\(field)” has more than 300 languages.")
        }
        var result: [String: String] = [:]
        for (language, given) in texts {
            guard (2...20).contains(language.utf8.count),
                language.utf8.allSatisfy({
                    $0 == 0x2D || (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                })
            else {
                throw DiaryInputFault(
                    field, "“\(language.prefix(20))” is no language code; write en, de or zh-CN.")
            }
            result[language] = try text(given, field, limit: limit)
        }
        return result
    }

    /// A local date with time as the API writes it.
    static func date(_ date: CalendarDate, _ time: TimeOfDay?) -> String {
        time.map { "\(date)T\($0):00.000" } ?? date.description
    }
}
