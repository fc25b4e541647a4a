import MusicalTime
import Score

extension MeasureMap {
    /// How long each played measure is to be foreseen to last: as the reference plays it, but where it tarries (a
    /// fermata, a breath), little longer than its neighbours.
    ///
    /// Whether tonight's players wait there too is heard when they do; a page that waits for a pause nobody makes
    /// comes late. A measure of more than three times its neighbours is no fermata but long music, and is left.
    /// - Complexity: O(measures).
    var foreseenSeconds: [Double] {
        let lengths = marks.indices.map { (onset(after: $0) - marks[$0].onset).value }
        return lengths.indices.map { index in
            let near = max(0, index - 4)...min(lengths.count - 1, index + 4)
            let others = near.filter { $0 != index }.map { lengths[$0] }.sorted()
            guard !others.isEmpty else { return lengths[index] }
            let middle = (others[(others.count - 1) / 2] + others[others.count / 2]) / 2
            return lengths[index] <= 3 * middle ? min(lengths[index], 1.2 * middle) : lengths[index]
        }
    }
}
