/// The newest lines of the show log, kept in memory for followers that are nearly up to date. The total size in bytes
/// is limited.
struct RecentLogLines {
    private var lines: [LinkLine] = []
    private var dropped = 0
    private var bytes = 0
    private let mostBytes: Int

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    var first: LinkLine? { dropped < lines.count ? lines[dropped] : nil }
    var lastSequence: UInt64 { lines.last?.sequence ?? 0 }

    /// Adds a line. A line whose number does not rise begins another log, so all older lines are removed.
    mutating func append(_ line: LinkLine) {
        if line.sequence <= lastSequence { removeAll() }
        lines.append(line)
        bytes += line.bytes.count
        while bytes > mostBytes, dropped < lines.count - 1 {
            bytes -= lines[dropped].bytes.count
            lines[dropped].bytes = []
            dropped += 1
        }
        if dropped > 1_024, dropped > lines.count / 2 {
            lines.removeFirst(dropped)
            dropped = 0
        }
    }

    mutating func removeAll() {
        lines = []
        (dropped, bytes) = (0, 0)
    }

    /// Returns the first line after a number; nil if that line is no longer in memory, or not written yet.
    func line(after sequence: UInt64) -> LinkLine? {
        guard dropped < lines.count, reachesBackTo(sequence) else { return nil }
        var low = dropped
        var high = lines.count
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].sequence > sequence { high = middle } else { low = middle + 1 }
        }
        return low < lines.count ? lines[low] : nil
    }

    /// True if all lines after `sequence` are still in memory.
    func reachesBackTo(_ sequence: UInt64) -> Bool {
        guard dropped < lines.count else { return false }
        return sequence + 1 >= lines[dropped].sequence
    }

    func line(_ sequence: UInt64) -> LinkLine? {
        guard sequence > 0, let line = line(after: sequence - 1), line.sequence == sequence else {
            return nil
        }
        return line
    }
}
