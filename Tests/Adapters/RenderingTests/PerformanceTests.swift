import MusicalTime
import Testing

@testable import Rendering

@Suite struct PerformanceTests {
    private let uneven = PerformanceInterpretation(
        timingJitter: Seconds(0.01), velocityJitterSteps: 5, seed: 7)

    @Test func theSameSeedGivesTheSameBytes() throws {
        let music = SmallMIDI.march(measures: 8)
        var other = uneven
        other.seed = 8
        let first = try MIDIPerformance(of: music, as: uneven).midiFileBytes
        #expect(try MIDIPerformance(of: music, as: uneven).midiFileBytes == first)
        #expect(try MIDIPerformance(of: music, as: other).midiFileBytes != first)
    }

    @Test func jitterMovesNotesButNeitherLengthsNorMeasures() throws {
        let music = SmallMIDI.march(measures: 50)
        let straight = try MIDIPerformance(of: music, as: PerformanceInterpretation())
        let human = try MIDIPerformance(of: music, as: uneven)
        #expect(human.measureOnsets == straight.measureOnsets)
        let shifts = zip(human.timedMessages, straight.timedMessages).map { $0.seconds - $1.seconds }
        #expect(shifts.allSatisfy { abs($0) <= 0.03 + 1e-9 })
        #expect(Set(shifts).count > 40)
        for pair in stride(from: 0, to: shifts.count, by: 2) {
            #expect(abs(shifts[pair] - shifts[pair + 1]) < 1e-9)
        }
    }

    @Test func theJitterHasMeanZeroAndDeviationOne() {
        var jitter = HumanPlayingRandomSource(seed: 1)
        let values = (0..<20_000).map { _ in jitter.nextNormal() }
        let mean = values.reduce(0, +) / 20_000
        let square = values.reduce(0) { $0 + $1 * $1 } / 20_000
        // Three standard errors of 20,000 draws: 0.021 for the mean, 0.03 for the square.
        #expect(abs(mean) < 0.021)
        #expect(abs(square - 1) < 0.04)
    }

    @Test func balanceSetsTheVolumeOfItsPart() throws {
        let music = SmallMIDI.march(measures: 1)
        let performance = try MIDIPerformance(
            of: music, as: PerformanceInterpretation(volumeChangeDecibelsByPart: ["Flute": -12.041_2]))
        // A quarter of the amplitude is half the controller's value.
        #expect(
            performance.timedMessages.first
                == TimedMIDIMessage(seconds: 0, message: .controlChange(channel: 0, number: 7, value: 50)))
    }

    @Test func anUnknownPartIsNamedWithTheKnownOnes() {
        #expect(throws: RenderingError.unknownPart(name: "Flöte", known: ["Flute"])) {
            try MIDIPerformance(
                of: SmallMIDI.march(measures: 1),
                as: PerformanceInterpretation(volumeChangeDecibelsByPart: ["Flöte": 1]))
        }
    }

    @Test func everyPartHasAChannelAndNoneIsTheDrums() throws {
        let track = SmallMIDI.march(measures: 1).sequence.tracks[1]
        let dealt = try ChannelAssignment(tracks: Array(repeating: track, count: 15), balanceDecibels: [:])
        #expect(Set(dealt.channelsByTrack.compactMap { $0 }).count == 15)
        #expect(!dealt.channelsByTrack.contains(ChannelAssignment.percussionChannel))
        let crowd = try ChannelAssignment(tracks: Array(repeating: track, count: 40), balanceDecibels: [:])
        #expect(Set(crowd.channelsByTrack).count == 1)
    }

    @Test func moreSoundsThanChannelsAreRefused() {
        let tracks = (0..<20).map { number in
            MIDITrack(
                events: [
                    MIDIEvent(tick: 0, message: .programChange(channel: 0, number: UInt8(number))),
                    MIDIEvent(tick: 0, message: .noteOn(channel: 0, key: 60, velocity: 1)),
                ], endTick: 1)
        }
        #expect(throws: RenderingError.tooManyParts(count: 20)) {
            try ChannelAssignment(tracks: tracks, balanceDecibels: [:])
        }
    }
}
