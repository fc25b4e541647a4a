import Foundation
import Podium

/// Converts show time to the time of day.
package struct TimeOfDayConverter: Sendable {
    private let wallSecondsAtFirst: Double
    private let readAdvanceMilliseconds: @Sendable () -> Int64

    /// - Parameter readAdvanceMilliseconds: returns what the show's clock was set forward by since `now`.
    package init(
        now: ShowTime, date: Date = Date(), readAdvanceMilliseconds: @escaping @Sendable () -> Int64 = { 0 }
    ) {
        wallSecondsAtFirst = date.timeIntervalSince1970 - Double(now.milliseconds) / 1_000
        self.readAdvanceMilliseconds = readAdvanceMilliseconds
    }

    /// The wall clock at show time zero, in seconds since 1970.
    private var wallSecondsAtShowStart: Double {
        wallSecondsAtFirst - Double(readAdvanceMilliseconds()) / 1_000
    }

    /// The time of day in the machine's time zone, such as `20:14:05`.
    package func timeOfDayText(_ time: ShowTime) -> String {
        Self.timeOfDayText(wallSecondsAtShowStart + Double(time.milliseconds) / 1_000)
    }

    package static func timeOfDayText(_ secondsSince1970: Double) -> String {
        var seconds = time_t(secondsSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }
}
