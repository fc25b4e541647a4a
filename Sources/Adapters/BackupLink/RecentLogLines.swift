/// The newest lines of the show log, kept in memory for the other server when it is nearly up to date. The total size
/// in bytes is limited.
struct RecentLogLines {
    private var lines: [BackupLogLine] = []
    private var droppedLineCount = 0
    private var heldBytes = 0
    private let mostBytes: Int

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    var oldestHeldLine: BackupLogLine? { droppedLineCount < lines.count ? lines[droppedLineCount] : nil }
    var lastSequence: UInt64 { lines.last?.sequence ?? 0 }

    /// Adds a line. A line whose number does not rise begins another log, so all older lines are removed.
    mutating func append(_ line: BackupLogLine) {
        if line.sequence <= lastSequence { removeAll() }
        lines.append(line)
        heldBytes += line.bytes.count
        while heldBytes > mostBytes, droppedLineCount < lines.count - 1 {
            heldBytes -= lines[droppedLineCount].bytes.count
            lines[droppedLineCount].bytes = []
            droppedLineCount += 1
        }
        if droppedLineCount > 1_024, droppedLineCount > lines.count / 2 {
            lines.removeFirst(droppedLineCount)
            droppedLineCount = 0
        }
    }

    mutating func removeAll() {
        lines = []
        (droppedLineCount, heldBytes) = (0, 0)
    }

    /// Returns the first line after a number; nil if that line is no longer in memory, or not written yet.
    func line(after sequence: UInt64) -> BackupLogLine? {
        guard droppedLineCount < lines.count, reachesBackTo(sequence) else { return nil }
        var low = droppedLineCount
        var high = lines.count
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].sequence > sequence { high = middle } else { low = middle + 1 }
        }
        return low < lines.count ? lines[low] : nil
    }

    /// True if all lines after `sequence` are still in memory.
    func reachesBackTo(_ sequence: UInt64) -> Bool {
        guard droppedLineCount < lines.count else { return false }
        return sequence + 1 >= lines[droppedLineCount].sequence
    }

    func line(_ sequence: UInt64) -> BackupLogLine? {
        guard sequence > 0, let line = line(after: sequence - 1), line.sequence == sequence else {
            return nil
        }
        return line
    }
}
