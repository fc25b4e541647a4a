extension ShowLogReader {
    /// Reads the lines after a given number, as bytes, for a server that copies the log.
    ///
    /// Damaged lines are skipped. Each call reads a log file from its beginning, so callers should request many lines
    /// at a time.
    /// - Parameter mostBytes: the size at which reading stops; the last line may exceed it.
    /// - Returns: an empty array if there are no readable lines after the number.
    public static func readLines(
        of show: String, after sequence: UInt64, mostBytes: Int = 256 << 10
    ) -> [(sequence: UInt64, bytes: [UInt8])] {
        var lines: [(sequence: UInt64, bytes: [UInt8])] = []
        var bytes = 0
        do throws(ShowLogFault) {
            var reader = try ShowLogReader(show: show, after: sequence, whenDamaged: .skipAndRecord)
            while bytes < mostBytes, let line = try reader.next() {
                lines.append((line.sequenceNumber, line.bytes))
                bytes += lines.last!.bytes.count
            }
        } catch {
            return lines
        }
        return lines
    }
}
