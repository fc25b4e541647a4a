import Basics
import Features
import Testing

@testable import Following

@Suite struct EarTests {
    private func hop(power: Float, zeroShare: Float = 0) -> AudioHopSummary {
        AudioHopSummary(
            frameIndex: FeatureFrameIndex(0), endSample: SampleTime(1), peakMagnitude: power.squareRoot(),
            meanSquare: power,
            zeroSampleShare: zeroShare)
    }

    @Test func fortyDecibelsBelowTheLoudestIsQuiet() {
        var ear = LoudnessClassifier(framesPerSecond: 50)
        #expect(!ear.classifyHop(hop(power: 0.01)).isQuiet)
        #expect(!ear.classifyHop(hop(power: 2e-6)).isQuiet)
        #expect(ear.classifyHop(hop(power: 0.5e-6)).isQuiet)
    }

    @Test(arguments: [Float(1), 1e-2, 1e-4])
    func theRecordingLevelDoesNotMatter(gain: Float) {
        var ear = LoudnessClassifier(framesPerSecond: 50)
        _ = ear.classifyHop(hop(power: 0.1 * gain))
        #expect(!ear.classifyHop(hop(power: 1e-4 * gain)).isQuiet)
        #expect(ear.classifyHop(hop(power: 1e-6 * gain)).isQuiet)
    }

    @Test func theLoudestFadesByHalfInAMinute() {
        var ear = LoudnessClassifier(framesPerSecond: 50)
        _ = ear.classifyHop(hop(power: 1))
        for _ in 0..<60 * 50 - 1 { _ = ear.classifyHop(hop(power: 1e-8)) }
        // A ten-thousandth of the loudest is 1e-4 at first and half of it now.
        #expect(ear.classifyHop(hop(power: 0.48e-4)).isQuiet)
        #expect(!ear.classifyHop(hop(power: 0.52e-4)).isQuiet)
    }

    @Test func onlyExactZerosAreADropout() {
        var ear = LoudnessClassifier(framesPerSecond: 50)
        _ = ear.classifyHop(hop(power: 0.01))
        #expect(ear.classifyHop(hop(power: 0, zeroShare: 1)) == (true, false, true))
        #expect(ear.classifyHop(hop(power: 1e-12, zeroShare: 0)) == (true, false, false))
        // An eight-bit recording has many zeros and still sounds.
        #expect(ear.classifyHop(hop(power: 0.01, zeroShare: 0.9)) == (false, false, false))
    }

    /// A damaged sample may be as large as a float can be; it must not make everything after it seem silent.
    @Test(arguments: [Float(1e30), -1e30, .infinity, .nan])
    func oneAbsurdSampleMakesNothingSilent(absurd: Float) {
        var detector = SilenceDetector(framesPerSecond: 50)
        var music = (0..<441).map { 0.1 * (($0 % 20 < 10) ? 1 : -1) as Float }
        func isSilent(_ samples: [Float]) -> Bool {
            samples.withUnsafeBufferPointer { detector.addSamples($0) }
            _ = detector.classifyHop()
            return detector.isSilent
        }
        #expect(!isSilent(music))
        music[7] = absurd
        #expect(!isSilent(music))
        music[7] = 0
        #expect(!isSilent(music))
        #expect(isSilent([Float](repeating: 0, count: 441)))
    }

    @Test func twentyDecibelsBelowTheLoudestForATenthOfASecondIsSoft() {
        var ear = LoudnessClassifier(framesPerSecond: 50)
        for _ in 0..<100 { #expect(!ear.classifyHop(hop(power: 0.01)).isSoft) }
        #expect(!ear.classifyHop(hop(power: 0.5e-4)).isSoft)
        let fading = (0..<40).map { _ in ear.classifyHop(hop(power: 0.5e-4)).isSoft }
        #expect(fading.last == true)
        // One loud moment, and it is music again.
        #expect(!ear.classifyHop(hop(power: 0.01)).isSoft)
    }

    @Test func musicStandsOutFromTheRoomsNoiseByHalfADecibel() {
        var ear = LoudnessClassifier(framesPerSecond: 50)
        for count in 0..<200 {
            // A noise whose hops vary by 3 dB up and down.
            _ = ear.classifyHop(hop(power: count.isMultiple(of: 2) ? 1e-5 : 4e-5))
            #expect(!ear.standsOutFromRoom)
        }
        for _ in 0..<50 { _ = ear.classifyHop(hop(power: 2.6e-5)) }
        #expect(!ear.standsOutFromRoom)
        for _ in 0..<50 { _ = ear.classifyHop(hop(power: 3.1e-5)) }
        #expect(ear.standsOutFromRoom)
    }

    @Test func nothingStandsOutBelowSeventyDecibelsOrAfterALostSignal() {
        var ear = LoudnessClassifier(framesPerSecond: 50)
        for _ in 0..<50 { _ = ear.classifyHop(hop(power: 1e-10)) }
        for _ in 0..<50 { _ = ear.classifyHop(hop(power: 0.5e-7)) }
        #expect(!ear.standsOutFromRoom)
        var lost = LoudnessClassifier(framesPerSecond: 50)
        for _ in 0..<50 { _ = lost.classifyHop(hop(power: 1e-5)) }
        for _ in 0..<50 { _ = lost.classifyHop(hop(power: 0, zeroShare: 1)) }
        for _ in 0..<50 { _ = lost.classifyHop(hop(power: 1e-5)) }
        #expect(!lost.standsOutFromRoom)
    }

    @Test func halfASecondAfterTheLoudestSoundTheRoomIsAlone() {
        var ear = LoudnessClassifier(framesPerSecond: 50)
        for _ in 0..<5 * 50 { _ = ear.classifyHop(hop(power: 1e-6)) }
        for _ in 0..<5 * 50 { _ = ear.classifyHop(hop(power: 1e-2)) }
        #expect(!ear.isPause)
        for _ in 0..<25 { _ = ear.classifyHop(hop(power: 1e-6)) }
        #expect(ear.isPause)
    }

    @Test func aRoomThatHasBecomeLouderIsTheRoomAfterAWhile() {
        var ear = LoudnessClassifier(framesPerSecond: 50)
        for _ in 0..<50 { _ = ear.classifyHop(hop(power: 1e-5)) }
        for _ in 0..<50 { _ = ear.classifyHop(hop(power: 2e-5)) }
        #expect(ear.standsOutFromRoom)
        for _ in 0..<30 * 50 { _ = ear.classifyHop(hop(power: 2e-5)) }
        #expect(!ear.standsOutFromRoom)
    }
}
