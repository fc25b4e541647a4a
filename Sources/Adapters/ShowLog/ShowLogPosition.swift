import Foundation

/// The number of the newest written line of a show. It is stored in the file `newest` in the show's folder, so that a
/// truncated log can be recognised.
///
/// A log file that was truncated after a complete line looks as if it had ended there. So the file `newest` is
/// overwritten in place with each snapshot and when lines reach the disk. If it is missing or damaged, it is ignored.
struct ShowLogPosition: Equatable {
    /// The number of the newest line that is known to be written.
    var sequence: UInt64
    /// The machine's uptime in milliseconds when the position was saved, and the id of that boot. The age of the
    /// position can thus be calculated without the machine's clock. They are 0 and empty if the system does not report
    /// them.
    var uptimeMilliseconds: Int64
    var bootID: String

    static func path(in show: String) -> String { show + "/newest" }

    /// Reads the saved position of a show; nil if there is none or it is damaged.
    /// - Parameter show: the path of the show's folder.
    init?(show: String) {
        guard let handle = FileHandle(forReadingAtPath: Self.path(in: show)),
            let bytes = try? handle.read(upToCount: 200)
        else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 3)
        guard words.count == 4, words[3] == "end\n", let sequence = UInt64(words[0]),
            let uptime = Int64(words[1])
        else { return nil }
        self.sequence = sequence
        uptimeMilliseconds = uptime
        bootID = words[2] == "-" ? "" : String(words[2])
    }

    /// Milliseconds since the position was saved, by the machine's uptime; nil if the machine was restarted since.
    var age: Int64? {
        guard !bootID.isEmpty, bootID == Self.bootOfNow else { return nil }
        return max(Self.uptimeOfNow - uptimeMilliseconds, 0)
    }

    static func bytes(sequence: UInt64) -> [UInt8] {
        func padded(_ number: String) -> String {
            String(repeating: "0", count: max(20 - number.count, 0)) + number
        }
        let boot = bootOfNow.isEmpty ? "-" : bootOfNow
        return Array("\(padded("\(sequence)")) \(padded("\(uptimeOfNow)")) \(boot) end\n".utf8)
    }

    private static var uptimeOfNow: Int64 {
        var reading = timespec()
        clock_gettime(CLOCK_BOOTTIME, &reading)
        return Int64(reading.tv_sec) * 1_000 + Int64(reading.tv_nsec) / 1_000_000
    }

    private static let bootOfNow: String = {
        let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }()
}

/// Saves the position of the current show. Each call costs one small `write` into the system's cache.
final class ShowLogPositionWriter: @unchecked Sendable {
    // @unchecked Sendable: the descriptor is constant, and the system orders the writes to it.
    private let descriptor: Int32

    /// Opens the file for the position. If the file cannot be made, ``write(sequence:)`` does nothing.
    init(show: String) {
        descriptor = open(ShowLogPosition.path(in: show), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(sequence: UInt64) {
        guard descriptor >= 0 else { return }
        let bytes = ShowLogPosition.bytes(sequence: sequence)
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }
}
