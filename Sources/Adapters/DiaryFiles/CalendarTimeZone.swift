import Foundation

/// A time zone for calendars, with each change of the clock in some years.
enum CalendarTimeZone {
    /// A change of the clock: the instant and the offsets from UTC before and after it, in seconds.
    private struct Change {
        var instant: Date
        var before: Int
        var after: Int
    }

    private static let week = 604_800.0

    static func text(of name: String, years: ClosedRange<Int>) -> String {
        guard let zone = TimeZone(identifier: name) else { return "" }
        let begin = date(years.lowerBound)
        let offset = zone.secondsFromGMT(for: begin)
        var lines = ["BEGIN:VTIMEZONE", "TZID:" + name]
        lines += observance(zone, Change(instant: begin, before: offset, after: offset))
        var last = begin
        let end = date(years.upperBound + 1)
        while last < end {
            let next = last.addingTimeInterval(week)
            if zone.secondsFromGMT(for: next) != zone.secondsFromGMT(for: last) {
                lines += observance(zone, change(zone, from: last, to: next))
            }
            last = next
        }
        return CalendarLine.join(lines + ["END:VTIMEZONE"])
    }

    /// Finds the second at which the clock changes.
    private static func change(_ zone: TimeZone, from first: Date, to last: Date) -> Change {
        let before = zone.secondsFromGMT(for: first)
        var low = Int(first.timeIntervalSince1970)
        var high = Int(last.timeIntervalSince1970)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(middle)))
            if offset == before { low = middle } else { high = middle }
        }
        let instant = Date(timeIntervalSince1970: Double(high))
        return Change(instant: instant, before: before, after: zone.secondsFromGMT(for: instant))
    }

    private static func observance(_ zone: TimeZone, _ change: Change) -> [String] {
        let kind = zone.isDaylightSavingTime(for: change.instant) ? "DAYLIGHT" : "STANDARD"
        let local = change.instant.addingTimeInterval(Double(change.before)).formatted(.iso8601)
        return [
            "BEGIN:" + kind, "DTSTART:" + local.filter { $0 != "-" && $0 != ":" && $0 != "Z" },
            "TZOFFSETFROM:" + offset(change.before), "TZOFFSETTO:" + offset(change.after), "END:" + kind,
        ]
    }

    private static func offset(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let size = abs(seconds)
        return (seconds < 0 ? "-" : "+") + two(size / 3_600) + two(size / 60 % 60)
            + (size % 60 == 0 ? "" : two(size % 60))
    }

    private static func date(_ year: Int) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: DateComponents(year: year, month: 1, day: 1)) ?? .distantPast
    }
}
