import Foundation

/// What the machine itself says about an evening's prospects.
enum SystemProbes {
    /// True where a time service says that it keeps the clock: systemd-timesyncd, chrony or ntpd.
    static var isClockKept: Bool {
        [
            "/run/systemd/timesync/synchronized", "/run/chrony/chronyd.pid", "/run/ntpd.pid",
            "/run/ntpsec/ntpd.pid",
        ]
        .contains { FileManager.default.fileExists(atPath: $0) }
    }

    /// The battery's percentage where the machine runs on it; nil on mains, or where nothing is known.
    static func batteryPercent(below root: String = "/sys/class/power_supply") -> Int? {
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

    /// Processes that wait for a processor, over the last minute; nil where the system does not say.
    static var load: Double? {
        var load = 0.0
        return getloadavg(&load, 1) == 1 ? load : nil
    }
}
