import BackupLink
import Basics
import Podium

/// This server's side of a main and backup pair, as services see it.
package protocol PairedServer: Sendable {
    /// This server's own role, such as main or backup.
    var role: ServerRole { get }
    /// True while this server is the backup, hears the active server's heartbeats and replicates its data.
    var isFollowingActiveServer: Bool { get }
    /// The address of the other server's pages, such as `http://192.168.1.11:8080`; nil if it is unknown.
    var otherServerAddress: String? { get }
    /// Sends a question to the other server and waits for its answer; see ``BackupLink/askOtherServer(_:)``.
    func askOtherServer(_ question: [UInt8]) async throws(ExplainedError) -> [UInt8]
}

/// Replicates content, scores, rooms and accounts between the two servers.
package protocol ContentReplicator: Sendable {
    /// Answers an encrypted question from the other server with an encrypted answer.
    func answerQuestion(_ sealed: [UInt8]) async -> [UInt8]
    /// The time since this server last held everything that the active server holds; nil if it never did.
    var timeSinceInSync: Duration? { get }
    /// The state of the replication, for the console and the health check.
    var consoleSection: ReplicationSection { get }
}

/// The state of the copies of models, slides of speakers and takes, as the console shows it.
package struct ReplicatedFilesSection: Encodable, Equatable {
    /// True if the backup had everything a few seconds ago.
    package var isCurrent: Bool
    package var missingItems: Int
    package var missingBytes: Int64
    package var sentence: String
    package var trouble: String?

    package init(
        isCurrent: Bool, missingItems: Int, missingBytes: Int64, sentence: String, trouble: String?
    ) {
        (self.isCurrent, self.missingItems, self.missingBytes) = (isCurrent, missingItems, missingBytes)
        (self.sentence, self.trouble) = (sentence, trouble)
    }
}

/// The state of the replication of content, scores, rooms and accounts, as the console shows it.
package struct ReplicationSection: Encodable, Equatable {
    package var isCurrent: Bool
    /// Milliseconds since both servers last held the same data; nil if they never did.
    package var ageMs: Int64?
    package var sentence: String
    package var trouble: String?
    /// The folder with changes that existed only on this server and were set aside; nil if there are none.
    package var keptAside: String?
    /// The state of the files; nil if no service has files that are copied.
    package var files: ReplicatedFilesSection?

    package init(
        isCurrent: Bool, ageMs: Int64? = nil, sentence: String, trouble: String? = nil,
        keptAside: String? = nil, files: ReplicatedFilesSection? = nil
    ) {
        self.files = files
        self.isCurrent = isCurrent
        self.ageMs = ageMs
        self.sentence = sentence
        self.trouble = trouble
        self.keptAside = keptAside
    }
}
