import Foundation

/// The number of the newest written line of a show, stored as the file `newest`, so that a truncated log is
/// recognised.
///
/// A file cut at the end of a line looks as if it ended there. The mark is overwritten in place when lines reach the
/// disk and with each snapshot. A missing or damaged mark means nothing.
struct ShowLogPosition: Equatable {
    /// The number of the newest line that was certainly written.
    var sequence: UInt64
    /// The time of the mark in milliseconds since the machine started, and the id of that start, so that its age does
    /// not depend on the machine's clock. 0 and empty if the system does not report them.
    var uptimeMilliseconds: Int64
    var boot: String

    static func path(in show: String) -> String { show + "/newest" }

    /// Reads the mark of a show; nil if there is no readable one.
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
        boot = words[2] == "-" ? "" : String(words[2])
    }

    /// Milliseconds since the mark was made, by the machine's uptime; nil if the machine was restarted since.
    var age: Int64? {
        guard !boot.isEmpty, boot == Self.bootOfNow else { return nil }
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

/// Writes the mark of the present show. Cost: one small `write` into the system's cache.
final class ShowLogPositionWriter: @unchecked Sendable {
    // @unchecked: both are constant; the system orders writes to one descriptor.
    private let descriptor: Int32

    /// Opens the mark's file. If it cannot be made, the show has no mark.
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
