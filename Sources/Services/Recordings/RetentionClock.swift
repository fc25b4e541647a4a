import Foundation
import Platform

/// The clock by which recordings grow old, in milliseconds since 1970.
///
/// While a server runs, it advances with the time that really passes. Between two runs it advances by the machine's
/// clock, but by no more than seven days and never backwards: a machine that starts with a wrong date deletes nothing
/// too early.
struct RetentionClock: Equatable {
    /// The most by which the clock advances while no server runs.
    static let longestOfflineAdvanceMilliseconds: Int64 = 7 * 86_400_000

    private(set) var milliseconds: Int64
    private let file: String

    /// Continues the clock that is stored in a file; without one, begins with the machine's clock.
    init(file: String, wallMilliseconds: Int64) {
        self.file = file
        let words = (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: " ").map {
            Int64($0)
        }
        guard let words, words.count == 2, let time = words[0], let wall = words[1], time >= 0, wall >= 0
        else {
            milliseconds = wallMilliseconds
            return
        }
        milliseconds =
            min(time, Int64.max / 2)
            + min(max(wallMilliseconds - wall, 0), Self.longestOfflineAdvanceMilliseconds)
    }

    mutating func advance(by elapsed: Duration) { milliseconds += max(Int64(elapsed / .milliseconds(1)), 0) }

    /// Stores the clock for the next start. If that fails, the next start counts from the value before.
    func store(wallMilliseconds: Int64) {
        try? DurableFile.write("\(milliseconds) \(wallMilliseconds)".utf8, to: file)
    }
}
