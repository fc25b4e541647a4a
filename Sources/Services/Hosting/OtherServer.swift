import BackupLink
import Podium

/// The other of two servers of one show, as far as services have to do with it.
protocol OtherServer: Sendable {
    /// This server's own role.
    var role: ServerRole { get }
    /// True while the other one has the show, is heard, and this one copies it.
    var follows: Bool { get }
    /// Asks the other server; see ``BackupLink/ask(_:)``.
    func ask(_ question: [UInt8]) async throws(LinkSilence) -> [UInt8]
}

/// The copy of content, scores, rooms and accounts that two servers keep.
protocol ContentCopying: Sendable {
    /// Answers what the other server asks.
    func answer(_ sealed: [UInt8]) async -> [UInt8]
    /// Since this server last had all that the one with the show has; nil before the first time.
    var sameAge: Duration? { get }
    /// How far the copy is, for console and health.
    var section: ContentCopySection { get }
}

/// How far the copy of content, scores, rooms and accounts is.
struct ContentCopySection: Encodable, Equatable {
    var isCurrent: Bool
    /// Since both last had the same; nil before the first time.
    var ageMs: Int64?
    var sentence: String
    var trouble: String?
    /// Where this server's own work was put.
    var keptAside: String?
}
