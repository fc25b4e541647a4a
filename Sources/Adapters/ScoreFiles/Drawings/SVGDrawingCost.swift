/// Estimates the cost of drawing, counting every repetition: with nested `<use>`, ten lines can draw billions of
/// shapes.
struct SVGDrawingCost {
    /// An element of the drawing, with the elements that it draws in addition to its own shape.
    private struct Node {
        var ownCost: Int
        var children: [Int] = []
        var references: [SVGStyleSanitizer.Reference] = []
        /// An upper bound for the number of corners of the element's outline; a marker is drawn at each corner.
        var corners: Int
        /// The keys by which the rules of a style sheet find the element: `#id`, `.class`, its name and `*`.
        var selectorKeys: [String]
    }

    private var nodes: [Node] = []
    private var byID: [String: [Int]] = [:]
    private var rules: [String: [SVGStyleSanitizer.Reference]] = [:]

    /// Adds an element.
    /// - Returns: the element's number, for its children.
    mutating func add(
        _ name: String, id: String?, classes: String, references: [SVGStyleSanitizer.Reference],
        lineBytes: Int,
        in parent: Int?
    ) -> Int {
        let own = name.hasPrefix("fe") ? SVGAllowlist.filterWeight : 1
        var keys = classes.split { $0.isWhitespace }.map { ".\($0)" } + [name, "*"]
        if let id {
            keys.append("#\(id)")
            byID[id, default: []].append(nodes.count)
        }
        nodes.append(
            Node(ownCost: own, references: references, corners: 1 + lineBytes / 4, selectorKeys: keys))
        if let parent { nodes[parent].children.append(nodes.count - 1) }
        return nodes.count - 1
    }

    mutating func add(_ sheet: SVGStyleSanitizer.StyleSheet) {
        rules.merge(sheet.references) { $0 + $1 }
    }

    /// - Throws: if the drawing is too heavy, or refers to itself.
    func check() throws(SVGFault) {
        guard !nodes.isEmpty else { return }
        var known = [Int?](repeating: nil, count: nodes.count)
        var open = [Bool](repeating: false, count: nodes.count)
        _ = try weigh(0, &known, &open, steps: 0)
    }

    private func weigh(
        _ index: Int, _ known: inout [Int?], _ open: inout [Bool], steps: Int
    ) throws(SVGFault) -> Int {
        if let weight = known[index] { return weight }
        let node = nodes[index]
        guard !open[index], steps < SVGAllowlist.maximumReferenceChain else {
            throw .circularReference(node.selectorKeys.last.map { String($0.drop { $0 == "#" }) } ?? "")
        }
        open[index] = true
        var weight = node.ownCost
        for child in node.children {
            weight += try weigh(child, &known, &open, steps: steps + 1)
            guard weight <= SVGAllowlist.maximumShapes else { throw .tooHeavy }
        }
        for list in [node.references] + node.selectorKeys.compactMap({ rules[$0] }) {
            for reference in list {
                // Each reference costs at least one, because it must be looked up even if its target does not exist.
                weight += 1
                for target in byID[reference.id] ?? [] {
                    let drawn = try weigh(target, &known, &open, steps: steps + 1)
                    weight += drawn * (reference.isMarker ? node.corners : 1)
                }
                guard weight <= SVGAllowlist.maximumShapes else { throw .tooHeavy }
            }
        }
        open[index] = false
        known[index] = weight
        return weight
    }
}
