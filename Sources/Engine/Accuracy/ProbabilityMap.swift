/// Where a follower thought the music might be: the probability over the reference, at even steps of live time.
public struct ProbabilityMap: Hashable, Sendable, Codable {
    /// Live seconds at which the first column begins, and the duration of each column.
    public var firstSeconds: Double
    public var stepSeconds: Double
    /// Reference seconds from the lower edge of the first row, at 0, to the upper edge of the last one.
    public var referenceSeconds: Double
    /// One array per step, all of one length: the mean probability of each stretch of the reference. A column sums
    /// to at most 1; the rest is not assigned to any place.
    public var columns: [[Float]]

    public init(firstSeconds: Double, stepSeconds: Double, referenceSeconds: Double, columns: [[Float]]) {
        self.firstSeconds = firstSeconds
        self.stepSeconds = stepSeconds
        self.referenceSeconds = referenceSeconds
        self.columns = columns
    }
}
