import Diary
import Foundation

/// Time zones by name, each read once: Foundation reads a file for each new one.
final class TimeZones {
    private var known: [String: TimeZone?] = [:]

    subscript(name: String) -> TimeZone? {
        if let zone = known[name] { return zone }
        let zone = TimeZone(identifier: name)
        known[name] = .some(zone)
        return zone
    }

    /// The offset from UTC that the clock of a zone has at a local time, in seconds; nil for an unknown zone.
    func offset(_ name: String, _ date: CalendarDate, _ time: TimeOfDay) -> Int? {
        guard let zone = self[name] else { return nil }
        let local = Double(date.daysSince1970 * 86_400 + time.minutes * 60)
        let near = zone.secondsFromGMT(for: Date(timeIntervalSince1970: local))
        return zone.secondsFromGMT(for: Date(timeIntervalSince1970: local - Double(near)))
    }
}
