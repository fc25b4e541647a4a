import Basics
import Platform
import Tablature

/// The fermatas of a MusicXML score, whatever its instruments.
public enum MusicXMLHolds {
    /// A fermata in a measure: over notes or rests of any part, or over the measure's end.
    public struct Hold: Equatable, Sendable {
        /// The number that is printed at the measure.
        public var measure: Int
        /// The part of the measure that has passed where the hold begins and ends, 0…1.
        public var begin: Double
        public var end: Double

        public init(measure: Int, begin: Double, end: Double) {
            (self.measure, self.begin, self.end) = (measure, begin, end)
        }
    }

    /// At most this many holds of a score are used.
    public static let most = 1_000

    /// Reads the holds in the order of the score; those that overlap are one. Measures without a number have none.
    /// - Throws: ``ExplainedError`` for XML that is damaged, too large, or no score.
    public static func read(_ bytes: [UInt8], name: String) throws(ExplainedError) -> [Hold] {
        let root = try XMLNode.parse(bytes, name)
        let parts = MusicXMLReader.measures(of: root)
        guard !parts.isEmpty else {
            throw ExplainedError("\(name) is no MusicXML score; export it again from the notation program.")
        }
        var holds: [Hold] = []
        var divisions = Array(repeating: 1, count: parts.count)
        for index in 0..<(parts.map(\.measures.count).max() ?? 0) {
            var length = Fraction.zero
            var held: [ClosedRange<Fraction>] = []
            for (part, divided) in zip(parts, divisions.indices) where index < part.measures.count {
                var walk = Walk(divisions: divisions[divided])
                walk.pass(part.measures[index])
                length = max(length, walk.length)
                held += walk.held + (walk.isHeldAtEnd ? [walk.length...walk.length] : [])
                divisions[divided] = walk.divisions
            }
            let measure = parts.lazy.compactMap { index < $0.measures.count ? $0.measures[index] : nil }.first
            guard let number = measure?.intAttribute("number"), length > .zero else { continue }
            for each in joined(held) {
                holds.append(
                    Hold(
                        measure: number, begin: each.lowerBound.value / length.value,
                        end: min(each.upperBound.value / length.value, 1)))
            }
            if holds.count >= most { break }
        }
        return Array(holds.prefix(most))
    }

    private static func joined(_ ranges: [ClosedRange<Fraction>]) -> [ClosedRange<Fraction>] {
        var result: [ClosedRange<Fraction>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound < last.upperBound || range == last {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    /// A walk through a measure of one part; places in quarters from its beginning.
    private struct Walk {
        var divisions: Int
        var place = Fraction.zero
        var length = Fraction.zero
        var held: [ClosedRange<Fraction>] = []
        var isHeldAtEnd = false
        /// The onset of the newest note, for the other notes of its chord.
        private var onset = Fraction.zero

        init(divisions: Int) { self.divisions = divisions }

        mutating func pass(_ measure: XMLNode) {
            for item in measure.children {
                switch item.name {
                case "attributes": divisions = max(item.int("divisions") ?? divisions, 1)
                case "backup": place = max(place - duration(item), .zero)
                case "forward": advance(duration(item))
                case "note": passNote(item)
                case "barline":
                    if item.has("fermata"), item.attributes["location"] ?? "right" == "right" {
                        isHeldAtEnd = true
                    }
                default: continue
                }
            }
        }

        private mutating func passNote(_ note: XMLNode) {
            // Grace notes have no duration, and are held with the note that follows.
            guard !note.has("grace"), !note.has("cue") || note.has("duration") else { return }
            let length = duration(note)
            if !note.has("chord") { onset = place }
            if note.all("notations").contains(where: { $0.has("fermata") }), length > .zero {
                held.append(onset...(onset + length))
            }
            if !note.has("chord") { advance(length) }
        }

        private mutating func advance(_ duration: Fraction) {
            place = place + duration
            length = max(length, place)
        }

        private func duration(_ item: XMLNode) -> Fraction {
            Fraction(min(max(item.int("duration") ?? 0, 0), 1_000_000), divisions)
        }
    }
}
