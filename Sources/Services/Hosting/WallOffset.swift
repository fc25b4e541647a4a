import Foundation
import Podium

/// What time of day a show time was.
package struct WallOffset: Sendable {
    /// Seconds since 1970 at show time zero.
    let secondsAtZero: Double

    package init(now: ShowTime, date: Date = Date()) {
        secondsAtZero = date.timeIntervalSince1970 - Double(now.milliseconds) / 1_000
    }

    /// `20:14:05`, in the machine's time zone.
    package func clock(_ time: ShowTime) -> String {
        Self.clock(secondsAtZero + Double(time.milliseconds) / 1_000)
    }

    package static func clock(_ secondsSince1970: Double) -> String {
        var seconds = time_t(secondsSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }
}
