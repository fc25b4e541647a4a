import Foundation
import Listening
import Sound
import Testing

@testable import Preparation

/// The parts of a recording lie on one time axis, and ranges of it are cut out with the gaps between them.
@Suite struct EveningSoundTests {
    private let stage: EveningStage

    init() throws { stage = try EveningStage() }

    /// A constant for each second, so that each sample says where it comes from.
    private func steps(_ values: [Float]) -> [Float] {
        values.flatMap { [Float](repeating: $0, count: 22_050) }
    }

    private func cut(_ ranges: [Range<Double>]) throws -> [Float] {
        let path = stage.folder + "/cut.flac"
        try stage.sound.write(ranges, to: path)
        return try SoundFileReader(path: path).readAll()
    }

    private func value(_ samples: [Float], at second: Double) -> Float {
        (samples[Int(second * 22_050)] * 10).rounded() / 10
    }

    @Test func aRangeIsCutOutToTheSample() throws {
        try stage.addPart(steps([0.1, 0.2, 0.3, 0.4]), at: 100)
        let samples = try cut([101.5..<103.5])
        #expect(samples.count == 44_100)
        #expect(
            value(samples, at: 0.25) == 0.2 && value(samples, at: 1) == 0.3 && value(samples, at: 1.9) == 0.4)
    }

    @Test func aGapBetweenPartsIsSilentAndKeepsTheTime() throws {
        try stage.addPart(steps([0.1, 0.2]), at: 100)
        try stage.addPart(steps([0.3, 0.4]), at: 104.5)
        #expect(stage.sound.gaps(within: 0..<1_000) == [102..<104.5])
        let samples = try cut([101..<106])
        #expect(samples.count == 5 * 22_050)
        #expect(value(samples, at: 0.5) == 0.2 && samples[2 * 22_050] == 0 && value(samples, at: 4.2) == 0.3)
        #expect(stage.sound.place(of: 101.25) == RecordingPlace(part: 1, seconds: 1.25))
        #expect(stage.sound.place(of: 105) == RecordingPlace(part: 2, seconds: 0.5))
        #expect(stage.sound.place(of: 103) == RecordingPlace(part: 1, seconds: 2))
    }

    @Test func rangesAreJoinedInTheGivenOrderWithoutAClick() throws {
        try stage.addPart(steps([0.1, 0.2, 0.3, 0.4]), at: nil)
        let samples = try cut([2..<3, 0..<1])
        #expect(value(samples, at: 0.5) == 0.3 && value(samples, at: 1.5) == 0.1)
        #expect(samples[22_050] == 0)
        let joined = EveningCut(ranges: [2..<3, 0..<1])
        #expect(joined.eveningTime(of: 0.5) == 2.5 && joined.eveningTime(of: 1.5) == 0.5)
        #expect(joined.eveningTime(of: 9) == 1)
    }

    @Test func aPartThatOverlapsTheNextIsCutAtItsBeginning() throws {
        try stage.addPart(steps([0.1, 0.2]), at: 0)
        try stage.addPart(steps([0.3]), at: 1)
        let samples = try cut([0..<2])
        #expect(samples.count == 44_100 && value(samples, at: 1.5) == 0.3)
    }

    @Test func withoutAShowTheFirstPartBeginsAtZero() throws {
        try stage.addPart(steps([0.1]), at: nil)
        #expect(stage.sound.isShowTime == false && stage.sound.stretches == [0..<1])
    }
}
