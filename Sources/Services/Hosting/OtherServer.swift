import BackupLink
import Podium

/// The other of two servers of one show, as far as services have to do with it.
package protocol OtherServer: Sendable {
    /// This server's own role.
    var role: ServerRole { get }
    /// True while the other one has the show, is heard, and this one copies it.
    var follows: Bool { get }
    /// Asks the other server; see ``BackupLink/ask(_:)``.
    func ask(_ question: [UInt8]) async throws(LinkAnswerError) -> [UInt8]
}

/// The copy of content, scores, rooms and accounts that two servers keep.
package protocol ContentCopying: Sendable {
    /// Answers what the other server asks.
    func answer(_ sealed: [UInt8]) async -> [UInt8]
    /// Since this server last had all that the one with the show has; nil before the first time.
    var sameAge: Duration? { get }
    /// How far the copy is, for console and health.
    var section: ContentCopySection { get }
}

/// How far the copy of content, scores, rooms and accounts is.
package struct ContentCopySection: Encodable, Equatable {
    package var isCurrent: Bool
    /// Since both last had the same; nil before the first time.
    package var ageMs: Int64?
    package var sentence: String
    package var trouble: String?
    /// Where this server's own work was put.
    package var keptAside: String?

    package init(
        isCurrent: Bool, ageMs: Int64? = nil, sentence: String, trouble: String? = nil,
        keptAside: String? = nil
    ) {
        self.isCurrent = isCurrent
        self.ageMs = ageMs
        self.sentence = sentence
        self.trouble = trouble
        self.keptAside = keptAside
    }
}
