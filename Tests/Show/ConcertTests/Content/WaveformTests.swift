import Concert
import Testing

@Suite struct WaveformTests {
    @Test func silenceIsFlatAndTheLoudestIsFull() {
        #expect(Waveform(power: [Float](repeating: 0, count: 9), count: 3).points == [0, 0, 0])
        #expect(Waveform(power: [Float](repeating: 0.3, count: 9), count: 3).points == [255, 255, 255])
        #expect(Waveform(power: [Float](), count: 2).points == [0, 0])
        #expect(Waveform(power: [Float(1)], count: 0).points.isEmpty)
    }

    @Test func heightIsLinearInDecibels() {
        // 12 of 48 dB is a power ratio of 10^1.2, three quarters of 255 are 191.
        let quiet = Float(1 / 15.848_931_924_611)
        #expect(Waveform(power: [1, quiet], count: 2).points == [255, 191])
        #expect(Waveform(power: [1, 1e-9], count: 2).points == [255, 0])
        #expect(Waveform(power: [1, 0.1], count: 2, floorDecibels: 40).points == [255, 191])
    }

    @Test func thePowerOfAStretchIsItsMean() {
        #expect(
            Waveform(power: [1, 1, 0.2, 0, 0.1, 0.1], count: 3).points
                == Waveform(power: [1, 0.1, 0.1], count: 3).points)
    }

    @Test func fewFramesFillManyPoints() {
        let points = Waveform(power: [1, 0], count: 6).points
        #expect(points == [255, 255, 255, 0, 0, 0])
    }

    @Test func whatIsNoPowerIsSilence() {
        #expect(Waveform(power: [.nan, -1, .infinity, 1], count: 4).points == [0, 0, 0, 255])
    }
}
