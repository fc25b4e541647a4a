import Testing

@testable import Basics

@Suite struct SamplingTests {
    @Test func samplesBecomeSecondsAtTheirRate() {
        #expect(SampleTime(48_000).seconds(at: SampleRate(hertz: 48_000)) == 1)
        #expect(SampleTime(22_050).seconds(at: SampleRate(hertz: 44_100)) == 0.5)
        #expect(SampleTime(-441).seconds(at: SampleRate(hertz: 44_100)) == -0.01)
    }

    @Test func countsAreOrdered() {
        #expect(SampleTime(1) < SampleTime(2))
        #expect(FeatureFrameIndex(-1) < FeatureFrameIndex(0))
        #expect(SampleRate(hertz: 44_100).description == "44100.0 Hz")
    }

    @Test func aRateThatIsNotPositiveIsAMistakeOfTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = SampleRate(hertz: 0) }
        await #expect(processExitsWith: .failure) { _ = SampleRate(hertz: .nan) }
    }
}
