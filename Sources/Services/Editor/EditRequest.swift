import Basics
import Catalogue
import Concert
import Content
import Foundation
import Score
import WebServer

/// An edit in the JSON that an editor's page sends. docs/content-api.md shows each kind of change.
struct EditRequest: Decodable {
    static let maximumBodyBytes = 4 << 20

    var base: Int
    var label: String?
    var changes: [Change]

    struct Change: Decodable {
        var set: ConcertNodeID?
        var field: String?
        var to: String?
        var insert: ConcertNodeKind?
        var id: ConcertNodeID?
        var `in`: ConcertNodeID?
        var before: ConcertNodeID?
        var fields: [String: String]?
        var remove: ConcertNodeID?
        var move: ConcertNodeID?
    }

    static func decode(_ body: [UInt8]) throws(Refusal) -> EditRequest {
        let order: EditRequest
        do {
            order = try JSONDecoder().decode(EditRequest.self, from: Data(body))
        } catch {
            throw Refusal(
                400, "bad-json",
                "The edit is not JSON of the form {\"base\": 7, \"changes\": […]}; see docs/content-api.md.")
        }
        guard order.changes.count <= ConcertEdit.mostChanges else {
            throw Refusal(422, "too-many", ConcertEditFault.tooManyChanges(order.changes.count).sentence)
        }
        return order
    }

    /// Converts the edit to the catalogue's form.
    /// - Parameter tree: the newest revision, in whose measure maps played measures are looked up.
    /// - Returns: the edit, and the ids of the nodes that it inserts, in the order of the changes.
    func makeEdit(by author: String, on tree: ConcertTree) throws(Refusal) -> (
        edit: ConcertEdit, made: [ConcertNodeID]
    ) {
        var made: [ConcertNodeID] = []
        // Nodes that this edit inserts: a slide may refer to measures of a piece in the same edit.
        var insertedNodes: [ConcertNodeID: InsertedNode] = [:]
        var changes: [ConcertChange] = []
        for change in self.changes {
            if let node = change.set, let field = change.field {
                guard let kind = tree[node]?.kind else {
                    // The catalogue decides whether the node was removed or never existed.
                    changes.append(.setField(node, field: field, to: change.to))
                    continue
                }
                let kept = try ContentRules.checkFields(
                    [field: change.to ?? ""], of: kind,
                    measures: Self.findPieceMeasures(around: node, tree, insertedNodes))
                for (name, value) in kept.sorted(by: { $0.key < $1.key }) {
                    changes.append(.setField(node, field: name, to: value))
                }
            } else if let kind = change.insert, let parent = change.in {
                guard kind != .asset else {
                    throw Self.makeUnclearChangeRefusal("An asset is made by uploading its file.")
                }
                let id = change.id ?? .random()
                let kept = try ContentRules.checkFields(
                    change.fields ?? [:], of: kind,
                    measures: Self.findPieceMeasures(around: parent, tree, insertedNodes))
                insertedNodes[id] = InsertedNode(
                    parent: parent, pieceMeasureMapText: kind == .piece ? kept["measures"] ?? "" : nil)
                changes.append(.insertNode(id, kind, in: parent, before: change.before, fields: kept))
                made.append(id)
            } else if let node = change.remove {
                changes.append(.removeNode(node))
            } else if let node = change.move, let parent = change.in {
                changes.append(.moveNode(node, in: parent, before: change.before))
            } else {
                throw Self.makeUnclearChangeRefusal(
                    "A change has “set” and “field”, “insert” and “in”, “remove”, or “move” and “in”.")
            }
        }
        let label = CleanText.cleanedLine(String((label ?? "edit").prefix(200)))
        return (ConcertEdit(baseRevision: base, changes: changes, author: author, label: label), made)
    }

    private struct InsertedNode {
        var parent: ConcertNodeID
        /// The inserted piece's measure map; nil if the node is no piece.
        var pieceMeasureMapText: String?
    }

    /// The measure map of the piece to which a node belongs.
    private static func findPieceMeasures(
        around id: ConcertNodeID, _ tree: ConcertTree, _ insertedNodes: [ConcertNodeID: InsertedNode]
    ) -> [PlayedMeasure] {
        var id = id
        for _ in 0..<4 {
            if let node = tree[id] {
                if node.kind == .piece { return MeasureMapText.parseMarks(node["measures"]) }
                id = node.parent
            } else if let node = insertedNodes[id] {
                if let measures = node.pieceMeasureMapText { return MeasureMapText.parseMarks(measures) }
                id = node.parent
            } else {
                return []
            }
        }
        return []
    }

    private static func makeUnclearChangeRefusal(_ sentence: String) -> Refusal {
        Refusal(422, "bad-content", sentence)
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

    init(_ id: Int64, _ tree: ConcertTree, served: Bool) {
        concert = id
        revision = tree.revision
        self.served = served
        nodes = [NodeAnswer(tree.root, played: nil)]
        for piece in tree.children(of: .root, kind: .piece) {
            nodes.append(NodeAnswer(piece, played: nil))
            let played = PlayedMeasureLookup(MeasureMapText.parseMarks(piece["measures"]))
            func placed(_ node: ConcertNode) -> NodeAnswer {
                let time = ReferenceTime(seconds: Double(node["time"]) ?? 0)
                return NodeAnswer(
                    node,
                    played: Int(node["printed"]).flatMap { played.playedMeasure(printed: $0, near: time) })
            }
            for track in tree.children(of: piece.id, kind: .track) {
                nodes.append(NodeAnswer(track, played: nil))
                nodes += tree.children(of: track.id, kind: .slide).map(placed)
            }
            nodes += tree.children(of: piece.id, kind: .section).map(placed)
        }
        for kind in [ConcertNodeKind.word, .message, .asset] {
            nodes += tree.children(of: .root, kind: kind).map { NodeAnswer($0, played: nil) }
        }
    }
}

extension NodeAnswer {
    init(_ node: ConcertNode, played: Int?) {
        self.init(
            id: node.id.rawValue, kind: node.kind.rawValue,
            parent: node.kind == .concert ? nil : node.parent.rawValue,
            fields: node.fields, revisions: node.revisions, played: played)
    }
}

/// The fields of the response to a failed edit, besides code and sentence.
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

    var conflicts: [Conflict] = []
    /// The revision of the edit that could not be undone.
    var stuck: Int?
}

extension ConcertEditFault: AnsweringError {
    public var response: WebResponse {
        switch self {
        case .conflicts(let conflicts):
            return refusal("conflict", conflicts)
        case .cannotUndo(let revision, _, let cause):
            guard case .conflicts(let conflicts) = cause else { return refusal("stuck", [], stuck: revision) }
            return refusal("conflict", conflicts, stuck: revision)
        case .noSuchRevision: return .refused(404, "no-revision", sentence)
        case .showLocked: return .refused(409, "locked", sentence)
        case .editedSince: return .refused(409, "stale", sentence)
        case .noSuchConcert: return .refused(404, "no-concert", sentence)
        case .noSuchNode: return .refused(404, "no-node", sentence)
        case .nodeIDTaken, .baseRevisionTooNew: return .refused(409, "stale", sentence)
        case .nothingToUndo, .nothingToRedo: return .refused(409, "nothing", sentence)
        case .catalogue(let error):
            switch error {
            case .diskFull, .busy, .interrupted:
                return .refused(503, "not-kept", error.sentenceWithoutPath)
            default: return .refused(500, "catalogue", error.sentenceWithoutPath)
            }
        case .historyUnreadable: return .refused(500, "catalogue", sentence)
        default: return .refused(422, "bad-content", sentence)
        }
    }

    private func refusal(_ code: String, _ conflicts: [ConcertEditConflict], stuck: Int? = nil) -> WebResponse
    {
        let answer = EditFailureAnswer(
            conflicts: conflicts.map(EditFailureAnswer.Conflict.init), stuck: stuck)
        return Refusal(409, code, sentence, with: answer).response
    }
}

extension EditFailureAnswer.Conflict {
    init(_ conflict: ConcertEditConflict) {
        self.init(
            reason: conflict.reason.rawValue, node: conflict.node.rawValue, field: conflict.field,
            mine: conflict.proposedValue, theirs: conflict.storedValue, revision: conflict.revision,
            author: conflict.storedValueAuthor)
    }
}
