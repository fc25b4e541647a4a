import Platform

/// One numbered line of a show log, without its line break.
///
/// For example `{"i":17,"t":83250,"w":"2026-05-04T19:31:23Z","e":{…},"crc":"1a2b3c4d"}`. The members are: the line's
/// number in the show, the milliseconds since the show began, sometimes the time of day, one member whose name is the
/// kind of line, and a checksum of everything before it. Their order is fixed. So a reader finds the line's number
/// and kind without parsing the whole line.
public struct LogLine: Equatable, Sendable {
    /// The kind of a log line. The raw value is the name of the JSON member that holds the line's content.
    public enum Kind: String, CaseIterable, Sendable {
        /// An event of the show, such as a command or a new position.
        case event = "e"
        /// The effects of the event on the previous line.
        case effects = "x"
        /// The complete state, from which a restart continues.
        case snapshot = "s"
        /// The number of packets sent and of clients connected.
        case traffic = "n"
        /// A note written by a person, or a remark of the server.
        case note = "note"
        /// The number of lines that were lost because the disk refused them. The gap line takes the number of the
        /// first lost line.
        case gap = "lost"
        /// The show has ended.
        case end = "end"
    }

    /// The line's number, counted from 1 through all files of a show.
    public var sequenceNumber: UInt64
    /// Milliseconds since the show began.
    public var milliseconds: Int64
    /// The time of day as ISO 8601; nil on most lines.
    public var timeOfDay: String?
    public var kind: Kind
    /// The line's content as JSON.
    public var payload: [UInt8]

    public init(
        sequence: UInt64, milliseconds: Int64, wall: String? = nil, kind: Kind, payload: [UInt8]
    ) {
        self.sequenceNumber = sequence
        self.milliseconds = milliseconds
        self.timeOfDay = wall
        self.kind = kind
        self.payload = payload
    }

    /// The complete line as it is written to the file, with checksum and without line break.
    public var bytes: [UInt8] {
        var line = Array("{\"i\":\(sequenceNumber),\"t\":\(milliseconds),".utf8)
        if let timeOfDay { line += "\"w\":\"\(timeOfDay)\",".utf8 }
        line += "\"\(kind.rawValue)\":".utf8
        line += payload
        let check = CRC32.checksum(line)
        line += Self.checksumFieldPrefix
        line += Self.hexadecimal(check)
        line += "\"}".utf8
        return line
    }

    static let checksumFieldPrefix = Array(",\"crc\":\"".utf8)
    /// The length in bytes of `,"crc":"12345678"}`, which ends each line.
    static let checksumFieldBytes = checksumFieldPrefix.count + 10

    static func hexadecimal(_ check: UInt32) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return (0..<8).map { digits[Int(check >> UInt32(28 - 4 * $0)) & 15] }
    }
}
