import Editing

/// Applies edits to a concert's tree: checks them against other people's changes, then makes all of them or none.
extension ConcertTree {
    /// The effects of an edit on the tree.
    struct EditOutcome {
        /// The revision that the edit makes.
        let revision: Int
        var effects: [ConcertEditEffect] = []
        /// The nodes whose database rows must be written.
        var nodesToSave: Set<ConcertNodeID> = []
        var writtenFields: [FieldKey] = []
        var conflicts: [ConcertEditConflict] = []
    }

    struct FieldKey: Hashable {
        var node: ConcertNodeID
        var name: String
    }

    /// Applies an edit to the tree as its next revision.
    ///
    /// A change is accepted if nobody else changed the same field or node since the edit's base revision; writing the
    /// same text twice is no conflict.
    /// - Throws: ``ConcertEditFault``; then the tree must be discarded.
    mutating func applyEdit(_ edit: ConcertEdit) throws(ConcertEditFault) -> EditOutcome {
        let base = edit.baseRevision ?? revision
        guard base <= revision else { throw .baseRevisionTooNew(base: base, newest: revision) }
        try checkGrowth(edit.changes)
        var outcome = EditOutcome(revision: revision + 1)
        for change in edit.changes {
            switch change {
            case .setField(let id, let name, let value): try setField(id, name, value, base, &outcome)
            case .insertNode(let id, let kind, let parent, let sibling, let fields):
                try insertNode(id, kind, parent, sibling, fields, &outcome)
            case .removeNode(let id): try removeNode(id, base, &outcome)
            case .moveNode(let id, let parent, let sibling): try moveNode(id, parent, sibling, base, &outcome)
            }
        }
        try finish(outcome)
        return outcome
    }

    /// Gives the tree the revision of an edit that is complete.
    mutating func finish(_ outcome: EditOutcome) throws(ConcertEditFault) {
        guard outcome.conflicts.isEmpty else { throw .conflicts(outcome.conflicts) }
        try checkNodeCounts(of: outcome)
        if !outcome.effects.isEmpty { revision = outcome.revision }
    }

    /// True if the author of an edit has seen this revision of a value, or the edit itself has written it.
    private func isSeen(_ revision: Int, _ base: Int, _ outcome: EditOutcome) -> Bool {
        revision <= base || revision >= outcome.revision
    }

    private mutating func setField(
        _ id: ConcertNodeID, _ name: String, _ value: String?, _ base: Int, _ outcome: inout EditOutcome
    ) throws(ConcertEditFault) {
        guard let node = nodes[id] else { throw .noSuchNode(id.rawValue) }
        let value = value.flatMap { $0.isEmpty ? nil : $0 }
        try Self.checkField(name, value, of: node.kind)
        guard self[id] != nil else {
            return outcome.conflicts.append(removalConflict(of: node, name, value))
        }
        let newest = node.revisions[name] ?? 0
        switch EditVerdict(isDone: node.fields[name] == value, isSeen: isSeen(newest, base, outcome)) {
        case .isDone: return
        case .isMade: perform(.field(id, name, from: node.fields[name], to: value), &outcome)
        case .conflicts:
            outcome.conflicts.append(
                ConcertEditConflict(
                    reason: .field, node: id, field: name, proposedValue: value,
                    storedValue: node.fields[name], revision: newest))
        }
    }

    private mutating func insertNode(
        _ id: ConcertNodeID, _ kind: ConcertNodeKind, _ parent: ConcertNodeID, _ sibling: ConcertNodeID?,
        _ fields: [String: String], _ outcome: inout EditOutcome
    ) throws(ConcertEditFault) {
        guard nodes[id] == nil else { throw .nodeIDTaken(id.rawValue) }
        try checkParent(parent, of: kind)
        for (name, value) in fields { try Self.checkField(name, value, of: kind) }
        if let conflict = removalConflict(at: parent) { return outcome.conflicts.append(conflict) }
        var node = ConcertNode(id: id, kind: kind, parent: parent, rank: 0, placed: outcome.revision)
        for (name, value) in fields where !value.isEmpty {
            node.fields[name] = value
            node.revisions[name] = outcome.revision
            outcome.writtenFields.append(FieldKey(node: id, name: name))
        }
        outcome.nodesToSave.formUnion(putNode(node, before: sibling))
        outcome.effects.append(.presence(id, isThere: true))
    }

    private mutating func removeNode(
        _ id: ConcertNodeID, _ base: Int, _ outcome: inout EditOutcome
    ) throws(ConcertEditFault) {
        guard nodes[id] != nil else { throw .noSuchNode(id.rawValue) }
        guard id != .root else { throw .wrongParentKind(.concert) }
        guard self[id] != nil else { return }
        if let inner = subtree(of: id).first(where: { !isSeen($0.newestRevision, base, outcome) }) {
            let newest = inner.revisions.max { $0.value < $1.value }
            return outcome.conflicts.append(
                ConcertEditConflict(
                    reason: .edited, node: inner.id, field: newest?.key,
                    storedValue: newest.flatMap { inner.fields[$0.key] }, revision: inner.newestRevision))
        }
        perform(.presence(id, isThere: false), &outcome)
    }

    private mutating func moveNode(
        _ id: ConcertNodeID, _ parent: ConcertNodeID, _ sibling: ConcertNodeID?, _ base: Int,
        _ outcome: inout EditOutcome
    ) throws(ConcertEditFault) {
        guard let node = nodes[id] else { throw .noSuchNode(id.rawValue) }
        try checkParent(parent, of: node.kind)
        if let conflict = removalConflict(at: id) ?? removalConflict(at: parent) {
            return outcome.conflicts.append(conflict)
        }
        let isThere = node.parent == parent && self.nextSibling(after: node) == sibling
        switch EditVerdict(isDone: isThere || sibling == id, isSeen: isSeen(node.placed, base, outcome)) {
        case .isDone: return
        case .isMade: move(node, to: ConcertEditEffect.Place(parent: parent, before: sibling), &outcome)
        case .conflicts:
            outcome.conflicts.append(ConcertEditConflict(reason: .moved, node: id, revision: node.placed))
        }
    }

    // MARK: Effects

    /// Changes the tree, and notes what is to be saved.
    mutating func perform(_ effect: ConcertEditEffect, _ outcome: inout EditOutcome) {
        switch effect {
        case .field(let id, let name, _, let value):
            nodes[id]?.fields[name] = value
            nodes[id]?.revisions[name] = outcome.revision
            outcome.writtenFields.append(FieldKey(node: id, name: name))
        case .presence(let id, let isThere):
            nodes[id]?.removed = isThere ? nil : outcome.revision
            // Whoever edits a node that was removed and restored in the meantime must be told, so it counts as placed
            // anew.
            if isThere { nodes[id]?.placed = outcome.revision }
            outcome.nodesToSave.insert(id)
        case .place(let id, _, let place):
            guard var node = nodes[id] else { return }
            node.parent = place.parent
            node.placed = outcome.revision
            outcome.nodesToSave.formUnion(putNode(node, before: place.before))
        }
        outcome.effects.append(effect)
    }

    mutating func move(_ node: ConcertNode, to place: ConcertEditEffect.Place, _ outcome: inout EditOutcome) {
        let old = ConcertEditEffect.Place(
            parent: node.parent, before: nextSiblingIncludingRemoved(after: node))
        perform(.place(node.id, from: old, to: place), &outcome)
    }

    /// Applies recorded effects as the tree's next revision, if the tree still has the values that the effects expect.
    /// - Parameters:
    ///   - since: the revision that is undone.
    ///   - own: later revisions of the same author; undoing them loses nobody else's work.
    mutating func replayEffects(
        _ effects: [ConcertEditEffect], since: Int, own: Set<Int>
    ) throws(ConcertEditFault) -> EditOutcome {
        var outcome = EditOutcome(revision: revision + 1)
        for effect in effects {
            let id = effect.changedNodeID
            guard let node = nodes[id] else { throw .noSuchNode(id.rawValue) }
            switch effect {
            case .field(_, let name, let from, let to):
                guard node.fields[name] == from else {
                    outcome.conflicts.append(
                        ConcertEditConflict(
                            reason: .field, node: id, field: name, proposedValue: to,
                            storedValue: node.fields[name], revision: node.revisions[name] ?? 0))
                    continue
                }
                perform(effect, &outcome)
            case .presence(_, let isThere):
                guard (node.removed == nil) != isThere else { continue }
                if !isThere, let conflict = laterChange(in: id, since: since, own: own) {
                    outcome.conflicts.append(conflict)
                    continue
                }
                perform(effect, &outcome)
            case .place(_, _, let to):
                guard self[to.parent] != nil else {
                    outcome.conflicts.append(
                        ConcertEditConflict(
                            reason: .removed, node: to.parent, revision: nodes[to.parent]?.removed ?? 0))
                    continue
                }
                // A redo returns the node to its present place, whatever was inserted after it in the meantime.
                move(node, to: to, &outcome)
            }
        }
        try finish(outcome)
        revision = outcome.revision
        return outcome
    }

    /// Finds a change after a revision that somebody else made to a node or below it; nil if there is none.
    private func laterChange(in id: ConcertNodeID, since: Int, own: Set<Int>) -> ConcertEditConflict? {
        for inner in subtree(of: id) {
            let newest = inner.revisions.filter { $0.value > since && !own.contains($0.value) }
                .max { $0.value < $1.value }
            if let newest {
                return ConcertEditConflict(
                    reason: .edited, node: inner.id, field: newest.key, storedValue: inner.fields[newest.key],
                    revision: newest.value)
            }
            if inner.placed > since, !own.contains(inner.placed) {
                return ConcertEditConflict(reason: .edited, node: inner.id, revision: inner.placed)
            }
        }
        return nil
    }

    // MARK: Helpers

    private static func checkField(
        _ name: String, _ value: String?, of kind: ConcertNodeKind
    ) throws(ConcertEditFault) {
        guard kind.fieldNames.contains(name) else { throw .unknownField(name, of: kind) }
        let (bytes, limit) = (value?.utf8.count ?? 0, ConcertNodeKind.longestFieldBytes(of: name))
        guard bytes <= limit else { throw .fieldTooLong(field: name, bytes: bytes, limit: limit) }
    }

    private func checkParent(_ parent: ConcertNodeID, of kind: ConcertNodeKind) throws(ConcertEditFault) {
        guard let above = nodes[parent] else { throw .noSuchNode(parent.rawValue) }
        guard let wanted = kind.parentKind, above.kind == wanted else { throw .wrongParentKind(kind) }
    }

    /// The conflict if a node was removed, by itself or with one above it.
    private func removalConflict(at id: ConcertNodeID) -> ConcertEditConflict? {
        self[id] == nil ? nodes[id].map { removalConflict(of: $0, nil, nil) } : nil
    }

    private func removalConflict(of node: ConcertNode, _ field: String?, _ mine: String?)
        -> ConcertEditConflict
    {
        ConcertEditConflict(
            reason: .removed, node: node.id, field: field, proposedValue: mine, storedValue: nil,
            revision: node.removed ?? node.newestRevision)
    }

    /// Refuses an edit that would insert too many nodes of a kind, before any of it is applied.
    private func checkGrowth(_ changes: [ConcertChange]) throws(ConcertEditFault) {
        var made: [ConcertNodeKind: Int] = [:]
        for case .insertNode(_, let kind, _, _, _) in changes { made[kind, default: 0] += 1 }
        for (kind, count) in made where count > kind.mostNodesInConcert {
            throw .tooManyNodes(kind, count: self.countNodes(kind) + count)
        }
    }

    /// Refuses an edit that would make a node invalid as a whole, though each of its fields may be valid.
    /// - Parameter fault: returns a sentence for an invalid node, nil for a valid one.
    func checkEntries(_ outcome: EditOutcome, with fault: ConcertChecks.Entry) throws(ConcertEditFault) {
        var written = Set(outcome.writtenFields.map(\.node))
        for case .presence(let id, isThere: true) in outcome.effects { written.insert(id) }
        for id in written.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let node = self[id], let sentence = fault(node) else { continue }
            throw .invalidEntry(id, sentence: sentence)
        }
    }

    /// Throws if the edit leaves more nodes of a kind than a concert may have. Counts only if the edit added nodes.
    func checkNodeCounts(of outcome: EditOutcome) throws(ConcertEditFault) {
        let mayGrow = outcome.effects.contains { if case .presence(_, true) = $0 { true } else { false } }
        guard mayGrow else { return }
        for kind in ConcertNodeKind.allCases {
            let count = countNodes(kind)
            guard count <= kind.mostNodesInConcert else { throw .tooManyNodes(kind, count: count) }
        }
    }
}
