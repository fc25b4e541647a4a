import Alignment
import Testing

@testable import Preparation

@Suite struct ScoreRouteTests {
    /// Bars 1 to 4 repeated, with endings 4 and 5; then bars 6 to 8 repeated.
    private let printed = [1, 2, 3, 4, 1, 2, 3, 5, 6, 7, 8, 6, 7, 8]

    private func sentences(_ passages: [Range<Int>]) -> [String] {
        let measures = UnfoldedScoreMeasures(
            onsets: printed.indices.map { Double($0) }, end: Double(printed.count), writtenIndices: printed)
        return ScoreRouteSentences(measures: measures, printed: printed, passages: passages).sentences
    }

    @Test func everyRepeatTakenIsOneSentence() {
        #expect(sentences([0..<14]) == ["Every repeat of the score was taken."])
    }

    @Test func aRepeatThatWasLeftOutIsNamed() {
        #expect(sentences([0..<11]) == ["The repeat of bars 6–8 was left out."])
        #expect(sentences([0..<8, 11..<14]) == ["The repeat of bars 6–8 was left out."])
    }

    @Test func aFirstEndingBelongsToTheRepeatThatWasLeftOut() {
        #expect(sentences([0..<3, 7..<14]) == ["The repeat of bars 1–3 was left out."])
        #expect(sentences([4..<14]) == ["The repeat of bars 1–3 was left out."])
    }

    @Test func aCutIsNamed() {
        #expect(sentences([0..<7, 8..<14]) == ["There is a cut: bar 5 is left out."])
    }

    @Test func barsPlayedOnceMoreAreNamed() {
        #expect(sentences([0..<14, 11..<14]) == ["Bars 6–8 are played once more than the score says."])
    }

    @Test func aRecordingOfAPartSaysWhatIsMissing() {
        #expect(
            sentences([8..<14]) == ["The recording does not play bars 1–5: it begins after them."])
        #expect(sentences([0..<8]) == ["The recording does not play bars 6–8: it ends before them."])
    }

    @Test(arguments: [
        ("found", ScoreRouteChoice.found), ("written", .written),
        ("1-8,1-8,9", .ranges([1...8, 1...8, 9...9])),
    ])
    func aRouteIsRead(text: String, choice: ScoreRouteChoice) { #expect(ScoreRouteChoice(text) == choice) }

    @Test(arguments: ["", "8-1", "1-", "a", "1-2-3", "-1", "1,,2"])
    func aBrokenRouteIsRefused(text: String) { #expect(ScoreRouteChoice(text) == nil) }

    @Test func rangesAreTakenAtTheirNextPass() throws {
        let finder = ScoreRouteFinder(printed: printed)
        #expect(try finder.playedMeasures(of: [1...4, 1...3, 5...8]) == Array(0...10))
        #expect(try finder.playedMeasures(of: [6...8, 6...8, 6...8]) == [8, 9, 10, 11, 12, 13, 8, 9, 10])
    }

    @Test func aRangeThatTheScoreNeverPlaysIsRefused() {
        #expect(throws: PreparationError.self) {
            try ScoreRouteFinder(printed: printed).playedMeasures(of: [4...6])
        }
    }
}
