/// Computes a concert at an earlier revision, and the edit that restores it.
extension ConcertTree {
    /// Turns the tree back by one revision.
    /// - Parameter effects: the effects of the newest revision, in their order.
    mutating func rewind(_ effects: [ConcertEditEffect]) {
        for effect in effects.reversed().map(\.inverse) {
            switch effect {
            case .field(let id, let name, _, let to): nodes[id]?.fields[name] = to
            case .presence(let id, let isThere): nodes[id]?.removed = isThere ? nil : revision
            case .place(let id, _, let to):
                guard var node = nodes[id] else { continue }
                node.parent = to.parent
                _ = putNode(node, before: to.before)
            }
        }
        revision -= 1
    }

    /// Restores the texts, places and existence of a node and of everything below it from an earlier tree. Counts as
    /// the next revision.
    /// - Parameter then: this tree at an earlier revision, as ``rewind(_:)`` makes it.
    mutating func restore(_ then: ConcertTree, below id: ConcertNodeID) throws(ConcertEditFault)
        -> EditOutcome
    {
        guard let old = then[id] else { throw .noSuchNode(id.rawValue) }
        guard id == .root || self[old.parent] != nil else { throw .noSuchNode(old.parent.rawValue) }
        var outcome = EditOutcome(revision: revision + 1)
        var seen: Set<ConcertNodeID> = []
        let branch = (then.subtree(of: id) + self.subtree(of: id)).map(\.id).filter {
            seen.insert($0).inserted
        }
        let isThere = { (id: ConcertNodeID) in then.nodes[id]?.removed == nil }

        // Nodes are restored first and removed last, so that a node's parent exists at every step, also when this edit
        // is undone.
        for id in branch where isThere(id) && nodes[id]?.removed != nil {
            perform(.presence(id, isThere: true), &outcome)
        }
        for id in branch where isThere(id) { restoreFields(of: id, then, &outcome) }
        restorePlaces(of: branch.filter(isThere), then, &outcome)
        for id in branch where !isThere(id) && nodes[id]?.removed == nil {
            perform(.presence(id, isThere: false), &outcome)
        }
        try finish(outcome)
        return outcome
    }

    private mutating func restoreFields(
        of id: ConcertNodeID, _ then: ConcertTree, _ outcome: inout EditOutcome
    ) {
        guard let now = nodes[id], let old = then.nodes[id] else { return }
        for name in Set(now.fields.keys).union(old.fields.keys).sorted()
        where now.fields[name] != old.fields[name] {
            perform(.field(id, name, from: now.fields[name], to: old.fields[name]), &outcome)
        }
    }

    private mutating func restorePlaces(
        of branch: [ConcertNodeID], _ then: ConcertTree, _ outcome: inout EditOutcome
    ) {
        func move(_ id: ConcertNodeID, into parent: ConcertNodeID, before sibling: ConcertNodeID?) {
            guard let node = nodes[id] else { return }
            self.move(node, to: ConcertEditEffect.Place(parent: parent, before: sibling), &outcome)
        }
        for id in branch {
            guard let old = then.nodes[id], let now = nodes[id], now.parent != old.parent else { continue }
            move(id, into: old.parent, before: nil)
        }
        for parent in branch {
            guard let kind = then.nodes[parent]?.kind else { continue }
            for inner in ConcertNodeKind.allCases where inner.parentKind == kind {
                let wanted = then.children(of: parent, kind: inner).map(\.id)
                let kept = Set(wanted)
                var now = children(of: parent, kind: inner).map(\.id).filter(kept.contains)
                guard now.count == wanted.count, now != wanted else { continue }
                for index in wanted.indices.reversed() where now[index] != wanted[index] {
                    guard let from = now.firstIndex(of: wanted[index]) else { continue }
                    now.remove(at: from)
                    now.insert(wanted[index], at: index)
                    move(
                        wanted[index], into: parent,
                        before: index + 1 < wanted.count ? wanted[index + 1] : nil)
                }
            }
        }
    }
}

extension ConcertTree {
    /// Returns the changes that copy a node with everything below it, with new ids: parents before children, siblings
    /// in order.
    /// - Returns: also the id of the copy. For the root there is no new node; its fields are set.
    public func copyChanges(of id: ConcertNodeID) -> (copy: ConcertNodeID, changes: [ConcertChange]) {
        guard let node = self[id] else { return (id, []) }
        var changes: [ConcertChange] = []
        let copy = id == .root ? ConcertNodeID.root : .random()
        if id == .root {
            changes = node.fields.sorted { $0.key < $1.key }.map {
                .setField(.root, field: $0.key, to: $0.value)
            }
        } else {
            changes.append(.insertNode(copy, node.kind, in: node.parent, before: nil, fields: node.fields))
        }
        addCopies(below: id, as: copy, to: &changes)
        return (copy, changes)
    }

    private func addCopies(
        below id: ConcertNodeID, as copy: ConcertNodeID, to changes: inout [ConcertChange]
    ) {
        guard let kind = self[id]?.kind else { return }
        for inner in ConcertNodeKind.allCases where inner.parentKind == kind {
            for node in children(of: id, kind: inner) {
                let new = ConcertNodeID.random()
                changes.append(.insertNode(new, inner, in: copy, before: nil, fields: node.fields))
                addCopies(below: node.id, as: new, to: &changes)
            }
        }
    }
}
