import Foundation

/// The first line of each log file. It contains the show's title, the number of the file in the show, and the version
/// of the format.
public struct LogHeader: Codable, Equatable, Sendable {
    /// The format version that this program reads and writes.
    public static let currentVersion = 1
    static let showLogKind = "show log"

    /// The kind of file; always `show log`.
    public var baton = LogHeader.showLogKind
    public var version = LogHeader.currentVersion
    /// The title of the show.
    public var show: String
    /// The number of this file in the show, from 1.
    public var file: Int
    /// The sequence number of the first line after the header.
    public var first: UInt64
    /// The time at which the show began, ISO 8601.
    public var started: String

    public init(show: String, file: Int, first: UInt64, started: String) {
        self.show = show
        self.file = file
        self.first = first
        self.started = started
    }

    var jsonBytes: [UInt8] { (try? LogJSON.jsonBytes(of: self)) ?? [] }

    /// Parses a header line.
    /// - Parameter path: the path of the file, for error messages.
    static func parse(_ line: some Collection<UInt8>, path: String) throws(ShowLogFault) -> LogHeader {
        guard let mark = try? LogJSON.decode(KindAndVersion.self, from: line), mark.baton == Self.showLogKind
        else {
            throw .notAShowLog(path: path)
        }
        guard mark.version == currentVersion else {
            throw .versionUnknown(path: path, version: mark.version)
        }
        guard let header = try? LogJSON.decode(LogHeader.self, from: line) else {
            throw .damaged(path: path, line: 1, what: "the first line is not complete")
        }
        return header
    }

    /// The kind of file and the format version, which every version of the format contains.
    private struct KindAndVersion: Decodable {
        var baton: String
        var version: Int
    }
}
