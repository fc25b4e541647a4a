import Foundation

/// Health checks on the host before and during a show: disk space, clock, battery, processor load.
package enum SystemProbes {
    /// Bytes that can still be written on a folder's disk; nil if the system does not report them.
    package static func freeBytes(at folder: String) -> Int? {
        var room = statvfs()
        guard statvfs(folder, &room) == 0 else { return nil }
        return Int(room.f_bavail) * Int(room.f_frsize)
    }

    /// True if systemd-timesyncd, chrony or ntpd reports that it synchronizes the clock.
    package static var isClockKept: Bool {
        [
            "/run/systemd/timesync/synchronized", "/run/chrony/chronyd.pid", "/run/ntpd.pid",
            "/run/ntpsec/ntpd.pid",
        ]
        .contains { FileManager.default.fileExists(atPath: $0) }
    }

    /// The battery's charge in percent while the machine runs on it; nil on mains power, or if the system does not
    /// report it.
    package static func batteryPercent(below root: String = "/sys/class/power_supply") -> Int? {
        let supplies = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        func read(_ supply: String, _ name: String) -> String? {
            (try? String(contentsOfFile: "\(root)/\(supply)/\(name)", encoding: .utf8))?
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        for supply in supplies where read(supply, "type") == "Battery" {
            guard read(supply, "status") == "Discharging" else { continue }
            return read(supply, "capacity").flatMap { Int($0) }
        }
        return nil
    }

    /// The load average of the last minute, in processes; nil if the system does not report it.
    package static var load: Double? {
        var load = 0.0
        return getloadavg(&load, 1) == 1 ? load : nil
    }
}

/// Detects that somebody has set the wall clock, by comparing it with the monotonic clock.
package struct ClockWatch {
    private var offsetSeconds: Double?

    package init(offsetSeconds: Double? = nil) {
        self.offsetSeconds = offsetSeconds
    }
    /// Seconds of difference that count as a step; a time service corrects less than this between two checks.
    private static let stepSeconds = 0.5

    /// Compares the two clocks. Call at regular intervals.
    /// - Parameters:
    ///   - wall: the wall clock, in seconds since 1970.
    ///   - passed: the monotonic clock, in seconds.
    /// - Returns: by how many seconds the wall clock was set since the last call; nil if it was not.
    package mutating func look(wall: Double, passed: Double) -> Double? {
        let offset = wall - passed
        defer { offsetSeconds = offset }
        guard let before = offsetSeconds, abs(offset - before) > Self.stepSeconds else { return nil }
        return offset - before
    }
}
