/// Systems of a page, and the line between two of them at which a half turn cuts the page.
public enum HalfPageCut {
    /// A system of a page: the upper and the lower end of its measures, as shares of the upright page's height.
    public struct System: Hashable, Sendable {
        public var top: Double
        public var bottom: Double
    }

    /// Groups measures into systems, from top to bottom. Two measures belong to one system if they overlap by more
    /// than half of the lower one's height.
    /// - Parameter boxes: top and bottom of each measure.
    /// - Complexity: O(n log n).
    public static func systems(of boxes: [(top: Double, bottom: Double)]) -> [System] {
        var systems: [System] = []
        for box in boxes.sorted(by: { ($0.top, $0.bottom) < ($1.top, $1.bottom) }) {
            if let last = systems.last {
                let shared = min(last.bottom, box.bottom) - max(last.top, box.top)
                if shared > 0.5 * min(last.bottom - last.top, box.bottom - box.top) {
                    systems[systems.count - 1].bottom = max(last.bottom, box.bottom)
                    continue
                }
            }
            systems.append(System(top: box.top, bottom: box.bottom))
        }
        return systems
    }

    /// Returns the height at which a page is cut: in the middle of the space between two systems, where it is nearest
    /// to the middle of the music.
    /// - Returns: nil if the page has fewer than two systems; it is not cut then.
    public static func height(between systems: [System]) -> Double? {
        guard let first = systems.first, let last = systems.last, systems.count > 1 else { return nil }
        let middle = (first.top + last.bottom) / 2
        return zip(systems, systems.dropFirst()).map { ($0.bottom + $1.top) / 2 }
            .min { abs($0 - middle) < abs($1 - middle) }
    }

    /// True if a measure is in the part of its page that a half turn leaves: below the cut, or below the middle of a
    /// page that has no place to be cut.
    static func isBelowCut(_ box: PageRectangle, form: PageForm, cut: Double?) -> Bool {
        let shown = form.upright(box)
        return (shown.top + shown.bottom) / 2 >= cut ?? 0.5
    }

    /// Returns the cuts of a part's pages, by the measures whose places are known.
    /// - Complexity: O(places log places).
    static func heights(of part: Part) -> [Int: Double] {
        Dictionary(grouping: part.places.filter { $0.box != nil }, by: \.page).compactMapValues { places in
            let form = part.form(ofPage: places[0].page)
            return height(
                between: systems(
                    of: places.compactMap { place in
                        place.box.map { form.upright($0) }.map { ($0.top, $0.bottom) }
                    }))
        }
    }
}
