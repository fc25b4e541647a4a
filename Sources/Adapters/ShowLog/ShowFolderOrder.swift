import Foundation

/// The place of a show among those of its data folder: a later show is greater.
///
/// The name of a show's folder has the local time, which goes back when the time zone changes, when summer time ends
/// and when a clock is set right. So each new show gets a number greater than those of all shows that are there. The
/// number is the name of an empty file in the show's folder, `number-000042`, because such a file is never half
/// written. It is on the disk before the first line of the log.
struct ShowFolderOrder: Comparable {
    /// Nil for a show of an earlier version of the program. Such a show is older than all with a number.
    let number: Int?
    /// The time at which the show began, ISO 8601 in UTC, from the first log file; only read without a number.
    private let started: String
    private let name: String

    private static let fileNamePrefix = "number-"

    /// - Parameter show: the path of the show's folder.
    init(ofShow show: String) {
        name = ServerDataFolder.name(ofShow: show)
        let entries = (try? ShowLogFileNames.listEntries(of: show)) ?? []
        number = entries.compactMap(Self.parseNumber).max()
        started = number == nil ? Self.startTime(ofShow: show, name) : ""
    }

    static func < (one: Self, other: Self) -> Bool {
        // Shows that began in the same second have a number at the end of their names: `-10` is newer than `-9`.
        (one.number ?? 0, one.started, one.name.prefix(17), one.name.count, one.name)
            < (other.number ?? 0, other.started, other.name.prefix(17), other.name.count, other.name)
    }

    /// Writes the number of a new show.
    /// - Parameter show: the path of the show's folder.
    static func writeNumber(_ number: Int, ofShow show: String) throws(ShowLogFault) {
        let digits = "\(number)"
        let path =
            show + "/" + fileNamePrefix + String(repeating: "0", count: max(6 - digits.count, 0)) + digits
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw .folderNotMade(path: show, reason: ShowLogFault.lastSystemErrorText())
        }
        close(descriptor)
        ShowLogFileNames.flushToDisk(folder: show)
    }

    private static func parseNumber(_ fileName: String) -> Int? {
        guard fileName.hasPrefix(fileNamePrefix) else { return nil }
        return Int(fileName.dropFirst(fileNamePrefix.count)).flatMap { (1..<Int.max).contains($0) ? $0 : nil }
    }

    /// The start in the log; if no file of the log is readable, the local time in the folder's name.
    private static func startTime(ofShow show: String, _ name: String) -> String {
        for number in (try? ShowLogFileNames.fileNumbers(in: show)) ?? [] {
            let path = show + "/" + ShowLogFileNames.name(ofFile: number)
            guard var file = try? LogFileReader(path: path), let line = try? file.next(),
                let header = try? LogHeader.parse(line, path: path)
            else { continue }
            return header.started
        }
        let digits = name.prefix(17).filter(\.isNumber)
        guard digits.utf8.count == 14 else { return "" }
        func number(_ places: Range<Int>) -> Int32 {
            Int32(digits.dropFirst(places.lowerBound).prefix(places.count)) ?? 0
        }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
            number(0..<4) - 1900, number(4..<6) - 1, number(6..<8)
        )
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (number(8..<10), number(10..<12), number(12..<14))
        parts.tm_isdst = -1
        return TimeOfDayFormatter.formatISO8601(Date(timeIntervalSince1970: Double(mktime(&parts))))
    }
}
