import Basics
import Testing

@testable import Alignment

@Suite struct ForwardFilterTests {
    /// About half a minute.
    private static let melody = Melody(noteCount: 95, seed: 21)
    private static let reference = melody.frames()
    private static let noise = ReferenceFeatureFrames.noise(1000, seed: 5)

    /// Half of the longest note: a glide is recognised by its middle at the latest.
    private static let toleranceFrames = 12.0

    /// How far estimates are from where the music is, at worst.
    /// - Parameters:
    ///   - skipped: estimates at the beginning that are not judged.
    ///   - place: where the music is, by number of the estimate; the reference's last second is not judged.
    private func worstError(
        _ estimates: ArraySlice<MusicAlignmentEstimate>, skipping skipped: Int,
        of frameCount: Int = reference.frameCount, _ place: (Int) -> Double
    ) -> Double {
        var worst = 0.0
        for (number, estimate) in estimates.enumerated().dropFirst(skipped) {
            let place = place(number)
            if place < Double(frameCount - 64) { worst = max(worst, abs(estimate.referenceFrame - place)) }
        }
        return worst
    }

    @Test func theReferenceItselfIsFollowedFrameByFrame() {
        var hearing = Hearing(Self.reference)
        let estimates = hearing.hear(Self.reference)
        #expect(worstError(estimates, skipping: 30) { Double($0) } < 4)
        #expect(hearing.jumps == 0)
        #expect(
            estimates.dropFirst(100).dropLast(64).allSatisfy { $0.hasBegun && $0.standstillProbability < 0.2 }
        )
    }

    @Test(arguments: [0.5, 0.8, 1.25, 2])
    func aSteadyTempoIsFollowed(tempo: Double) {
        var hearing = Hearing(Self.reference)
        let estimates = hearing.hear(Self.melody.frames(tempo: tempo))
        #expect(worstError(estimates, skipping: 100) { Double($0) * tempo } < Self.toleranceFrames)
        let tempi = estimates.dropFirst(100).dropLast(130).map(\.tempo.value)
        #expect(abs(tempi.reduce(0, +) / Double(tempi.count) / tempo - 1) < 0.1)
        #expect(hearing.jumps == 0)
    }

    @Test func noiseInTheMusicIsNoHindrance() {
        var hearing = Hearing(Self.reference)
        let estimates = hearing.hear(Self.reference.part(0..<1000).mixed(with: Self.noise, share: 0.4))
        #expect(worstError(estimates, skipping: 50) { Double($0) } < Self.toleranceFrames)
        #expect(hearing.jumps == 0)
    }

    @Test func softMusicInNoiseBeginsWithinAFewNotesIfItStandsOutFromTheRoom() throws {
        let soft = Self.reference.part(0..<500).mixed(with: Self.noise, share: 0.8)
        var loud = Hearing(Self.reference)
        var hidden = Hearing(Self.reference)
        #expect(try #require(loud.hear(soft, standsOut: true).firstIndex { $0.hasBegun }) < 75)
        // As steady as the room, it is hum or ventilation.
        #expect(hidden.hear(soft, isRoomAlone: true).allSatisfy { !$0.hasBegun })
    }

    @Test func noiseBeginsNothingHoweverLoud() {
        var hearing = Hearing(Self.reference)
        #expect(hearing.hear(Self.noise, standsOut: true).allSatisfy { !$0.hasBegun })
    }

    /// Left at one frame, gone on at another: a cut, a repeat, a new beginning.
    @Test(arguments: [(400, 1000), (1100, 500), (900, 0)])
    func anotherPlaceIsFoundAndSaidOnce(left: Int, entered: Int) {
        var hearing = Hearing(Self.reference)
        hearing.hear(Self.reference.part(0..<left))
        let after = hearing.hear(Self.reference.part(entered..<entered + 450))
        #expect(hearing.jumps == 1)
        // Not before there is evidence, and within six seconds.
        let jump = after.firstIndex { $0.hasJumped }.map { $0 - after.startIndex } ?? .max / 2
        #expect(jump >= 20 && jump < 300)
        #expect(worstError(after, skipping: jump + 25) { Double(entered + $0) } < Self.toleranceFrames)
    }

    @Test(arguments: [0.8, 1.25])
    func aPassageThatComesTwiceMakesItNotJump(tempo: Double) {
        let passage = Melody(noteCount: 30, seed: 31)
        let (second, last) = (Melody(noteCount: 20, seed: 32), Melody(noteCount: 20, seed: 33))
        func piece(_ tempo: Double) -> ReferenceFeatureFrames {
            let (first, other) = (passage.frames(tempo: tempo), second.frames(tempo: tempo))
            return first + other + first + last.frames(tempo: tempo)
        }
        let reference = piece(1)
        var hearing = Hearing(reference)
        let estimates = hearing.hear(piece(tempo))
        #expect(hearing.jumps == 0)
        let worst = worstError(estimates, skipping: 100, of: reference.frameCount) { Double($0) * tempo }
        #expect(worst < Self.toleranceFrames)
    }

    @Test func noiseBeforeTheFirstNoteDoesNotBegin() {
        var hearing = Hearing(Self.reference)
        let before = hearing.hear(Self.noise)
        #expect(before.allSatisfy { !$0.hasBegun && !$0.hasJumped && $0.referenceFrame < 150 })
        let music = hearing.hear(Self.reference.part(0..<500))
        #expect(music.last?.hasBegun == true)
        #expect(worstError(music, skipping: 150) { Double($0) } < Self.toleranceFrames)
    }

    @Test func silenceBeforeTheFirstNoteDoesNotBegin() {
        var hearing = Hearing(Self.reference)
        let before = hearing.hear(.silence(1000), isQuiet: true)
        #expect(before.allSatisfy { !$0.hasBegun && !$0.hasJumped })
        let music = hearing.hear(Self.reference.part(0..<500))
        #expect(music.last?.hasBegun == true)
        #expect(worstError(music, skipping: 150) { Double($0) } < Self.toleranceFrames)
    }

    @Test func itBeginsWhereItIsTold() {
        var hearing = Hearing(Self.reference, start: 700)
        let estimates = hearing.hear(Self.reference.part(700..<1100))
        #expect(hearing.jumps == 0)
        #expect(worstError(estimates, skipping: 50) { Double(700 + $0) } < Self.toleranceFrames)
    }

    @Test func anUnknownBeginningIsFound() {
        var hearing = Hearing(Self.reference, start: nil)
        let estimates = hearing.hear(Self.reference.part(700..<1200))
        #expect(hearing.jumps == 1)
        #expect(worstError(estimates, skipping: 350) { Double(700 + $0) } < Self.toleranceFrames)
    }

    @Test(arguments: [0.75, 1.3])
    func throughADropoutItGoesOnInTempo(tempo: Double) {
        let live = Self.melody.frames(tempo: tempo)
        var hearing = Hearing(Self.reference)
        hearing.hear(live.part(0..<500))
        // A tempo is known to a twentieth; a hundred frames later that is five.
        let gap = hearing.hear(.silence(100), isDropout: true)
        #expect(worstError(gap, skipping: 0) { Double(500 + $0) * tempo } < Self.toleranceFrames + 5)
        let after = hearing.hear(live.part(600..<1000))
        #expect(worstError(after, skipping: 50) { Double(600 + $0) * tempo } < Self.toleranceFrames)
        #expect(hearing.jumps == 0)
    }

    @Test func anUnlikeSecondReferenceDoesNotBreakIt() {
        let other = Melody(noteCount: 200, seed: 99).frames().part(0..<Self.reference.frameCount)
        var hearing = Hearing(Self.reference, other)
        let estimates = hearing.hear(Self.reference)
        #expect(worstError(estimates, skipping: 100) { Double($0) } < Self.toleranceFrames)
        #expect(hearing.jumps == 0)
    }

    @Test func noEstimateLiesOutsideTheReference() {
        let short = Self.reference.part(0..<203)
        var hearing = Hearing(short)
        // Played on behind the end, then noise, silence and a gap.
        hearing.hear(Self.reference.part(0..<400))
        hearing.hear(Self.noise.part(0..<200))
        hearing.hear(.silence(200), isQuiet: true)
        hearing.hear(.silence(200), isDropout: true)
        // The constant added to every position is the only thing that may reach beyond the last frame.
        let last = 202 + ForwardFilterParameters().lagCorrectionFrames
        #expect(hearing.estimates.allSatisfy { $0.referenceFrame >= 0 && $0.referenceFrame <= last })
        // Sums of single precision may be a little above one.
        let share = 0...1.001
        #expect(
            hearing.estimates.allSatisfy {
                share.contains($0.probability) && share.contains($0.standstillProbability)
            })
        #expect(
            hearing.estimates.allSatisfy {
                share.contains($0.rivalProbability) && share.contains($0.searchAgreement)
            })
        #expect(hearing.estimates.allSatisfy { $0.fit.isFinite && $0.rivalFitGain >= 0 })
        #expect(hearing.estimates.allSatisfy { (0.399...2.501).contains($0.tempo.value) })
    }

    @Test(arguments: [1, 4, 5, 15, 16, 17])
    func aVeryShortReferenceIsAReference(frameCount: Int) {
        var hearing = Hearing(Self.reference.part(0..<frameCount), start: nil)
        hearing.hear(Self.reference.part(0..<100))
        #expect(
            hearing.estimates.allSatisfy {
                $0.referenceFrame.isFinite && $0.fit.isFinite && $0.probability.isFinite
            })
    }

    @Test func aStartOutsideTheReferenceIsTheNearestInside() {
        var hearing = Hearing(Self.reference, start: 1 << 40)
        hearing.hear(.silence(1), isQuiet: true)
        #expect(abs((hearing.estimates.last?.referenceFrame ?? 0) - Double(Self.reference.frameCount)) < 10)
        hearing = Hearing(Self.reference, start: -5)
        hearing.hear(Self.reference.part(0..<100))
        #expect(abs((hearing.estimates.last?.referenceFrame ?? 0) - 99) < Self.toleranceFrames)
    }

    @Test func theSameFramesGiveTheSameEstimates() {
        let live = Self.melody.frames(tempo: 1.1).part(0..<1000).mixed(with: Self.noise, share: 0.3)
        var (first, second) = (Hearing(Self.reference), Hearing(Self.reference))
        first.hear(live)
        second.hear(live)
        #expect(first.estimates == second.estimates)
    }
}
