import Basics
import Sound
import Testing

@Suite struct AudioSurveyTests {
    let folder: SoundFolder

    init() throws { folder = try SoundFolder() }

    @Test func aSineHasTheLevelsOfTheTextbook() throws {
        let survey = try survey(sine(1000, seconds: 1))
        #expect(survey.duration == Seconds(1))
        // Amplitude 0.5: -6.02 dB, and 3.01 less for the root mean square.
        #expect(abs(survey.peakDecibels + 6.02) < 0.01)
        #expect(abs(survey.rmsDecibels + 9.03) < 0.01)
        #expect(survey.clippedShare == 0)
        #expect(survey.silences.isEmpty)
        #expect(survey.problemSentences.isEmpty)
    }

    @Test func anAllZeroRecordingIsSilent() throws {
        let survey = try survey(Array(repeating: 0, count: 48_000))
        #expect(survey.peakDecibels == -.infinity)
        #expect(
            survey.silences == [.init(start: ReferenceTime(seconds: 0), length: Seconds(1), isDigital: true)])
        #expect(survey.problemSentences == ["There is nothing to hear: the whole recording is silent."])
    }

    @Test func dropoutsAreFoundAndQuietHallsAreNotBlamed() throws {
        let tone = sine(1000, seconds: 1)
        let zeros = [Float](repeating: 0, count: 48_000)
        let hall = (0..<48_000).map { Float($0 % 2) * 1e-5 }
        let survey = try survey(zeros + tone + zeros + tone + hall + tone + zeros)
        #expect(survey.silences.map(\.isDigital) == [true, true, false, true])
        #expect(survey.problemSentences.count == 1)
        #expect(
            survey.problemSentences.first?.hasPrefix("From 2.0 s there is nothing but zeros for 1.0 s")
                == true)
    }

    @Test func silenceShorterThanHalfASecondIsMusic() throws {
        let tone = sine(1000, seconds: 0.5)
        let rest = [Float](repeating: 0, count: 23_000)
        #expect(try survey(tone + rest + tone).silences.isEmpty)
    }

    @Test func clippingIsCountedInRunsOnly() throws {
        var samples = sine(1000, seconds: 1)
        samples[100] = 1
        #expect(try survey(samples).clippedShare == 0)
        samples.replaceSubrange(200..<248, with: Array(repeating: -1, count: 48))
        let survey = try survey(samples)
        #expect(abs(survey.clippedShare - 0.001) < 1e-9)
        #expect(
            survey.problemSentences.first?.hasPrefix("It is clipped: 1000.0 samples in a million") == true)
    }

    @Test func aDeadChannelIsNamed() throws {
        let stereo = sine(1000, seconds: 0.2).flatMap { [$0, Float(0)] }
        let survey = try survey(stereo, channels: 2)
        #expect(survey.channelRMSDecibels[1] == -.infinity)
        #expect(
            survey.problemSentences == ["Channel 2 of 2 is silent: choose another one instead of the mix."])
    }

    @Test func channelsInOppositePhaseAreNoticed() throws {
        let stereo = sine(1000, seconds: 0.2).flatMap { [$0, -$0 * 0.9] }
        let survey = try survey(stereo, channels: 2)
        #expect(survey.problemSentences.first?.hasPrefix("The channels cancel each other") == true)
    }

    @Test func aWhisperIsCalledQuiet() throws {
        let survey = try survey(sine(1000, seconds: 0.2, amplitude: 0.003))
        #expect(
            survey.problemSentences.first?.hasPrefix("It is very quiet: the loudest sample is at -50.5 dBFS")
                == true)
    }

    @Test(arguments: ["t.wav", "t.flac"])
    func aTruncatedRecordingIsSurveyedAsFarAsItGoes(name: String) throws {
        let noise = (0..<96_000).map { Float(($0 &* 7919) % 2001 - 1000) / 2000 }
        try folder.write(noise, as: name)
        let bytes = try folder.bytes(of: name)
        let path = try folder.write(bytes: bytes.prefix(bytes.count / 2), as: "cut-\(name)")
        let survey = try RecordingQuality(path: path)
        #expect(survey.duration > Seconds(0.5))
        #expect(abs((survey.duration + survey.missingDuration).value - 2) < 0.001)
        #expect(survey.problemSentences.first?.hasPrefix("The file is cut short") == true)
    }

    private func survey(_ samples: [Float], channels: Int = 1) throws -> RecordingQuality {
        try RecordingQuality(
            path: folder.write(samples, as: "survey.wav", channels: channels, depth: .float32))
    }
}
