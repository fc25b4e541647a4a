/// A concert's content at one revision: its nodes in order, including removed ones.
public struct ContentTree: Equatable, Sendable {
    public internal(set) var revision: Int
    /// All nodes, including removed ones.
    var nodes: [ContentNodeID: ContentNode]
    /// Children by parent, in order, including removed ones, so that a restored node returns to its old place.
    private var order: [ContentNodeID: [ContentNodeID]]

    public init() {
        revision = 0
        nodes = [.root: ContentNode(id: .root, kind: .concert, parent: .root, rank: 0, placed: 0)]
        order = [:]
    }

    /// - Parameter nodes: must contain the root.
    init(revision: Int, nodes: [ContentNodeID: ContentNode]) {
        self.revision = revision
        self.nodes = nodes
        order = Dictionary(grouping: nodes.values.filter { $0.id != .root }, by: \.parent).mapValues {
            $0.sorted { ($0.rank, $0.id.rawValue) < ($1.rank, $1.id.rawValue) }.map(\.id)
        }
    }

    public var root: ContentNode { nodes[.root] ?? ContentTree().root }

    /// The node of this id, if neither it nor any of its parents was removed.
    public subscript(id: ContentNodeID) -> ContentNode? {
        guard let node = nodes[id], isLiving(node) else { return nil }
        return node
    }

    /// The children of one kind that were not removed, in order.
    public func children(of id: ContentNodeID, _ kind: ContentKind) -> [ContentNode] {
        (order[id] ?? []).compactMap { nodes[$0] }.filter { $0.removed == nil && $0.kind == kind }
    }

    /// The number of nodes of one kind, not counting removed ones.
    public func count(_ kind: ContentKind) -> Int {
        nodes.values.count { $0.kind == kind && isLiving($0) }
    }

    private func isLiving(_ node: ContentNode) -> Bool {
        var node = node
        while node.removed == nil {
            if node.id == .root { return true }
            guard let parent = nodes[node.parent] else { return false }
            node = parent
        }
        return false
    }

    /// A node and everything below it, the node first, including removed ones.
    func branch(of id: ContentNodeID) -> [ContentNode] {
        var found: [ContentNode] = []
        var waiting = [id]
        while let next = waiting.popLast() {
            if let node = nodes[next] { found.append(node) }
            waiting += order[next] ?? []
        }
        return found
    }

    /// The next sibling of the same kind that was not removed; nil for the last.
    func next(after node: ContentNode) -> ContentNodeID? {
        let siblings = children(of: node.parent, node.kind).map(\.id)
        guard let index = siblings.firstIndex(of: node.id), index + 1 < siblings.count else { return nil }
        return siblings[index + 1]
    }

    /// The next sibling of any kind, even if it was removed: needed to return to exactly this place.
    func neighbour(after node: ContentNode) -> ContentNodeID? {
        guard let siblings = order[node.parent], let index = siblings.firstIndex(of: node.id),
            index + 1 < siblings.count
        else { return nil }
        return siblings[index + 1]
    }

    /// Puts a node before a sibling, or after all of them.
    /// - Returns: the nodes whose rank has changed.
    mutating func put(_ node: ContentNode, before sibling: ContentNodeID?) -> [ContentNodeID] {
        var node = node
        if sibling == nil, nodes[node.id] == nil {
            // The usual case, made fast for imports.
            node.rank = (order[node.parent]?.last.flatMap { nodes[$0]?.rank } ?? 0) + Self.gap
            nodes[node.id] = node
            order[node.parent, default: []].append(node.id)
            return [node.id]
        }
        if let old = nodes[node.id] { order[old.parent]?.removeAll { $0 == node.id } }
        var siblings = order[node.parent] ?? []
        let index = sibling.flatMap { siblings.firstIndex(of: $0) } ?? siblings.count
        let below = index > 0 ? nodes[siblings[index - 1]]?.rank ?? 0 : 0
        let above = index < siblings.count ? nodes[siblings[index]]?.rank : nil
        siblings.insert(node.id, at: index)
        order[node.parent] = siblings
        node.rank = above.map { below + ($0 - below) / 2 } ?? below + Self.gap
        nodes[node.id] = node
        guard node.rank <= below else { return [node.id] }
        // No rank is free between the two: all siblings get new ranks.
        for (place, id) in siblings.enumerated() { nodes[id]?.rank = Int64(place + 1) * Self.gap }
        return siblings
    }

    private static let gap: Int64 = 1 << 20
}

/// One node of a concert: its kind, its place, its fields.
public struct ContentNode: Equatable, Sendable {
    public let id: ContentNodeID
    public let kind: ContentKind
    public internal(set) var parent: ContentNodeID
    var rank: Int64
    /// The revision that put the node at its present place.
    public internal(set) var placed: Int
    /// The revision that removed the node; nil if it was not removed.
    public internal(set) var removed: Int?
    public internal(set) var fields: [String: String] = [:]
    /// The revision that last set each field, including fields that were cleared.
    public internal(set) var revisions: [String: Int] = [:]

    init(id: ContentNodeID, kind: ContentKind, parent: ContentNodeID, rank: Int64, placed: Int) {
        self.id = id
        self.kind = kind
        self.parent = parent
        self.rank = rank
        self.placed = placed
    }

    public subscript(field: String) -> String { fields[field] ?? "" }

    /// The newest revision that changed anything about the node.
    var newest: Int { max(placed, removed ?? 0, revisions.values.max() ?? 0) }
}
