import Basics

/// Estimates the cost of drawing, counting every repetition: with nested `<use>`, ten lines can draw billions of
/// shapes.
struct SVGDrawingCost {
    /// An element of the drawing, with the elements that it draws in addition to its own shape.
    private struct Node {
        var ownCost: Int
        var children: [Int] = []
        var references: [SVGStyleSanitizer.DrawingPartReference] = []
        /// An upper bound for the number of corners of the element's outline; a marker is drawn at each corner.
        var maximumCorners: Int
        /// The keys by which the rules of a style sheet find the element: `#id`, `.class`, its name and `*`.
        var selectorKeys: [String]
    }

    private var nodes: [Node] = []
    private var nodeNumbersByID: [String: [Int]] = [:]
    private var referencesBySelector: [String: [SVGStyleSanitizer.DrawingPartReference]] = [:]

    /// Adds an element.
    /// - Returns: the element's number, for its children.
    mutating func addElement(
        _ name: String, id: String?, classes: String, references: [SVGStyleSanitizer.DrawingPartReference],
        lineBytes: Int,
        in parent: Int?
    ) -> Int {
        let own = name.hasPrefix("fe") ? SVGAllowlist.filterCostInShapes : 1
        var keys = classes.split { $0.isWhitespace }.map { ".\($0)" } + [name, "*"]
        if let id {
            keys.append("#\(id)")
            nodeNumbersByID[id, default: []].append(nodes.count)
        }
        nodes.append(
            Node(ownCost: own, references: references, maximumCorners: 1 + lineBytes / 4, selectorKeys: keys))
        if let parent { nodes[parent].children.append(nodes.count - 1) }
        return nodes.count - 1
    }

    mutating func addStyleSheet(_ sheet: SVGStyleSanitizer.StyleSheet) {
        referencesBySelector.merge(sheet.references) { $0 + $1 }
    }

    /// - Throws: if the drawing is too heavy, or refers to itself.
    func refuseExcessiveCost() throws(ExplainedError) {
        guard !nodes.isEmpty else { return }
        var known = [Int?](repeating: nil, count: nodes.count)
        var open = [Bool](repeating: false, count: nodes.count)
        _ = try computeCost(0, &known, &open, steps: 0)
    }

    private func computeCost(
        _ index: Int, _ known: inout [Int?], _ open: inout [Bool], steps: Int
    ) throws(ExplainedError) -> Int {
        if let weight = known[index] { return weight }
        let node = nodes[index]
        guard !open[index], steps < SVGAllowlist.maximumReferenceChain else {
            throw ExplainedError(
                "the part "
                    + "“\(quotableExcerpt((node.selectorKeys.last.map { String($0.drop { $0 == "#" }) } ?? "")))” "
                    + "refers to itself, or through too many others; simplify it.")
        }
        open[index] = true
        var weight = node.ownCost
        for child in node.children {
            weight += try computeCost(child, &known, &open, steps: steps + 1)
            guard weight <= SVGAllowlist.maximumDrawnShapes else {
                throw ExplainedError(
                    "with everything it repeats it draws more than \(SVGAllowlist.maximumDrawnShapes) "
                        + "shapes; save it as a PNG.")
            }
        }
        for list in [node.references] + node.selectorKeys.compactMap({ referencesBySelector[$0] }) {
            for reference in list {
                // Each reference costs at least one, because it must be looked up even if its target does not exist.
                weight += 1
                for target in nodeNumbersByID[reference.id] ?? [] {
                    let drawn = try computeCost(target, &known, &open, steps: steps + 1)
                    weight += drawn * (reference.isMarker ? node.maximumCorners : 1)
                }
                guard weight <= SVGAllowlist.maximumDrawnShapes else {
                    throw ExplainedError(
                        "with everything it repeats it draws more than \(SVGAllowlist.maximumDrawnShapes) "
                            + "shapes; save it as a PNG.")
                }
            }
        }
        open[index] = false
        known[index] = weight
        return weight
    }
}
