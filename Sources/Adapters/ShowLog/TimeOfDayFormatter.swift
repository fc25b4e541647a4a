import Foundation

/// Formats the time of day for the show log.
enum TimeOfDayFormatter {
    /// Formats a date as ISO 8601 in UTC, to the second, for example `2026-05-04T19:31:23Z`.
    static func formatISO8601(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ number: Int32, _ width: Int) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(width - text.count, 0)) + text
        }
        return digits(parts.tm_year + 1900, 4) + "-" + digits(parts.tm_mon + 1, 2) + "-"
            + digits(parts.tm_mday, 2) + "T" + digits(parts.tm_hour, 2) + ":" + digits(parts.tm_min, 2) + ":"
            + digits(parts.tm_sec, 2) + "Z"
    }
}
