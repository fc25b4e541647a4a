/// Where and when a show began: the same for both servers of a pair, although each has its log in a folder of its own.
///
/// It stands in the snapshots of the log, so a copy of the log has it too.
public struct ShowOrigin: Codable, Equatable, Sendable {
    /// The name of the folder of the log on the server on which the show began.
    public var folder: String
    /// The time at which the show began, ISO 8601. The show times of the log count from it.
    public var started: String

    public init(folder: String, started: String) {
        self.folder = folder
        self.started = started
    }
}

extension ShowOrigin {
    /// Reads where a show began from the first line of its log; nil if that line does not say it.
    /// - Parameter show: the path of the show's folder.
    public init?(ofShow show: String) {
        guard var reader = try? ShowLogReader(show: show, whenDamaged: .skipAndRecord),
            let line = try? reader.next(), line.kind == .snapshot,
            let snapshot = try? LogJSON.decode(ShowSnapshot.self, from: line.payload),
            let origin = snapshot.origin
        else { return nil }
        self = origin
    }
}
