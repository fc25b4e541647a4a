import Foundation

/// Health checks on the host before and during a show: clock, battery and processor load.
enum SystemProbes {
    /// True if systemd-timesyncd has synchronized the clock, or if chrony or ntpd is running.
    static var isClockSynchronized: Bool {
        [
            "/run/systemd/timesync/synchronized", "/run/chrony/chronyd.pid", "/run/ntpd.pid",
            "/run/ntpsec/ntpd.pid",
        ]
        .contains { FileManager.default.fileExists(atPath: $0) }
    }

    /// The battery's charge in percent while the machine runs on it; nil on mains power, or if the system does not
    /// report it.
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

    /// For each network interface apart from the loopback how often its carrier came or went: its cable was pulled or put
    /// in, or the device at the other end was switched off or on.
    static func carrierChanges(below root: String = "/sys/class/net") -> [String: Int] {
        readCounts("carrier_changes", below: root)
    }

    /// For each network interface apart from the loopback how often its carrier came.
    static func carrierReturns(below root: String = "/sys/class/net") -> [String: Int] {
        readCounts("carrier_up_count", below: root)
    }

    private static func readCounts(_ file: String, below root: String) -> [String: Int] {
        let interfaces = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        var changes: [String: Int] = [:]
        for interface in interfaces where interface != "lo" {
            let text = try? String(contentsOfFile: "\(root)/\(interface)/\(file)", encoding: .utf8)
            changes[interface] = text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
        return changes
    }

    /// The load average of the last minute, in processes; nil if the system does not report it.
    static var loadAverage: Double? {
        var load = 0.0
        return getloadavg(&load, 1) == 1 ? load : nil
    }
}
