import Basics
import Testing

@testable import Alignment

@Suite struct AnchorTests {
    private static let melody = Melody(noteCount: 95, seed: 21)
    private static let reference = melody.frames()

    @Test(arguments: [300, 1100])
    func whereAPersonSaysItGoesOnAtOnce(place: Int) {
        var hearing = Hearing(Self.reference)
        hearing.hear(Self.reference.part(0..<700))
        hearing.filter.takeOperatorPosition(at: FeatureFrameIndex(place), tempo: nil)
        let estimates = hearing.hear(Self.reference.part(place..<place + 150))
        #expect(estimates.allSatisfy { $0.hasBegun && $0.standstillProbability < 0.5 })
        for (number, estimate) in estimates.enumerated() {
            #expect(abs(estimate.referenceFrame - Double(place + number)) < (number < 30 ? 30 : 12))
        }
        #expect(hearing.jumps == 0)
    }

    /// The wait before the first note ends with the word, not with the sound.
    @Test func nothingIsAwaitedAfterwards() {
        var hearing = Hearing(Self.reference, start: 0)
        hearing.hear(.silence(100))
        hearing.filter.takeOperatorPosition(at: FeatureFrameIndex(500), tempo: TempoRatio(1))
        #expect(
            hearing.hear(Self.reference.part(500..<501)).allSatisfy {
                $0.hasBegun && $0.standstillProbability < 0.1
            })
    }

    @Test(arguments: [0.6, 1.6])
    func theTempoThatIsKnownIsGoneOnWith(tempo: Double) {
        var hearing = Hearing(Self.reference)
        hearing.filter.takeOperatorPosition(at: FeatureFrameIndex(300), tempo: TempoRatio(tempo))
        let live = Self.melody.frames(tempo: tempo)
        let start = Int(300 / tempo)
        let said = hearing.hear(live.part(start..<start + 10)).last
        #expect(abs((said?.tempo.value ?? 0) / tempo - 1) < 0.25)
    }

    @Test func aWrongWordIsCorrectedByTheSound() {
        var hearing = Hearing(Self.reference)
        hearing.hear(Self.reference.part(0..<500))
        hearing.filter.takeOperatorPosition(at: FeatureFrameIndex(1500), tempo: nil)
        let last = hearing.hear(Self.reference.part(500..<1100)).last
        #expect(abs((last?.referenceFrame ?? 0) - 1100) < 12)
    }

    /// The same music stands twice in the reference. Whoever is wrong by a bar does not lead into the other copy.
    @Test(arguments: [-100, 100])
    func aWrongBarIsCorrectedAtOnceInTheSameCopy(offset: Int) {
        let copy = Self.reference.part(0..<800)
        let reference = copy + copy
        var hearing = Hearing(reference)
        hearing.hear(reference.part(0..<1200))
        hearing.filter.takeOperatorPosition(at: FeatureFrameIndex(1200 + offset), tempo: nil)
        let estimates = hearing.hear(reference.part(1200..<1500))
        for (number, estimate) in estimates.enumerated() {
            #expect(abs(estimate.referenceFrame - Double(1200 + number)) < (number < 75 ? 150 : 12))
        }
    }

    @Test func outsideTheReferenceMeansItsEnds() {
        var hearing = Hearing(Self.reference)
        for place in [-1000, Self.reference.frameCount + 1000] {
            hearing.filter.takeOperatorPosition(at: FeatureFrameIndex(place), tempo: nil)
            let said = hearing.hear(Self.reference.part(0..<1))
            #expect(
                said.allSatisfy {
                    $0.referenceFrame >= 0 && $0.referenceFrame < Double(Self.reference.frameCount + 4)
                })
        }
    }
}
