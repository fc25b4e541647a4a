/// The probability that a follower gave to each stretch of the reference, at even steps of live time; a chart shows it.
public struct ProbabilityMap: Hashable, Sendable, Codable {
    /// The start of the first column in seconds of the live recording; `stepSeconds` is the duration of each column.
    public var firstSeconds: Double
    public var stepSeconds: Double
    /// The duration of the reference in seconds; the rows divide it evenly.
    public var referenceSeconds: Double
    /// One array for each step, all of the same length: the mean probability of each stretch of the reference. A column
    /// sums to at most 1; the missing rest belongs to no stretch.
    public var columns: [[Float]]

    public init(firstSeconds: Double, stepSeconds: Double, referenceSeconds: Double, columns: [[Float]]) {
        self.firstSeconds = firstSeconds
        self.stepSeconds = stepSeconds
        self.referenceSeconds = referenceSeconds
        self.columns = columns
    }
}
