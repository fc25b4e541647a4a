import BackupLink
import Hosting
import Podium
import Synchronization

/// The state of the pair of servers, as the consoles and the pre-show check tell it.
extension FailoverCoordinator {
    /// The console's section `backup`: the state of the pair of servers.
    package var backupSection: BackupSection {
        let status = link?.status
        let (role, other, term, waits) = failover.withLock {
            ($0.role, $0.otherHeartbeat, $0.term, $0.delaysTakeoverForStaleReplica)
        }
        let heard = status?.isOtherServerHeard ?? false
        let warnings = status?.warnings.map(\.sentence) ?? []
        let sentence: String
        switch role {
        case .main where heard:
            sentence =
                status?.isLogCopiedByOtherServer ?? false
                ? "The backup follows, \(status?.logLagLines ?? 0) lines behind."
                : "The backup is heard but copies nothing yet."
        case .main: sentence = "No backup is heard; this server is active alone."
        case .backup:
            sentence =
                heard
                ? "The main server is heard; this one follows it."
                : waits
                    ? "The main server is silent; it has data that is not here yet, so this one waits 5 s for it."
                    : "The main server is silent."
        case .asking: sentence = "Listening whether another server is active."
        case .alone: sentence = "There is no other server."
        }
        return BackupSection(
            role: role.rawValue, term: term, otherHeard: heard, otherRole: other?.role.rawValue,
            otherTerm: other?.term, heardMsAgo: status?.heardMillisecondsAgo,
            connected: status?.isConnected ?? false,
            lagLines: role == .main ? status?.logLagLines ?? 0 : 0,
            lagMs: role == .main ? status?.logLagMilliseconds ?? 0 : 0,
            takeovers: takeoverCount.load(ordering: .relaxed), warnings: warnings, sentence: sentence,
            content: contentReplicator?.consoleSection)
    }

    /// A summary of the other server for the console.
    package var otherServer: ServerJSON.OtherServer {
        let status = link?.status
        return ServerJSON.OtherServer(
            connected: (status?.isOtherServerHeard ?? false)
                && (role != .main || status?.isLogCopiedByOtherServer ?? false),
            lagMs: role == .main ? status?.logLagMilliseconds ?? 0 : 0,
            version: status?.otherServer?.version ?? "",
            sameShow: status?.warnings.isEmpty ?? true,
            address: otherServerAddress)
    }

    package var otherServerAddress: String? {
        let status = link?.status
        return ConsoleAddress.makeOpenableAddress(
            status?.otherServer?.console, at: mainHost ?? status?.otherAddress)
    }

    /// True if the pair is ready for the show, with a sentence for the pre-show check.
    var pairReadiness: (isReady: Bool, sentence: String) {
        let section = backupSection
        guard section.otherHeard else { return (false, section.sentence + " Start it, and check the cable.") }
        guard section.warnings.isEmpty else { return (false, section.warnings.joined(separator: " ")) }
        if section.role == ServerRole.main.rawValue, let content = section.content, !content.isCurrent {
            return (false, section.sentence + " Of slides, scores and rooms, " + content.sentence + ".")
        }
        if section.role == ServerRole.main.rawValue, let files = section.content?.files, !files.isCurrent {
            return (true, section.sentence + " Of models, slides and takes, \(files.sentence).")
        }
        return (true, section.sentence)
    }
}

/// The section `backup` of the consoles' stream.
package struct BackupSection: Encodable {
    var role: String
    var term: UInt32
    var otherHeard: Bool
    var otherRole: String?
    var otherTerm: UInt32?
    var heardMsAgo: Int64?
    var connected: Bool
    var lagLines: Int
    var lagMs: Int64
    var takeovers: Int
    var warnings: [String]
    var sentence: String
    /// The state of the replication of content, scores, rooms and accounts.
    var content: ReplicationSection?
}
