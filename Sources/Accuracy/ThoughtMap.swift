/// Where a follower thought the music might be: probability over score positions, at even steps of live time.
public struct ThoughtMap: Hashable, Sendable {
    public var firstSeconds: Double
    public var stepSeconds: Double
    /// Score positions of the lower edge of the first bin and the upper edge of the last.
    public var measures: ClosedRange<Double>
    /// One row for each step, all of one length; a row sums to 1 or less.
    public var rows: [[Float]]

    public init(firstSeconds: Double, stepSeconds: Double, measures: ClosedRange<Double>, rows: [[Float]]) {
        self.firstSeconds = firstSeconds
        self.stepSeconds = stepSeconds
        self.measures = measures
        self.rows = rows
    }

    /// Coarser in both directions: probabilities of joined bins add up, joined steps are averaged.
    func joined(steps: Int, bins: Int) -> [[Float]] {
        guard let width = rows.first?.count, width > 0, steps > 0, bins > 0 else { return [] }
        let height = min(rows.count, steps)
        let columns = min(width, bins)
        return (0..<height).map { step in
            let part = rows[(step * rows.count / height)..<((step + 1) * rows.count / height)]
            var sums = [Float](repeating: 0, count: columns)
            for row in part {
                for (bin, value) in row.prefix(width).enumerated() { sums[bin * columns / width] += value }
            }
            return sums.map { $0 / Float(part.count) }
        }
    }
}
