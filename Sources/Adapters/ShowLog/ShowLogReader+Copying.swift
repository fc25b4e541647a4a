extension ShowLogReader {
    /// The lines after a number, unchanged, for a server that copies the log.
    ///
    /// Damaged lines are skipped. Each call reads from the beginning of a file, so ask for many at a time.
    /// - Parameter mostBytes: the last line may exceed it.
    /// - Returns: an empty array if there are no lines after the number, or none can be read.
    public static func lines(
        of show: String, after sequence: UInt64, mostBytes: Int = 256 << 10
    ) -> [(sequence: UInt64, bytes: [UInt8])] {
        var lines: [(sequence: UInt64, bytes: [UInt8])] = []
        var bytes = 0
        do throws(ShowLogFault) {
            var reader = try ShowLogReader(show: show, after: sequence, whenDamaged: .passOver)
            while bytes < mostBytes, let line = try reader.next() {
                lines.append((line.sequence, line.bytes))
                bytes += lines.last!.bytes.count
            }
        } catch {
            return lines
        }
        return lines
    }
}
