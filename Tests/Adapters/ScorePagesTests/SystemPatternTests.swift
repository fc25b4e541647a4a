import Testing

@testable import ScorePages

@Suite struct SystemPatternTests {
    /// A line at the left ends joins the staves.
    private let joined = SeamEvidence(leftLine: 1, joined: 4, shared: 4, strokes: 5)
    /// Noise hid the lines, but bar lines stand one above the other.
    private let hidden = SeamEvidence(leftLine: 0.3, joined: 0, shared: 4, strokes: 5)
    private let apart = SeamEvidence(leftLine: 0.1, joined: 0, shared: 0, strokes: 5)

    private func sizes(_ seams: [SeamEvidence?]) -> [Int] { SystemPattern.sizes(SystemPattern.joins(seams)) }

    @Test func linesThatMakeAllSystemsEqualAreBelieved() {
        #expect(sizes([joined, apart, joined, apart, joined]) == [2, 2, 2])
        // Bar lines of neighbouring systems may stand one above the other too.
        #expect(sizes([joined, hidden, joined, hidden, joined]) == [2, 2, 2])
    }

    @Test func systemsThatNoiseToreAreMadeEqual() {
        #expect(sizes([joined, hidden, apart, joined, joined, apart, hidden, joined]) == [3, 3, 3])
    }

    @Test func stavesThatNothingJoinsStayAlone() {
        #expect(sizes([apart, apart, apart]) == [1, 1, 1, 1])
        #expect(sizes([]) == [1])
    }

    @Test func barLinesOfSingleStavesMayStandOneAboveTheOtherByChance() {
        let chance = SeamEvidence(leftLine: 0.3, joined: 0, shared: 3, strokes: 5)
        // The edge of the paper joins the staves at the left, and their bar lines stand elsewhere.
        let edge = SeamEvidence(leftLine: 1, joined: 0, shared: 1, strokes: 4)
        #expect(sizes([apart, chance, apart, chance, edge, apart]) == [1, 1, 1, 1, 1, 1, 1])
    }

    @Test func aLineThatJoinsIsNeverTornToMakeSystemsEqual() {
        #expect(sizes([joined, joined, joined, apart, joined]) == [4, 2])
    }

    @Test func stavesTooFarApartAreNotJoined() {
        #expect(sizes([joined, nil, joined]) == [2, 2])
        #expect(sizes([nil, nil]) == [1, 1, 1])
    }
}
