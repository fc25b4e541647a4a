import Foundation

/// The distances of the time code from the music during a show: the file `time-code.csv` in the show's folder, with a line
/// `AT,DISTANCE` for each, in milliseconds of the show and milliseconds by which the music was ahead.
public enum TimeCodeDistances {
    private static func path(ofShow folder: String) -> String { folder + "/time-code.csv" }

    /// Adds a line; may be called on any thread. A line that cannot be written is missing in the report.
    public static func append(
        atMilliseconds at: Int64, distanceMilliseconds distance: Int64, toShow folder: String
    ) {
        let descriptor = open(path(ofShow: folder), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let line = Array("\(at),\(distance)\n".utf8)
        _ = write(descriptor, line, line.count)
        close(descriptor)
    }

    /// - Returns: the pairs of time and distance by their times; nil if the show has none. Damaged lines are left out.
    static func read(show folder: String) -> [[Int64]]? {
        guard let bytes = FileManager.default.contents(atPath: path(ofShow: folder)) else { return nil }
        let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap {
            line -> [Int64]? in
            let numbers = line.split(separator: ",").compactMap { Int64($0) }
            return numbers.count == 2 ? numbers : nil
        }
        return rows.isEmpty ? nil : rows.sorted { $0[0] < $1[0] }
    }
}
