import Diary

/// A local date and time as the API writes it: `2026-11-23`, or with `T20:15`, seconds and milliseconds.
struct ISOMoment: Equatable {
    var date: CalendarDate
    var time: TimeOfDay?

    init?(_ text: String) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard let date = CalendarDate(String(parts.first ?? "")) else { return nil }
        self.date = date
        guard parts.count > 1 else { return }
        let pattern = /(\d\d:\d\d)(:[0-5]\d(\.\d{1,6})?)?/.asciiOnlyDigits()
        guard parts.count == 2, let found = String(parts[1]).wholeMatch(of: pattern),
            let time = TimeOfDay(String(found.1))
        else { return nil }
        self.time = time
    }
}
