import Catalogue
import Content
import Foundation
import WebServer

/// Routes for earlier versions: the history of edits, the concert at a revision, and restoring it.
extension ContentEditRoutes {
    /// The largest number of changes of one edit that are listed; an import may make thousands.
    static let mostListedChanges = 200

    private struct HistoryEntryAnswer: Encodable {
        var revision: Int
        var at: String
        var author: String
        var label: String
        var course: String
        var undoneBy: Int?
        /// The first three nodes that the edit changed; `count` is the number of all of them.
        var touched: [ConcertNodeID]
        var count: Int

        init(_ entry: ConcertHistoryEntry) {
            revision = entry.revision
            at = entry.editedAt.formatted(.iso8601)
            (author, label, course) = (entry.author, entry.label, entry.step.rawValue)
            undoneBy = entry.undoneBy
            touched = Array(entry.changedNodes.prefix(3))
            count = entry.changedNodes.count
        }
    }

    private struct PastChangeAnswer: Encodable {
        var node: ConcertNodeID
        package var kind: String
        /// The fields by which a page names the changed node, as they are after the edit. If the edit removed the
        /// node, they are the fields before the edit.
        var fields: [String: String]
        /// The kind of change: `wrote`, `made`, `removed` or `moved`.
        var change: String
        var field: String?
        var from: String?
        var to: String?
        /// True if the changed node still exists after the edit; only then can this change be restored by itself.
        var isThere: Bool
    }

    private struct PastEditAnswer: Encodable {
        var edit: HistoryEntryAnswer
        var changes: [PastChangeAnswer]
        /// The number of changes that a long list leaves out.
        var more: Int
        /// The newest revision; a request to restore must name it.
        var newest: Int
        var nodes: [NodeAnswer]
    }

    @Sendable func handleHistoryRequest(_ request: WebRequest) async throws -> WebResponse {
        let id = try parseConcertID(request)
        let before = request.queryParameters["before"].flatMap { Int($0) }
        return .json(
            try await concertEditor.catalogue.editHistory(of: id, before: before).map(
                HistoryEntryAnswer.init))
    }

    @Sendable func handlePastEditRequest(_ request: WebRequest) async throws -> WebResponse {
        let id = try parseConcertID(request)
        let past = try await concertEditor.catalogue.pastEdit(
            of: id, revision: Int(request.pathParameters["revision"] ?? "") ?? -1)
        let told = past.changes.prefix(Self.mostListedChanges).map { describeChange($0, past) }
        return .json(
            AudienceConcert.encodeJSON(
                PastEditAnswer(
                    edit: HistoryEntryAnswer(past.historyEntry), changes: told,
                    more: past.changes.count - told.count,
                    newest: past.newestRevision,
                    nodes: ConcertAnswer(id, past.treeAfter, served: false).nodes)
            ))
    }

    private func describeChange(_ change: PastConcertEdit.Change, _ past: PastConcertEdit) -> PastChangeAnswer
    {
        let node = past.treeAfter[change.node] ?? past.treeBefore[change.node]
        var told = PastChangeAnswer(
            node: change.node, kind: node?.kind.rawValue ?? "", fields: [:], change: "wrote",
            isThere: past.treeAfter[change.node] != nil)
        // Short fields that identify the node; a measure map would be too long.
        for name in ["name", "title", "label", "printed", "text"] {
            told.fields[name] = node?.fields[name].map { String($0.prefix(300)) }
        }
        switch change {
        case .wrote(_, let field, let from, let to):
            told.field = field
            (told.from, told.to) = (
                from.map { String($0.prefix(2_000)) }, to.map { String($0.prefix(2_000)) }
            )
        case .made: told.change = "made"
        case .removed: told.change = "removed"
        case .moved: told.change = "moved"
        }
        return told
    }

    private struct RestoreRequest: Decodable {
        var revision: Int
        /// The newest revision that the sender has seen.
        var seen: Int
        /// The node to restore; nil restores the whole concert.
        var node: ConcertNodeID?
    }

    @Sendable func handleRestoreRequest(_ request: WebRequest) async throws -> WebResponse {
        guard let wanted = try? JSONDecoder().decode(RestoreRequest.self, from: Data(request.body)) else {
            return .refused(
                400, "bad-json", "Send {\"revision\": 12, \"seen\": the newest, \"node\": NODE or nothing}.")
        }
        let what = wanted.node == nil ? "version" : "part of version"
        let outcome = try await concertEditor.restore(
            try parseConcertID(request), revision: wanted.revision, node: wanted.node ?? .root,
            seen: wanted.seen, by: authorName(request), label: "\(what) \(wanted.revision) restored")
        return .json(EditAnswer(revision: outcome.newestTree.revision))
    }
}
