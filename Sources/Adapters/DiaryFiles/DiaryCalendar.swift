import Diary
import Foundation

/// Published concerts as a calendar (RFC 5545): a stable UID for each, its time zone with all changes of the clock,
/// lines folded at 75 octets.
public struct DiaryCalendar {
    public static let end = "END:VCALENDAR\r\n"

    private let name: String
    private let stamp: String
    private let timeZones = TimeZones()
    private var ensembles: [String: String] = [:]
    /// The first and last year of the concerts in each time zone.
    private var zones: [String: ClosedRange<Int>] = [:]

    /// - Parameters:
    ///   - name: the calendar's name.
    ///   - stamp: the time at which the calendar is made.
    public init(name: String, stamp: Date) {
        self.name = name
        self.stamp = Self.utc(stamp)
    }

    /// Writes a whole calendar of some entries.
    /// - Parameter concerts: the ids of the concerts to take; nil for all of the entries.
    public static func text(
        of programmes: [ConcertProgramme], ensembles: [Ensemble], concerts: Set<String>? = nil, name: String,
        stamp: Date
    ) -> String {
        var calendar = DiaryCalendar(name: name, stamp: stamp)
        for ensemble in ensembles { calendar.ensembles[ensemble.id] = ensemble.name }
        for programme in programmes { calendar.prepare(programme) }
        return calendar.head + programmes.map { calendar.events(in: $0, only: concerts) }.joined() + end
    }

    /// Notes what the head of the calendar needs: names of ensembles, and the time zones of all concerts.
    public mutating func prepare(_ kind: DiaryRecord.Kind, _ document: Data) throws {
        switch try DiaryRecord(kind, document, JSONDecoder()) {
        case .ensemble(let ensemble): ensembles[ensemble.id] = ensemble.name
        case .programme(let programme): prepare(programme)
        default: break
        }
    }

    private mutating func prepare(_ programme: ConcertProgramme) {
        guard programme.visibility == .published else { return }
        for concert in programme.concerts {
            guard let zone = zone(of: concert) else { continue }
            let years = (zones[zone] ?? concert.date.year...concert.date.year)
            let last = concert.endDate?.year ?? concert.date.year
            zones[zone] = min(years.lowerBound, concert.date.year)...max(years.upperBound, last)
        }
    }

    /// The time zone of a concert with a time; nil if the zone is unknown to this machine.
    private func zone(of concert: DiaryConcert) -> String? {
        guard concert.time != nil, let zone = concert.timeZone, timeZones[zone] != nil else { return nil }
        return zone
    }

    /// The beginning of the calendar with its time zones.
    public var head: String {
        CalendarLine.join([
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Baton//Diary//EN", "CALSCALE:GREGORIAN",
            "METHOD:PUBLISH",
            "X-WR-CALNAME:" + CalendarLine.escape(name),
        ])
            + zones.sorted { $0.key < $1.key }.map { CalendarTimeZone.text(of: $0.key, years: $0.value) }
            .joined()
    }

    /// The events of an entry; empty if it is not published.
    public func events(in document: Data) throws -> String {
        events(in: try JSONDecoder().decode(ConcertProgramme.self, from: document), only: nil)
    }

    private func events(in programme: ConcertProgramme, only ids: Set<String>?) -> String {
        guard programme.visibility == .published else { return "" }
        return programme.concerts.filter { ids?.contains($0.id) ?? true }.map { event($0, programme) }
            .joined()
    }

    private func event(_ concert: DiaryConcert, _ programme: ConcertProgramme) -> String {
        let ensemble = ensembles[programme.ensemble] ?? ""
        var lines = ["BEGIN:VEVENT", "UID:\(CalendarLine.escape(concert.id))@baton", "DTSTAMP:" + stamp]
        lines.append("DTSTART" + moment(concert, concert.date, concert.time))
        if let end = concert.endTime, let begin = concert.time {
            let day = concert.endDate ?? concert.date
            if (concert.date, begin) < (day, end) { lines.append("DTEND" + moment(concert, day, end)) }
        }
        let title =
            programme.title ?? [ensemble, concert.type ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
        lines.append("SUMMARY:" + CalendarLine.escape(title.isEmpty ? "Concert" : title))
        let place = [concert.venue, concert.stage, concert.location ?? concert.city].compactMap(\.self)
        if !place.isEmpty { lines.append("LOCATION:" + CalendarLine.escape(place.joined(separator: ", "))) }
        let works = Self.works(of: programme)
        if !works.isEmpty {
            lines.append("DESCRIPTION:" + CalendarLine.escape(works.joined(separator: "\n")))
        }
        if let type = concert.type { lines.append("CATEGORIES:" + CalendarLine.escape(type)) }
        return CalendarLine.join(lines + ["END:VEVENT"])
    }

    /// A line for each work; several movements of one work are one line.
    private static func works(of programme: ConcertProgramme) -> [String] {
        var lines: [String] = []
        for item in programme.items where item.kind == .work {
            let line = [item.composer, item.title].filter { !$0.isEmpty }.joined(separator: ": ")
            if lines.last != line { lines.append(line) }
        }
        return lines
    }

    /// The rest of a line with a date or a time. A time without a known zone is that of the place's clock.
    private func moment(_ concert: DiaryConcert, _ date: CalendarDate, _ time: TimeOfDay?) -> String {
        let day = "\(date)".filter { $0 != "-" }
        guard let time else { return ";VALUE=DATE:" + day }
        let clock = day + "T" + "\(time)".filter { $0 != ":" } + "00"
        return zone(of: concert).map { ";TZID=\($0):" + clock } ?? ":" + clock
    }

    private static func utc(_ date: Date) -> String {
        let text = date.formatted(.iso8601)
        return text.filter { $0 != "-" && $0 != ":" }
    }
}

/// Lines of a calendar.
enum CalendarLine {
    static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\", ";", ",": escaped += "\\\(character)"
            case "\n": escaped += "\\n"
            case "\r", "\u{0}"..<" ": continue
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// Folds lines at 75 octets, never within a character, and ends them with CR LF.
    static func join(_ lines: [String]) -> String {
        var text = ""
        for line in lines {
            var length = 0
            for scalar in line.unicodeScalars {
                let octets = UTF8.width(scalar)
                if length + octets > 75 {
                    text += "\r\n "
                    length = 1
                }
                text.unicodeScalars.append(scalar)
                length += octets
            }
            text += "\r\n"
        }
        return text
    }
}
