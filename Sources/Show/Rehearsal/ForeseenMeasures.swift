import MusicalTime
import Score

extension MeasureMap {
    /// The expected duration of each played measure in seconds. It is the duration in the reference, but a measure in
    /// which the reference lingers (a fermata, a breath) is limited to a little more than its neighbours.
    ///
    /// Nobody knows beforehand whether tonight's players linger too. A page that waited for a pause that they do not
    /// make would turn late. A measure more than three times as long as its neighbours is long music, not a fermata,
    /// and stays unchanged.
    /// - Complexity: O(measures).
    var expectedMeasureDurations: [Double] {
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
