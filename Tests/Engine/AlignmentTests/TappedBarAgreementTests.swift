import Testing

@testable import Alignment

@Suite struct TappedBarAgreementTests {
    private static func way(_ onsets: [Double], prediction: Double = 0) -> TappedBarRefinement.Way {
        .init(settings: .init(beatsPerBar: 4, trust: 0.5), onsets: onsets, prediction: prediction)
    }

    @Test func twoWaysThatAgreeOutvoteOneThatPredictsTapsALittleBetter() {
        let agreement = TappedBarAgreement([
            Self.way([0, 2.9, 4], prediction: 0.05), Self.way([0, 2, 4]), Self.way([0, 2.02, 4]),
        ])
        #expect(agreement.onsets[1] < 2.1)
        #expect(agreement.disagreements[0] == 0)
        #expect((0.3..<0.45).contains(agreement.disagreements[1]))
    }

    @Test func aWayThatPredictsTapsFarBetterIsBelieved() {
        let agreement = TappedBarAgreement([
            Self.way([0, 2.9, 4], prediction: 1), Self.way([0, 2, 4]), Self.way([0, 2.02, 4]),
        ])
        #expect(agreement.onsets == [0, 2.9, 4])
    }

    /// One way is alone in its third bar and another one in its second.
    @Test func eachBarIsTakenWhereMostWaysPutIt() {
        let agreement = TappedBarAgreement([
            Self.way([0, 2, 4.6, 6]), Self.way([0, 2.5, 4, 6]), Self.way([0, 2, 4, 6]),
        ])
        #expect(agreement.onsets == [0, 2, 4, 6])
    }

    @Test func noBarsEndBeforeTheyBegin() {
        // By support alone, the second bar would be taken from the first two ways, and the third from the others.
        let agreement = TappedBarAgreement([
            Self.way([0, 3, 3.5, 6]), Self.way([0, 3, 3.6, 6]),
            Self.way([0, 1.2, 2.4, 6]), Self.way([0, 1.6, 2.4, 6]), Self.way([0, 2, 2.4, 6]),
        ])
        #expect(
            zip(agreement.onsets, agreement.onsets.dropFirst()).allSatisfy { $0 < $1 }, "\(agreement.onsets)")
    }

    @Test func oneWayAloneIsUsed() {
        let agreement = TappedBarAgreement([Self.way([0, 2, 4])])
        #expect(agreement.onsets == [0, 2, 4])
        #expect(agreement.disagreements == [0, 0, 0])
    }
}
