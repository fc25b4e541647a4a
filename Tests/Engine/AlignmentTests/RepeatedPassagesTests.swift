import Testing

@testable import Alignment

@Suite struct RepeatedPassagesTests {
    /// Bars of one chord each, which last a second.
    private func find(_ chords: [Int]) -> [RepeatedPassage] {
        var values: [Float] = []
        for chord in chords {
            for _ in 0..<50 { values += (0..<144).map { $0 == chord % 72 ? 1 : 0 } }
        }
        let frames = ReferenceFeatureFrames(
            featureValues: values, dimensions: 144,
            powerByFrame: [Float](repeating: 1, count: chords.count * 50))
        return RepeatedPassage.find(
            onsets: chords.indices.map { Double($0) }, end: Double(chords.count), frames: frames,
            framesPerSecond: 50)
    }

    @Test func aPassageThatReturnsIsFound() {
        #expect(
            find(Array(0..<6) + Array(20..<30) + Array(0..<6))
                == [RepeatedPassage(bars: 0..<6, laterStart: 16)])
    }

    @Test func threeBarsAreTooFew() { #expect(find(Array(0..<3) + Array(20..<30) + Array(0..<3)).isEmpty) }

    @Test func theLongestPassageComesFirst() {
        let found = find(Array(0..<4) + Array(10..<16) + Array(30..<35) + Array(10..<16) + Array(0..<4))
        #expect(found.map(\.bars) == [4..<10, 0..<4])
    }

    @Test func aPieceOfOneBarHasNoCopies() { #expect(find([1]).isEmpty) }
}
