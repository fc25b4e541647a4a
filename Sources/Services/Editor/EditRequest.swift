import Catalogue
import Concert
import Content
import Foundation
import MusicalTime
import Score
import WebServer

/// An edit in the JSON that an editor's page sends. docs/content-api.md shows each kind of change.
struct EditRequest: Decodable {
    static let mostBytes = 4 << 20

    var base: Int
    var label: String?
    var changes: [Change]

    struct Change: Decodable {
        var set: ContentNodeID?
        var field: String?
        var to: String?
        var insert: ContentKind?
        var id: ContentNodeID?
        var `in`: ContentNodeID?
        var before: ContentNodeID?
        var fields: [String: String]?
        var remove: ContentNodeID?
        var move: ContentNodeID?
    }

    static func decode(_ body: [UInt8]) throws(ContentRefusal) -> EditRequest {
        let order: EditRequest
        do {
            order = try JSONDecoder().decode(EditRequest.self, from: Data(body))
        } catch {
            throw ContentRefusal(
                code: "bad-json",
                sentence:
                    "The edit is not JSON of the form {\"base\": 7, \"changes\": […]}; see docs/content-api.md."
            )
        }
        guard order.changes.count <= ContentEdit.mostChanges else {
            throw ContentRefusal(
                code: "too-many", sentence: ContentFault.tooManyChanges(order.changes.count).sentence)
        }
        return order
    }

    /// Converts the edit to the catalogue's form.
    /// - Parameter tree: the newest revision, in whose measure maps played measures are looked up.
    /// - Returns: the edit, and the ids of the nodes that it inserts, in the order of the changes.
    func makeEdit(by author: String, on tree: ContentTree) throws(ContentRefusal) -> (
        edit: ContentEdit, made: [ContentNodeID]
    ) {
        var made: [ContentNodeID] = []
        // Nodes that this edit inserts: a slide may refer to measures of a piece in the same edit.
        var insertedNodes: [ContentNodeID: InsertedNode] = [:]
        var changes: [ContentChange] = []
        for change in self.changes {
            if let node = change.set, let field = change.field {
                guard let kind = tree[node]?.kind else {
                    // The catalogue decides whether the node was removed or never existed.
                    changes.append(.set(node, field: field, to: change.to))
                    continue
                }
                let kept = try ContentRules.checkFields(
                    [field: change.to ?? ""], of: kind,
                    measures: Self.measures(around: node, tree, insertedNodes))
                for (name, value) in kept.sorted(by: { $0.key < $1.key }) {
                    changes.append(.set(node, field: name, to: value))
                }
            } else if let kind = change.insert, let parent = change.in {
                guard kind != .asset else {
                    throw Self.unclearChange("An asset is made by uploading its file.")
                }
                let id = change.id ?? .random()
                let kept = try ContentRules.checkFields(
                    change.fields ?? [:], of: kind,
                    measures: Self.measures(around: parent, tree, insertedNodes))
                insertedNodes[id] = InsertedNode(
                    parent: parent, measures: kind == .piece ? kept["measures"] ?? "" : nil)
                changes.append(.insert(id, kind, in: parent, before: change.before, fields: kept))
                made.append(id)
            } else if let node = change.remove {
                changes.append(.remove(node))
            } else if let node = change.move, let parent = change.in {
                changes.append(.move(node, in: parent, before: change.before))
            } else {
                throw Self.unclearChange(
                    "A change has “set” and “field”, “insert” and “in”, “remove”, or “move” and “in”.")
            }
        }
        let label = CleanText.line(String((label ?? "edit").prefix(200)))
        return (ContentEdit(base: base, changes: changes, author: author, label: label), made)
    }

    private struct InsertedNode {
        var parent: ContentNodeID
        /// The inserted piece's measure map; nil if the node is no piece.
        var measures: String?
    }

    /// The measure map of the piece to which a node belongs.
    private static func measures(
        around id: ContentNodeID, _ tree: ContentTree, _ insertedNodes: [ContentNodeID: InsertedNode]
    ) -> [PlayedMeasure] {
        var id = id
        for _ in 0..<4 {
            if let node = tree[id] {
                if node.kind == .piece { return MeasureMapText.marks(node["measures"]) }
                id = node.parent
            } else if let node = insertedNodes[id] {
                if let measures = node.measures { return MeasureMapText.marks(measures) }
                id = node.parent
            } else {
                return []
            }
        }
        return []
    }

    private static func unclearChange(_ sentence: String) -> ContentRefusal {
        ContentRefusal(code: "bad-content", sentence: sentence)
    }
}

/// A node of a concert in the JSON that an editor's page gets.
struct NodeAnswer: Encodable {
    var id: String
    package var kind: String
    var parent: String?
    var fields: [String: String]
    /// The revision that set each field of the node, by the field's name.
    var revisions: [String: Int]
    /// The played measure at which a slide or section stands; nil for other nodes.
    var played: Int?
}

/// A whole concert in the JSON that an editor's page gets.
struct ConcertAnswer: Encodable {
    var concert: Int64
    var revision: Int
    var served: Bool
    /// All nodes of the concert; parents come before their children, siblings in their order.
    var nodes: [NodeAnswer]

    init(_ id: Int64, _ tree: ContentTree, served: Bool) {
        concert = id
        revision = tree.revision
        self.served = served
        nodes = [NodeAnswer(tree.root, played: nil)]
        for piece in tree.children(of: .root, .piece) {
            nodes.append(NodeAnswer(piece, played: nil))
            let played = PlayedMeasureLookup(MeasureMapText.marks(piece["measures"]))
            func placed(_ node: ContentNode) -> NodeAnswer {
                let time = ReferenceTime(seconds: Double(node["time"]) ?? 0)
                return NodeAnswer(
                    node,
                    played: Int(node["printed"]).flatMap { played.playedMeasure(printed: $0, near: time) })
            }
            for track in tree.children(of: piece.id, .track) {
                nodes.append(NodeAnswer(track, played: nil))
                nodes += tree.children(of: track.id, .slide).map(placed)
            }
            nodes += tree.children(of: piece.id, .section).map(placed)
        }
        for kind in [ContentKind.word, .message, .asset] {
            nodes += tree.children(of: .root, kind).map { NodeAnswer($0, played: nil) }
        }
    }
}

extension NodeAnswer {
    init(_ node: ContentNode, played: Int?) {
        self.init(
            id: node.id.rawValue, kind: node.kind.rawValue,
            parent: node.kind == .concert ? nil : node.parent.rawValue,
            fields: node.fields, revisions: node.revisions, played: played)
    }
}

/// The HTTP response for an edit that failed, including any conflicts with other edits.
struct EditFailureAnswer: Encodable {
    struct Conflict: Encodable {
        var reason: String
        var node: String
        var field: String?
        var mine: String?
        var theirs: String?
        var revision: Int
        var author: String?
    }

    var error: String
    var code = "conflict"
    var conflicts: [Conflict]
    /// The revision of the edit that could not be undone.
    var stuck: Int?

    static func answer(_ fault: ContentFault) -> WebResponse {
        switch fault {
        case .conflicts(let conflicts):
            return .json(
                EditFailureAnswer(error: fault.sentence, conflicts: conflicts.map(Conflict.init)), status: 409
            )
        case .cannotUndo(let revision, _, let cause):
            var answer = EditFailureAnswer(error: fault.sentence, conflicts: [], stuck: revision)
            if case .conflicts(let conflicts) = cause {
                answer.conflicts = conflicts.map(Conflict.init)
            } else {
                answer.code = "stuck"
            }
            return .json(answer, status: 409)
        case .noSuchRevision: return .refused(404, "no-revision", fault.sentence)
        case .editedSince: return .refused(409, "stale", fault.sentence)
        case .noSuchConcert: return .refused(404, "no-concert", fault.sentence)
        case .noSuchNode: return .refused(404, "no-node", fault.sentence)
        case .nodeTaken, .baseTooNew: return .refused(409, "stale", fault.sentence)
        case .nothingToUndo, .nothingToRedo: return .refused(409, "nothing", fault.sentence)
        case .catalogue(let error):
            switch error {
            case .diskFull, .busy, .interrupted:
                return .refused(503, "not-kept", error.sentenceWithoutPath)
            default: return .refused(500, "catalogue", error.sentenceWithoutPath)
            }
        case .historyUnreadable: return .refused(500, "catalogue", fault.sentence)
        default: return .refused(422, "bad-content", fault.sentence)
        }
    }
}

extension EditFailureAnswer.Conflict {
    init(_ conflict: ContentConflict) {
        self.init(
            reason: conflict.reason.rawValue, node: conflict.node.rawValue, field: conflict.field,
            mine: conflict.mine, theirs: conflict.theirs, revision: conflict.revision,
            author: conflict.author)
    }
}
