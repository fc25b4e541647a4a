/// A concert's content at one revision: its nodes in order, and what was removed of them.
public struct ContentTree: Equatable, Sendable {
    public internal(set) var revision: Int
    /// The removed ones too.
    var nodes: [ContentNodeID: ContentNode]
    /// By parent, in order; the removed ones too, so that who comes back finds the old place.
    private var order: [ContentNodeID: [ContentNodeID]]

    public init() {
        revision = 0
        nodes = [.root: ContentNode(id: .root, kind: .concert, parent: .root, rank: 0, placed: 0)]
        order = [:]
    }

    /// - Parameter nodes: the root among them.
    init(revision: Int, nodes: [ContentNodeID: ContentNode]) {
        self.revision = revision
        self.nodes = nodes
        order = Dictionary(grouping: nodes.values.filter { $0.id != .root }, by: \.parent).mapValues {
            $0.sorted { ($0.rank, $0.id.rawValue) < ($1.rank, $1.id.rawValue) }.map(\.id)
        }
    }

    public var root: ContentNode { nodes[.root] ?? ContentTree().root }

    /// A living node: neither it nor anything it stands in was removed.
    public subscript(id: ContentNodeID) -> ContentNode? {
        guard let node = nodes[id], isLiving(node) else { return nil }
        return node
    }

    /// The living children of a kind, in order.
    public func children(of id: ContentNodeID, _ kind: ContentKind) -> [ContentNode] {
        (order[id] ?? []).compactMap { nodes[$0] }.filter { $0.removed == nil && $0.kind == kind }
    }

    /// How many living nodes there are of a kind.
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

    /// Everything below a node, itself first, removed ones too.
    func branch(of id: ContentNodeID) -> [ContentNode] {
        var found: [ContentNode] = []
        var waiting = [id]
        while let next = waiting.popLast() {
            if let node = nodes[next] { found.append(node) }
            waiting += order[next] ?? []
        }
        return found
    }

    /// The next living sibling of the same kind; nil for the last.
    func next(after node: ContentNode) -> ContentNodeID? {
        let siblings = children(of: node.parent, node.kind).map(\.id)
        guard let index = siblings.firstIndex(of: node.id), index + 1 < siblings.count else { return nil }
        return siblings[index + 1]
    }

    /// The next sibling, whatever it is and though it was removed: the way back to exactly this place.
    func neighbour(after node: ContentNode) -> ContentNodeID? {
        guard let siblings = order[node.parent], let index = siblings.firstIndex(of: node.id),
            index + 1 < siblings.count
        else { return nil }
        return siblings[index + 1]
    }

    /// Puts a node before a sibling, or behind all of them.
    /// - Returns: the nodes whose rank has changed.
    mutating func put(_ node: ContentNode, before sibling: ContentNodeID?) -> [ContentNodeID] {
        var node = node
        if sibling == nil, nodes[node.id] == nil {
            // The usual case, made quick for imports.
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
        // No room between the two: all get new ranks.
        for (place, id) in siblings.enumerated() { nodes[id]?.rank = Int64(place + 1) * Self.gap }
        return siblings
    }

    private static let gap: Int64 = 1 << 20
}

/// One thing of a concert: what it is, where it stands, what is written of it.
public struct ContentNode: Equatable, Sendable {
    public let id: ContentNodeID
    public let kind: ContentKind
    public internal(set) var parent: ContentNodeID
    var rank: Int64
    /// The revision that put it where it is.
    public internal(set) var placed: Int
    /// The revision that removed it; nil for one that is there.
    public internal(set) var removed: Int?
    public internal(set) var fields: [String: String] = [:]
    /// The revision that set each field, those that were emptied too.
    public internal(set) var revisions: [String: Int] = [:]

    init(id: ContentNodeID, kind: ContentKind, parent: ContentNodeID, rank: Int64, placed: Int) {
        self.id = id
        self.kind = kind
        self.parent = parent
        self.rank = rank
        self.placed = placed
    }

    public subscript(field: String) -> String { fields[field] ?? "" }

    /// The newest revision that changed anything of it.
    var newest: Int { max(placed, removed ?? 0, revisions.values.max() ?? 0) }
}
