import Compression

/// One numbered line of a show log, without its line break.
///
/// `{"i":17,"t":83250,"w":"2026-05-04T19:31:23Z","e":{…},"crc":"1a2b3c4d"}`: the number of the line in the show,
/// milliseconds of the show, sometimes the time of day, then the one member that names the kind of line, and a
/// checksum of everything before it. The order is fixed, so that a reader finds number and kind without parsing the
/// rest.
public struct LogLine: Equatable, Sendable {
    /// The kind of content of a line; the raw value is the name of its member.
    public enum Kind: String, CaseIterable, Sendable {
        /// An event.
        case event = "e"
        /// The effects of the event on the line before.
        case effects = "x"
        /// The complete state, from which a restart continues.
        case snapshot = "s"
        /// Numbers of packets sent and clients connected.
        case count = "n"
        /// A person's note, or a remark of the server.
        case note = "note"
        /// This many lines, starting with this number, were lost because the disk refused them.
        case gap = "lost"
        /// The show is over.
        case end = "end"
    }

    /// Counts from 1 through all files of a show.
    public var sequence: UInt64
    /// Milliseconds since the show began.
    public var milliseconds: Int64
    /// The time of day as ISO 8601; nil on most lines.
    public var wall: String?
    public var kind: Kind
    /// The line's content as JSON.
    public var payload: [UInt8]

    public init(
        sequence: UInt64, milliseconds: Int64, wall: String? = nil, kind: Kind, payload: [UInt8]
    ) {
        self.sequence = sequence
        self.milliseconds = milliseconds
        self.wall = wall
        self.kind = kind
        self.payload = payload
    }

    /// The line as written in the file.
    public var bytes: [UInt8] {
        var line = Array("{\"i\":\(sequence),\"t\":\(milliseconds),".utf8)
        if let wall { line += "\"w\":\"\(wall)\",".utf8 }
        line += "\"\(kind.rawValue)\":".utf8
        line += payload
        let check = CRC32.check(line)
        line += Self.beforeCheck
        line += Self.hexadecimal(check)
        line += "\"}".utf8
        return line
    }

    static let beforeCheck = Array(",\"crc\":\"".utf8)
    /// The length of `,"crc":"12345678"}`, the end of each line.
    static let checkBytes = beforeCheck.count + 10

    static func hexadecimal(_ check: UInt32) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return (0..<8).map { digits[Int(check >> UInt32(28 - 4 * $0)) & 15] }
    }
}
