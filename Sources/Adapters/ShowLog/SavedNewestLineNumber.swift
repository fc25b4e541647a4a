import Foundation

/// The number of the newest written line of a show. It is stored in the file `newest` in the show's folder, so that a
/// truncated log can be recognised.
///
/// A log file that was truncated after a complete line looks as if it had ended there. So the file `newest` is
/// overwritten in place with each snapshot and when lines reach the disk. If it is missing or damaged, it is ignored.
struct SavedNewestLineNumber: Equatable {
    /// The number of the newest line that is known to be written.
    var newestSequenceNumber: UInt64
    /// The machine's uptime in milliseconds when the number was saved. The age of the number is calculated from it,
    /// without the machine's clock. It is 0 if the system does not report it.
    var uptimeMilliseconds: Int64
    /// Identifies the boot of the machine to which the uptime belongs; empty if the system does not report it.
    var bootID: String

    static func filePath(in show: String) -> String { show + "/newest" }

    /// Reads the saved position of a show; nil if there is none or it is damaged.
    /// - Parameter show: the path of the show's folder.
    init?(show: String) {
        guard let handle = FileHandle(forReadingAtPath: Self.filePath(in: show)),
            let bytes = try? handle.read(upToCount: 200)
        else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 3)
        guard words.count == 4, words[3] == "end\n", let sequence = UInt64(words[0]),
            let uptime = Int64(words[1])
        else { return nil }
        self.newestSequenceNumber = sequence
        uptimeMilliseconds = uptime
        bootID = words[2] == "-" ? "" : String(words[2])
    }

    /// Milliseconds since the position was saved, by the machine's uptime; nil if the machine was restarted since.
    var ageMilliseconds: Int64? {
        guard !bootID.isEmpty, bootID == Self.currentBootID else { return nil }
        return max(Self.currentUptimeMilliseconds - uptimeMilliseconds, 0)
    }

    static func encodeFileContent(sequence: UInt64) -> [UInt8] {
        func padded(_ number: String) -> String {
            String(repeating: "0", count: max(20 - number.count, 0)) + number
        }
        let boot = currentBootID.isEmpty ? "-" : currentBootID
        return Array("\(padded("\(sequence)")) \(padded("\(currentUptimeMilliseconds)")) \(boot) end\n".utf8)
    }

    private static var currentUptimeMilliseconds: Int64 {
        var reading = timespec()
        clock_gettime(CLOCK_BOOTTIME, &reading)
        return Int64(reading.tv_sec) * 1_000 + Int64(reading.tv_nsec) / 1_000_000
    }

    private static let currentBootID: String = {
        let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }()
}

/// Saves the position of the current show. Each call costs one small `write` into the system's cache.
final class NewestLineNumberWriter: @unchecked Sendable {
    // @unchecked Sendable: the descriptor is constant, and the system orders the writes to it.
    private let descriptor: Int32

    /// Opens the file for the position. If the file cannot be made, ``write(sequence:)`` does nothing.
    init(show: String) {
        descriptor = open(
            SavedNewestLineNumber.filePath(in: show), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(sequence: UInt64) {
        guard descriptor >= 0 else { return }
        let bytes = SavedNewestLineNumber.encodeFileContent(sequence: sequence)
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }
}
