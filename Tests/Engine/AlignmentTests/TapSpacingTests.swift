import Testing

@testable import Alignment

/// A missing tap shows in the spacing of the taps, also at a tempo that is not steady.
@Suite struct TapSpacingTests {
    /// The times of taps with given distances, without some of them.
    private static func taps(_ distances: [Double], without missing: Set<Int> = []) -> [Double] {
        var seconds = [0.0]
        for distance in distances { seconds.append(seconds[seconds.count - 1] + distance) }
        return seconds.enumerated().filter { !missing.contains($0.offset) }.map(\.element)
    }

    /// Distances that grow from one second to two.
    private static let slowing = (0..<40).map { 1 + Double($0) / 40 }

    /// The places at which a tap is probably missing, counted as the taps after them.
    private static func places(_ seconds: [Double]) -> [Int] {
        TapSpacing(seconds).probabilitiesOfMissingTap.enumerated().filter { $0.element >= 0.5 }.map {
            $0.offset + 1
        }
    }

    @Test(arguments: [[20], [5, 30], [12, 13]])
    func aMissingTapIsFoundWhileTheTempoChanges(missing: [Int]) {
        let found = Self.places(Self.taps(Self.slowing, without: Set(missing)))
        // Two taps in a row leave one gap; a tap after an earlier gap has moved up by one.
        #expect(found == (missing == [12, 13] ? [12] : missing.enumerated().map { $1 - $0 }))
    }

    @Test func noTapIsMissingWhereTheTempoChangesForGood() {
        #expect(Self.places(Self.taps(Self.slowing)).isEmpty)
        let halved = [Double](repeating: 1, count: 20) + [Double](repeating: 1.7, count: 20)
        #expect(Self.places(Self.taps(halved)).isEmpty)
    }

    @Test func oneProbabilityBelongsToEachTimeBetweenTwoTaps() {
        let probabilities = TapSpacing(Self.taps(Self.slowing)).probabilitiesOfMissingTap
        #expect(probabilities.count == 40)
        #expect(probabilities.allSatisfy { (0...1).contains($0) })
    }

    @Test func fewOrStrangeTapsSayNothing() {
        #expect(TapSpacing([]).probabilitiesOfMissingTap.isEmpty)
        #expect(TapSpacing([0, 1, 3]).probabilitiesOfMissingTap == [0, 0])
        let equal = TapSpacing([Double](repeating: 1, count: 9)).probabilitiesOfMissingTap
        #expect(equal.count == 8 && equal.allSatisfy { (0...1).contains($0) })
        let far = TapSpacing([0, 0.001, 0.002, 3_000, 3_000.1, 7_000]).probabilitiesOfMissingTap
        #expect(far.count == 5 && far.allSatisfy { (0...1).contains($0) })
    }
}
