/// A concert's content at one revision: a tree of nodes, including removed ones.
public struct ConcertTree: Equatable, Sendable {
    public internal(set) var revision: Int
    /// All nodes, including removed ones.
    var nodes: [ConcertNodeID: ConcertNode]
    /// The ids of each node's children, in order. Removed children are included, so that a restored node returns to its
    /// old place.
    private var childOrder: [ConcertNodeID: [ConcertNodeID]]

    public init() {
        revision = 0
        nodes = [.root: ConcertNode(id: .root, kind: .concert, parent: .root, rank: 0, placed: 0)]
        childOrder = [:]
    }

    /// Makes a tree from its nodes.
    /// - Parameter nodes: must contain the root.
    init(revision: Int, nodes: [ConcertNodeID: ConcertNode]) {
        self.revision = revision
        self.nodes = nodes
        childOrder = Dictionary(grouping: nodes.values.filter { $0.id != .root }, by: \.parent).mapValues {
            $0.sorted { ($0.rank, $0.id.rawValue) < ($1.rank, $1.id.rawValue) }.map(\.id)
        }
    }

    public var root: ConcertNode { nodes[.root] ?? ConcertTree().root }

    /// Returns the node of this id; nil if the node or any of its parents was removed.
    public subscript(id: ConcertNodeID) -> ConcertNode? {
        guard let node = nodes[id], isLiving(node) else { return nil }
        return node
    }

    /// Returns a node's children of one kind that were not removed, in order.
    public func children(of id: ConcertNodeID, kind: ConcertNodeKind) -> [ConcertNode] {
        (childOrder[id] ?? []).compactMap { nodes[$0] }.filter { $0.removed == nil && $0.kind == kind }
    }

    /// Returns the number of nodes of one kind, not counting removed ones.
    public func countNodes(_ kind: ConcertNodeKind) -> Int {
        nodes.values.count { $0.kind == kind && isLiving($0) }
    }

    private func isLiving(_ node: ConcertNode) -> Bool {
        var node = node
        while node.removed == nil {
            if node.id == .root { return true }
            guard let parent = nodes[node.parent] else { return false }
            node = parent
        }
        return false
    }

    /// Returns a node and everything below it, the node first, including removed ones.
    func subtree(of id: ConcertNodeID) -> [ConcertNode] {
        var found: [ConcertNode] = []
        var waiting = [id]
        while let next = waiting.popLast() {
            if let node = nodes[next] { found.append(node) }
            waiting += childOrder[next] ?? []
        }
        return found
    }

    /// Returns the next sibling of the same kind that was not removed; nil for the last.
    func nextSibling(after node: ConcertNode) -> ConcertNodeID? {
        let siblings = children(of: node.parent, kind: node.kind).map(\.id)
        guard let index = siblings.firstIndex(of: node.id), index + 1 < siblings.count else { return nil }
        return siblings[index + 1]
    }

    /// Returns the next sibling of any kind, even if it was removed. An undo needs this sibling to return a node to
    /// exactly its old place.
    func nextSiblingIncludingRemoved(after node: ConcertNode) -> ConcertNodeID? {
        guard let siblings = childOrder[node.parent], let index = siblings.firstIndex(of: node.id),
            index + 1 < siblings.count
        else { return nil }
        return siblings[index + 1]
    }

    /// Puts a node before a sibling, or after all siblings.
    /// - Returns: the ids of the nodes whose rank has changed.
    mutating func putNode(_ node: ConcertNode, before sibling: ConcertNodeID?) -> [ConcertNodeID] {
        var node = node
        if sibling == nil, nodes[node.id] == nil {
            // Appending a new node is the usual case and must be fast for imports.
            node.rank = (childOrder[node.parent]?.last.flatMap { nodes[$0]?.rank } ?? 0) + Self.rankGap
            nodes[node.id] = node
            childOrder[node.parent, default: []].append(node.id)
            return [node.id]
        }
        if let old = nodes[node.id] { childOrder[old.parent]?.removeAll { $0 == node.id } }
        var siblings = childOrder[node.parent] ?? []
        let index = sibling.flatMap { siblings.firstIndex(of: $0) } ?? siblings.count
        let below = index > 0 ? nodes[siblings[index - 1]]?.rank ?? 0 : 0
        let above = index < siblings.count ? nodes[siblings[index]]?.rank : nil
        siblings.insert(node.id, at: index)
        childOrder[node.parent] = siblings
        node.rank = above.map { below + ($0 - below) / 2 } ?? below + Self.rankGap
        nodes[node.id] = node
        guard node.rank <= below else { return [node.id] }
        // No rank is free between the two: all siblings get new ranks.
        for (place, id) in siblings.enumerated() { nodes[id]?.rank = Int64(place + 1) * Self.rankGap }
        return siblings
    }

    private static let rankGap: Int64 = 1 << 20
}

/// One node of a concert: its kind, its place in the tree, its fields.
public struct ConcertNode: Equatable, Sendable {
    public let id: ConcertNodeID
    public let kind: ConcertNodeKind
    public internal(set) var parent: ConcertNodeID
    var rank: Int64
    /// The revision that put the node at its present place.
    public internal(set) var placed: Int
    /// The revision that removed the node; nil if it was not removed.
    public internal(set) var removed: Int?
    public internal(set) var fields: [String: String] = [:]
    /// The revision that last set each field, by the field's name. Fields that were cleared are included.
    public internal(set) var revisions: [String: Int] = [:]

    init(id: ConcertNodeID, kind: ConcertNodeKind, parent: ConcertNodeID, rank: Int64, placed: Int) {
        self.id = id
        self.kind = kind
        self.parent = parent
        self.rank = rank
        self.placed = placed
    }

    public subscript(field: String) -> String { fields[field] ?? "" }

    /// The newest revision that changed the node in any way.
    var newestRevision: Int { max(placed, removed ?? 0, revisions.values.max() ?? 0) }
}
