/// The measures of a score in the order in which its rendering plays them, with every repeat taken.
///
/// A *played* measure is an index into ``onsets``; its *written* index is its place on the paper, so the two passes of
/// a repeated measure have the same one.
public struct UnfoldedScoreMeasures: Sendable, Hashable {
    /// The onset of each played measure, in seconds of the rendered sound; strictly rising.
    public let onsets: [Double]
    /// The end of the last measure, in seconds of the rendered sound.
    public let end: Double
    /// The place of each played measure in the score's written order.
    public let writtenIndices: [Int]

    public init(onsets: [Double], end: Double, writtenIndices: [Int]) {
        precondition(
            !onsets.isEmpty && onsets.count == writtenIndices.count
                && zip(onsets, onsets.dropFirst() + [end]).allSatisfy(<),
            "\(onsets.count) onsets rise to the end, with a written index each")
        self.onsets = onsets
        self.end = end
        self.writtenIndices = writtenIndices
    }

    public var count: Int { onsets.count }

    /// The end of a played measure, in seconds of the rendered sound.
    public func end(of played: Int) -> Double { played + 1 < count ? onsets[played + 1] : end }

    /// True if the score leaps to this played measure: a repeat goes back there, or an ending is skipped.
    func beginsSection(_ played: Int) -> Bool {
        played == 0 || writtenIndices[played] != writtenIndices[played - 1] + 1
    }

    /// True if a performance may end with this measure without a cut: the last one, or one after which the score leaps.
    func mayEndPerformance(after played: Int) -> Bool {
        played == count - 1 || beginsSection(played + 1)
    }

    /// The leaps that performers make without cutting the music, by leaving out repeats: from the end of one played
    /// measure to the start of a later one that may follow it on paper.
    /// - Returns: for each target the measures from which it can be reached.
    /// - Complexity: O(measures × sections).
    func leapsOverRepeats() -> [Int: [Int]] {
        var successors: Set<[Int]> = []
        for played in 1..<max(count, 1) {
            successors.insert([writtenIndices[played - 1], writtenIndices[played]])
        }
        func mayFollow(_ target: Int, after source: Int) -> Bool {
            successors.contains([writtenIndices[source], writtenIndices[target]])
        }
        var leaps: [Int: Set<Int>] = [:]
        for boundary in 1..<max(count, 1) where beginsSection(boundary) {
            for source in 0..<max(boundary - 1, 0) where mayFollow(boundary, after: source) {
                leaps[boundary, default: []].insert(source)
            }
            for target in boundary..<count where target > boundary {
                if mayFollow(target, after: boundary - 1) {
                    leaps[target, default: []].insert(boundary - 1)
                }
            }
        }
        return leaps.mapValues { $0.sorted() }
    }
}
