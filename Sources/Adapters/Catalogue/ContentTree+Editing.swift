/// Applies edits to a concert's tree: checks them against other people's changes, then makes all of them or none.
extension ContentTree {
    /// The effects of an edit on the tree.
    struct Outcome {
        var effects: [ContentEffect] = []
        /// The nodes whose database rows must be written.
        var touched: Set<ContentNodeID> = []
        var fields: [FieldKey] = []
    }

    struct FieldKey: Hashable {
        var node: ContentNodeID
        var name: String
    }

    /// Applies an edit to the tree as its next revision.
    ///
    /// A change is accepted if nobody else changed the same field or node since the edit's base revision; writing the
    /// same text twice is no conflict.
    /// - Throws: ``ContentFault``; then the tree must be discarded.
    mutating func apply(_ edit: ContentEdit) throws(ContentFault) -> Outcome {
        let base = edit.base ?? revision
        guard base <= revision else { throw .baseTooNew(base: base, newest: revision) }
        try checkGrowth(edit.changes)
        var outcome = Outcome()
        var conflicts: [ContentConflict] = []
        let next = revision + 1
        for change in edit.changes {
            switch change {
            case .set(let id, let name, let value):
                try set(id, name, value, base, next, &outcome, &conflicts)
            case .insert(let id, let kind, let parent, let sibling, let fields):
                try insert(id, kind, parent, sibling, fields, next, &outcome, &conflicts)
            case .remove(let id): try remove(id, base, next, &outcome, &conflicts)
            case .move(let id, let parent, let sibling):
                try move(id, parent, sibling, base, next, &outcome, &conflicts)
            }
        }
        guard conflicts.isEmpty else { throw .conflicts(conflicts) }
        try checkCounts(of: outcome)
        if !outcome.effects.isEmpty { revision = next }
        return outcome
    }

    private mutating func set(
        _ id: ContentNodeID, _ name: String, _ value: String?, _ base: Int, _ next: Int,
        _ outcome: inout Outcome, _ conflicts: inout [ContentConflict]
    ) throws(ContentFault) {
        guard let node = nodes[id] else { throw .noSuchNode(id.rawValue) }
        let value = value.flatMap { $0.isEmpty ? nil : $0 }
        try Self.checkField(name, value, of: node.kind)
        guard self[id] != nil else { return conflicts.append(removalConflict(of: node, name, value)) }
        guard node.fields[name] != value else { return }
        if let newer = node.revisions[name], newer > base, newer < next {
            return conflicts.append(
                ContentConflict(
                    reason: .field, node: id, field: name, mine: value, theirs: node.fields[name],
                    revision: newer))
        }
        outcome.effects.append(.field(id, name, from: node.fields[name], to: value))
        write(id, name, value, next, &outcome)
    }

    private mutating func insert(
        _ id: ContentNodeID, _ kind: ContentKind, _ parent: ContentNodeID, _ sibling: ContentNodeID?,
        _ fields: [String: String], _ next: Int, _ outcome: inout Outcome,
        _ conflicts: inout [ContentConflict]
    ) throws(ContentFault) {
        guard nodes[id] == nil else { throw .nodeTaken(id.rawValue) }
        guard let above = nodes[parent] else { throw .noSuchNode(parent.rawValue) }
        guard let wanted = kind.parent, above.kind == wanted else { throw .wrongPlace(kind) }
        for (name, value) in fields { try Self.checkField(name, value, of: kind) }
        guard self[parent] != nil else { return conflicts.append(removalConflict(of: above, nil, nil)) }
        var node = ContentNode(id: id, kind: kind, parent: parent, rank: 0, placed: next)
        for (name, value) in fields where !value.isEmpty {
            node.fields[name] = value
            node.revisions[name] = next
            outcome.fields.append(FieldKey(node: id, name: name))
        }
        outcome.touched.formUnion(put(node, before: sibling))
        outcome.effects.append(.presence(id, isThere: true))
    }

    private mutating func remove(
        _ id: ContentNodeID, _ base: Int, _ next: Int, _ outcome: inout Outcome,
        _ conflicts: inout [ContentConflict]
    ) throws(ContentFault) {
        guard let node = nodes[id] else { throw .noSuchNode(id.rawValue) }
        guard id != .root else { throw .wrongPlace(.concert) }
        guard self[id] != nil else { return }
        for inner in branch(of: id) where inner.newestRevision > base && inner.newestRevision < next {
            let newest = inner.revisions.max { $0.value < $1.value }
            conflicts.append(
                ContentConflict(
                    reason: .edited, node: inner.id, field: newest?.key,
                    theirs: newest.flatMap { inner.fields[$0.key] }, revision: inner.newestRevision))
            return
        }
        outcome.effects.append(.presence(node.id, isThere: false))
        setPresence(id, false, next, &outcome)
    }

    private mutating func move(
        _ id: ContentNodeID, _ parent: ContentNodeID, _ sibling: ContentNodeID?, _ base: Int, _ next: Int,
        _ outcome: inout Outcome, _ conflicts: inout [ContentConflict]
    ) throws(ContentFault) {
        guard let node = nodes[id] else { throw .noSuchNode(id.rawValue) }
        guard let above = nodes[parent] else { throw .noSuchNode(parent.rawValue) }
        guard let wanted = node.kind.parent, above.kind == wanted else { throw .wrongPlace(node.kind) }
        guard self[id] != nil else { return conflicts.append(removalConflict(of: node, nil, nil)) }
        guard self[parent] != nil else { return conflicts.append(removalConflict(of: above, nil, nil)) }
        let isThere = node.parent == parent && self.next(after: node) == sibling
        guard !isThere, sibling != id else { return }
        let old = ContentEffect.Place(parent: node.parent, before: nextSiblingIncludingRemoved(after: node))
        let new = ContentEffect.Place(parent: parent, before: sibling)
        if node.placed > base, node.placed < next {
            return conflicts.append(ContentConflict(reason: .moved, node: id, revision: node.placed))
        }
        outcome.effects.append(.place(id, from: old, to: new))
        setPlace(id, new, next, &outcome)
    }

    // MARK: Undo and redo

    /// Applies recorded effects as the tree's next revision, if the tree still has the values that the effects expect.
    /// - Parameters:
    ///   - since: the revision that is undone.
    ///   - own: later revisions of the same author; undoing them loses nobody else's work.
    mutating func replay(
        _ effects: [ContentEffect], since: Int, own: Set<Int>
    ) throws(ContentFault) -> Outcome {
        var outcome = Outcome()
        var conflicts: [ContentConflict] = []
        let next = revision + 1
        for effect in effects {
            switch effect {
            case .field(let id, let name, let from, let to):
                guard let node = nodes[id] else { throw .noSuchNode(id.rawValue) }
                guard node.fields[name] == from else {
                    conflicts.append(
                        ContentConflict(
                            reason: .field, node: id, field: name, mine: to, theirs: node.fields[name],
                            revision: node.revisions[name] ?? 0))
                    continue
                }
                write(id, name, to, next, &outcome)
                outcome.effects.append(effect)
            case .presence(let id, let isThere):
                guard let node = nodes[id] else { throw .noSuchNode(id.rawValue) }
                guard (node.removed == nil) != isThere else { continue }
                if !isThere, let conflict = laterChange(in: id, since: since, own: own) {
                    conflicts.append(conflict)
                    continue
                }
                setPresence(id, isThere, next, &outcome)
                outcome.effects.append(effect)
            case .place(let id, _, let to):
                guard let node = nodes[id] else { throw .noSuchNode(id.rawValue) }
                guard self[to.parent] != nil else {
                    conflicts.append(
                        ContentConflict(
                            reason: .removed, node: to.parent, revision: nodes[to.parent]?.removed ?? 0))
                    continue
                }
                // A redo returns the node to its present place, whatever was inserted after it in the meantime.
                let now = ContentEffect.Place(
                    parent: node.parent, before: nextSiblingIncludingRemoved(after: node))
                outcome.effects.append(.place(id, from: now, to: to))
                setPlace(node.id, to, next, &outcome)
            }
        }
        guard conflicts.isEmpty else { throw .conflicts(conflicts) }
        try checkCounts(of: outcome)
        revision = next
        return outcome
    }

    /// Finds a change that somebody else made at or below a node after a revision; nil if there is none.
    private func laterChange(in id: ContentNodeID, since: Int, own: Set<Int>) -> ContentConflict? {
        for inner in branch(of: id) {
            let newest = inner.revisions.filter { $0.value > since && !own.contains($0.value) }
                .max { $0.value < $1.value }
            if let newest {
                return ContentConflict(
                    reason: .edited, node: inner.id, field: newest.key, theirs: inner.fields[newest.key],
                    revision: newest.value)
            }
            if inner.placed > since, !own.contains(inner.placed) {
                return ContentConflict(reason: .edited, node: inner.id, revision: inner.placed)
            }
        }
        return nil
    }

    // MARK: Helpers

    mutating func write(
        _ id: ContentNodeID, _ name: String, _ value: String?, _ next: Int, _ outcome: inout Outcome
    ) {
        nodes[id]?.fields[name] = value
        nodes[id]?.revisions[name] = next
        outcome.fields.append(FieldKey(node: id, name: name))
    }

    mutating func setPresence(
        _ id: ContentNodeID, _ isThere: Bool, _ next: Int, _ outcome: inout Outcome
    ) {
        nodes[id]?.removed = isThere ? nil : next
        // Whoever edits a node that was removed and restored in the meantime must be told, so it counts as placed
        // anew.
        if isThere { nodes[id]?.placed = next }
        outcome.touched.insert(id)
    }

    mutating func setPlace(
        _ id: ContentNodeID, _ place: ContentEffect.Place, _ next: Int, _ outcome: inout Outcome
    ) {
        guard var node = nodes[id] else { return }
        node.parent = place.parent
        node.placed = next
        outcome.touched.formUnion(put(node, before: place.before))
    }

    private static func checkField(
        _ name: String, _ value: String?, of kind: ContentKind
    ) throws(ContentFault) {
        guard kind.fields.contains(name) else { throw .unknownField(name, of: kind) }
        let (bytes, limit) = (value?.utf8.count ?? 0, ContentKind.longestBytes(of: name))
        guard bytes <= limit else { throw .tooLong(field: name, bytes: bytes, limit: limit) }
    }

    private func removalConflict(of node: ContentNode, _ field: String?, _ mine: String?) -> ContentConflict {
        ContentConflict(
            reason: .removed, node: node.id, field: field, mine: mine, theirs: nil,
            revision: node.removed ?? node.newestRevision)
    }

    /// Refuses an edit that would insert too many nodes of a kind, before any of it is applied.
    private func checkGrowth(_ changes: [ContentChange]) throws(ContentFault) {
        var made: [ContentKind: Int] = [:]
        for case .insert(_, let kind, _, _, _) in changes { made[kind, default: 0] += 1 }
        for (kind, count) in made where count > kind.mostInConcert {
            throw .tooMany(kind, count: self.count(kind) + count)
        }
    }

    /// Refuses an edit that would make a node invalid as a whole, though each of its fields may be valid.
    /// - Parameter fault: returns a sentence for an invalid node, nil for a valid one.
    func checkEntries(_ outcome: Outcome, with fault: EntryCheck) throws(ContentFault) {
        var written = Set(outcome.fields.map(\.node))
        for case .presence(let id, isThere: true) in outcome.effects { written.insert(id) }
        for id in written.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let node = self[id], let sentence = fault(node) else { continue }
            throw .invalidEntry(id, sentence: sentence)
        }
    }

    /// Throws if the edit leaves more nodes of a kind than a concert may have. Counts only if the edit added nodes.
    func checkCounts(of outcome: Outcome) throws(ContentFault) {
        let mayGrow = outcome.effects.contains { if case .presence(_, true) = $0 { true } else { false } }
        guard mayGrow else { return }
        for kind in ContentKind.allCases {
            let count = count(kind)
            guard count <= kind.mostInConcert else { throw .tooMany(kind, count: count) }
        }
    }
}
