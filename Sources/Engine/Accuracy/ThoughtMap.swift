/// Where a follower thought the music might be: probability over the reference, at even steps of live time.
public struct ThoughtMap: Hashable, Sendable, Codable {
    /// Live seconds at which the first column begins, and how many each of them lasts.
    public var firstSeconds: Double
    public var stepSeconds: Double
    /// Reference seconds from the lower edge of the first row to the upper edge of the last; it begins at 0.
    public var referenceSeconds: Double
    /// One for each step, all of one length: the mean probability of each stretch of the reference. The sum of a
    /// column is 1 or less; what it lacks is nowhere.
    public var columns: [[Float]]

    public init(firstSeconds: Double, stepSeconds: Double, referenceSeconds: Double, columns: [[Float]]) {
        self.firstSeconds = firstSeconds
        self.stepSeconds = stepSeconds
        self.referenceSeconds = referenceSeconds
        self.columns = columns
    }
}
