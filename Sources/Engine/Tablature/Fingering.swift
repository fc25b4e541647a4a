/// Chooses strings and frets for pitches, so that the hand moves little.
///
/// For each chord, all ways of playing it are weighed: low frets, a small stretch, open strings. A dynamic programme
/// over the chords then finds the sequence with the least sum of these weights and of the ways of the hand. At most
/// ``mostShapes`` ways of a chord are kept; the cost is chords × ways².
public struct Fingering: Sendable {
    /// A string, counted from 1, and its fret.
    public struct Finger: Hashable, Sendable {
        public var string: Int
        public var fret: Int
    }

    static let mostShapes = 24
    /// The frets that a hand reaches without moving.
    static let reach = 4

    fileprivate struct Shape {
        /// As long as the chord; nil for a note that has no string left.
        var fingers: [Finger?]
        /// The lowest fret that is not open; nil if all are open.
        var position: Int?
        var cost: Double
    }

    let strings: [Int]
    let frets: Int

    /// - Parameter strings: the open strings with the capo, string 1 first.
    public init(strings: [Int], frets: Int) {
        self.strings = strings
        self.frets = frets
    }

    /// The strings and frets of chords that follow each other; nil for a note that cannot be played.
    public func choose(_ chords: [[Int]]) -> [[Finger?]] {
        guard !strings.isEmpty else { return chords.map { $0.map { _ in nil } } }
        var layers: [[Shape]] = []
        var origins: [[Int]] = []
        var costs: [Double] = []
        var positions: [Int] = []
        for chord in chords {
            let shapes = shapes(of: chord)
            guard !layers.isEmpty else {
                layers.append(shapes)
                origins.append(shapes.map { _ in 0 })
                costs = shapes.map(\.cost)
                positions = shapes.map { $0.position ?? 1 }
                continue
            }
            var (next, from, hand): ([Double], [Int], [Int]) = ([], [], [])
            for shape in shapes {
                var best = (cost: Double.infinity, index: 0)
                for (index, cost) in costs.enumerated() {
                    let way = shape.position.map { abs($0 - positions[index]) } ?? 0
                    let sum = cost + shape.cost + Double(max(0, way - 1)) * 1.5 + Double(min(way, 1)) * 0.5
                    if sum < best.cost { best = (sum, index) }
                }
                next.append(best.cost)
                from.append(best.index)
                hand.append(shape.position ?? positions[best.index])
            }
            layers.append(shapes)
            origins.append(from)
            (costs, positions) = (next, hand)
        }
        guard var index = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return [] }
        var chosen: [[Finger?]] = []
        for layer in layers.indices.reversed() {
            chosen.append(layers[layer][index].fingers)
            index = origins[layer][index]
        }
        return chosen.reversed()
    }

    /// One chord alone, without the strings that are taken.
    public func place(_ chord: [Int], without taken: Set<Int>) -> [Finger?] {
        shapes(of: chord, without: taken)[0].fingers
    }

    /// The best ways of playing a chord, at least one, best first.
    private func shapes(of chord: [Int], without taken: Set<Int> = []) -> [Shape] {
        var partial: [Shape] = [Shape(fingers: [], position: nil, cost: 0)]
        for pitch in chord {
            var grown: [Shape] = []
            for shape in partial {
                let used = Set(shape.fingers.compactMap { $0?.string }).union(taken)
                for (index, open) in strings.enumerated()
                where pitch >= open && pitch - open <= frets && !used.contains(index + 1) {
                    grown.append(shape.adding(Finger(string: index + 1, fret: pitch - open)))
                }
                grown.append(shape.leavingOut())
            }
            grown.sort { $0.cost < $1.cost }
            partial = Array(grown.prefix(Self.mostShapes))
        }
        return partial
    }
}

extension Fingering.Shape {
    fileprivate func adding(_ finger: Fingering.Finger) -> Self {
        var shape = self
        shape.fingers.append(finger)
        guard finger.fret > 0 else { return shape }
        let others = fingers.compactMap { $0?.fret }.filter { $0 > 0 }
        let (low, high) = (min(others.min() ?? finger.fret, finger.fret), max(others.max() ?? 0, finger.fret))
        let before = others.isEmpty ? 0 : max(0, others.max()! - others.min()! - Fingering.reach + 1)
        let stretch = max(0, high - low - Fingering.reach + 1)
        shape.position = low
        shape.cost += 0.3 + Double(finger.fret) * 0.12 + Double(stretch - before) * 8
        return shape
    }

    /// The shape with one note more that is not played.
    fileprivate func leavingOut() -> Self {
        var shape = self
        shape.fingers.append(nil)
        shape.cost += 1_000
        return shape
    }
}
