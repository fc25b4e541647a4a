import Foundation

/// The first line of each file of a show log.
public struct LogHeader: Codable, Equatable, Sendable {
    /// The format version that this program reads and writes.
    public static let currentVersion = 1
    static let mark = "show log"

    /// Always `show log`: identifies the kind of file.
    public var baton = LogHeader.mark
    public var version = LogHeader.currentVersion
    /// The title of the show.
    public var show: String
    /// The number of this file in the show, from 1.
    public var file: Int
    /// The number of the line that follows the header.
    public var first: UInt64
    /// When the show began, ISO 8601.
    public var started: String

    public init(show: String, file: Int, first: UInt64, started: String) {
        self.show = show
        self.file = file
        self.first = first
        self.started = started
    }

    var bytes: [UInt8] { (try? LogJSON.bytes(of: self)) ?? [] }

    /// Parses a header line.
    /// - Parameter path: the file's name in errors.
    static func read(_ line: some Collection<UInt8>, path: String) throws(ShowLogFault) -> LogHeader {
        guard let mark = try? LogJSON.value(Mark.self, from: line), mark.baton == Self.mark else {
            throw .notAShowLog(path: path)
        }
        guard mark.version == currentVersion else {
            throw .versionUnknown(path: path, version: mark.version)
        }
        guard let header = try? LogJSON.value(LogHeader.self, from: line) else {
            throw .damaged(path: path, line: 1, what: "the first line is not complete")
        }
        return header
    }

    /// The members that every version of the format begins with.
    private struct Mark: Decodable {
        var baton: String
        var version: Int
    }
}
