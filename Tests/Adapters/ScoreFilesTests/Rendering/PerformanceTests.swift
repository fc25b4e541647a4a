import Basics
import Testing

@testable import ScoreFiles

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

    @Test(arguments: [1.0, 0.5, 1.37]) func theBarsOfTheMIDIFileAreThoseOfTheScore(tempo: Double) throws {
        let music = SmallMIDI.march(measures: 16)
        var interpretation = uneven
        interpretation.tempoRatio = TempoRatio(tempo)
        let performance = try MIDIPerformance(of: music, as: interpretation)
        let sequence = try MIDIFileReader.read(performance.barredMIDIFileBytes)
        let (measures, endTick) = try MIDIMeasureFinder.findMeasures(of: sequence)
        #expect(measures.count == 16)
        let read = NotatedMusic(
            sequence: sequence, playedMeasures: measures, endTick: endTick, mayReassignChannels: false)
        let clock = try ScoreTickConverter(music: read, start: interpretation.leadIn)
        for (measure, onset) in zip(measures, performance.measureOnsets) {
            #expect(abs(clock.audioTime(of: measure.startTick).seconds - onset.seconds) < 1e-4)
        }
        let strikes = sequence.tracks[0].events.filter {
            if case .noteOn = $0.message { true } else { false }
        }
        let struck = performance.timedMessages.filter { if case .noteOn = $0.message { true } else { false } }
        #expect(strikes.count == 16)
        for (read, played) in zip(strikes, struck) {
            #expect(abs(clock.audioTime(of: read.tick).seconds - max(played.seconds, 0.5)) < 3e-4)
        }
    }

    @Test func aPickupBarAndACurveAreInTheMIDIFile() throws {
        var music = SmallMIDI.march(measures: 9)
        music.sequence.tracks[0].events.insert(
            MIDIEvent(tick: 0, message: .timeSignature(beats: 8, beatUnit: 8)), at: 0)
        // A pickup of a quarter: the bar lines stand a bar less three quarters earlier.
        music.playedMeasures = (0..<9).map {
            NotatedMeasure(printedNumber: $0, startTick: max($0 * 1_920 - 1_440, 0))
        }
        music.endTick = 9 * 1_920 - 1_440
        let curve = try TempoCurve(text: "played,bpm\n1,60\n9,140")
        let performance = try MIDIPerformance(of: music, as: PerformanceInterpretation(tempoCurve: curve))
        let sequence = try MIDIFileReader.read(performance.barredMIDIFileBytes)
        let signatures = sequence.tracks[0].events.compactMap { event in
            if case .timeSignature(let beats, let unit) = event.message { "\(beats)/\(unit)" } else { nil }
        }
        #expect(signatures == ["1/4", "8/8"])
        let (measures, endTick) = try MIDIMeasureFinder.findMeasures(of: sequence)
        #expect(measures.count == 9)
        let clock = try ScoreTickConverter(
            music: NotatedMusic(
                sequence: sequence, playedMeasures: measures, endTick: endTick, mayReassignChannels: false),
            start: Seconds(0.5))
        for (measure, onset) in zip(measures, performance.measureOnsets) {
            #expect(abs(clock.audioTime(of: measure.startTick).seconds - onset.seconds) < 1e-4)
        }
    }

    @Test(arguments: ["measure,ratio\n1,1\n99,2", "played,bpm\n18,60", "measure,ratio\n-1,1"])
    func aTempoCurveWithAPointOutsideTheScoreIsRefused(text: String) throws {
        let curve = try TempoCurve(text: text)
        let place = try #require(curve.points.last).measure
        #expect(
            throws: ExplainedError(
                "The tempo curve has a point at measure \(place.formatted(.number.grouping(.never))); the "
                    + "score has the measures 1 to 16. Correct the point or take it out.")
        ) {
            try MIDIPerformance(
                of: SmallMIDI.march(measures: 16), as: PerformanceInterpretation(tempoCurve: curve))
        }
    }

    @Test func aTempoCurveMayEndAtTheLastBarLine() throws {
        let curve = try TempoCurve(text: "measure,ratio\n0,1\n17,0.8")
        _ = try MIDIPerformance(
            of: SmallMIDI.march(measures: 16), as: PerformanceInterpretation(tempoCurve: curve))
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
        #expect(
            throws: ExplainedError(
                "The score has no part called “Flöte”; it has "
                    + ((["Flute"]).isEmpty ? "no named parts." : (["Flute"]).joined(separator: ", ") + "."))
        ) {
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
        #expect(
            throws: ExplainedError(
                "The score needs 20 different sounds at once; MIDI has room for 15 and percussion.")
        ) {
            try ChannelAssignment(tracks: tracks, balanceDecibels: [:])
        }
    }
}
