import Basics

/// A performance of a score: every MIDI message with its time, and the start of each measure.
public struct MIDIPerformance: Equatable, Sendable {
    public let timedMessages: [TimedMIDIMessage]
    /// The start of each measure in performance order, strictly ascending.
    public let measureOnsets: [ReferenceTime]
    /// The end of the last measure.
    public let lastMeasureEnd: ReferenceTime
    /// The end of the audio, after the sound has died away.
    public let audioEnd: Seconds

    private let leadIn: Double
    private let bars: PerformedBars

    /// The performance as a Standard MIDI File for a synthesizer: exact times, with the lead-in, without bars.
    public var midiFileBytes: [UInt8] { MIDIFileWriter.makeFile(timedMessages, end: audioEnd) }

    /// The performance as a Standard MIDI File for people and their programs: the score's bars and time signatures,
    /// and the tempi as performed. The first bar begins at tick 0, without the lead-in.
    public var barredMIDIFileBytes: [UInt8] {
        let messages = timedMessages.map {
            MIDIEvent(tick: bars.tick(atSeconds: $0.seconds - leadIn), message: $0.message)
        }
        let ordered = (bars.events + messages).enumerated().sorted {
            ($0.element.tick, MIDIFileWriter.orderWithinTick($0.element.message), $0.offset)
                < ($1.element.tick, MIDIFileWriter.orderWithinTick($1.element.message), $1.offset)
        }
        return MIDISequence(
            ticksPerQuarter: PerformedBars.ticksPerQuarter,
            tracks: [MIDITrack(events: ordered.map(\.element), endTick: bars.endTick)]
        ).makeFile()
    }

    /// - Throws: ``ExplainedError``,
    ///   ``ExplainedError``, ``ExplainedError``,
    ///   ``ExplainedError``.
    /// - Complexity: O(events · log measures).
    public init(of music: NotatedMusic, as interpretation: PerformanceInterpretation) throws(ExplainedError) {
        let known = music.partNames
        for name in interpretation.volumeChangeDecibelsByPart.keys.sorted() where !known.contains(name) {
            throw ExplainedError(
                "The score has no part called “\(name)”; it has "
                    + (known.isEmpty ? "no named parts." : known.joined(separator: ", ") + "."))
        }
        try interpretation.tempoCurve?.checkMeasures(of: music)
        let clock = try ScoreTickConverter(
            music: music, start: interpretation.leadIn, ratio: interpretation.tempoRatio,
            curve: interpretation.tempoCurve)
        let tracks = music.sequence.tracks
        let deal: [UInt8?] =
            music.mayReassignChannels
            ? try ChannelAssignment(
                tracks: tracks, balanceDecibels: interpretation.volumeChangeDecibelsByPart
            ).channelsByTrack
            : tracks.map { _ in nil }

        var jitter = HumanPlayingRandomSource(seed: interpretation.seed)
        var messages: [TimedMIDIMessage] = []
        for (track, channel) in zip(tracks, deal) {
            let decibels = track.name.flatMap { interpretation.volumeChangeDecibelsByPart[$0] } ?? 0
            messages += Self.makeVolumeMessages(of: track, channel: channel, decibels: decibels)
            messages += Self.makePerformedMessages(
                track, channel: channel, clock: clock, interpretation, &jitter)
        }
        self.timedMessages = messages
        leadIn = interpretation.leadIn.value
        bars = PerformedBars(of: music, clock: clock)
        measureOnsets = music.playedMeasures.map { clock.audioTime(of: $0.startTick) }
        lastMeasureEnd = clock.audioTime(of: music.endTick)
        audioEnd =
            Seconds(max(lastMeasureEnd.seconds, messages.map(\.seconds).max() ?? 0))
            + interpretation.dieAwayTime
    }

    /// Returns the messages that set the channel volume of a part. Every channel starts at the value 100 of
    /// controller 7. Synthesizers use the square of this value as amplitude, so a change of 40 dB multiplies the
    /// value by ten.
    private static func makeVolumeMessages(of track: MIDITrack, channel: UInt8?, decibels: Double)
        -> [TimedMIDIMessage]
    {
        guard decibels != 0, track.hasNotes else { return [] }
        let steps = (100 * Decibels.amplitudeFactor(decibels / 2)).rounded()
        let value = UInt8(min(max(steps, 0), 127))
        let channels = channel.map { [$0] } ?? Set(track.events.compactMap(\.message.channel)).sorted()
        return channels.map {
            TimedMIDIMessage(seconds: 0, message: .controlChange(channel: $0, number: 7, value: value))
        }
    }

    private static func makePerformedMessages(
        _ track: MIDITrack, channel: UInt8?, clock: ScoreTickConverter,
        _ interpretation: PerformanceInterpretation,
        _ jitter: inout HumanPlayingRandomSource
    ) -> [TimedMIDIMessage] {
        // A note's start and end move together, so that its length stays. If a key is struck twice, the first release
        // ends the first note.
        var sounding: [StruckKey: [Double]] = [:]
        return track.events.compactMap { event in
            let message = channel.map { event.message.movedToChannel($0) } ?? event.message
            let seconds = clock.audioTime(of: event.tick).seconds
            switch message {
            case .tempoChange, .timeSignature: return nil
            case .noteOn(let channel, let key, let velocity):
                let shift = jitter.nextNormal() * interpretation.timingJitter.value
                let accent = jitter.nextNormal() * interpretation.velocityJitterSteps
                sounding[StruckKey(channel: channel, key: key), default: []].append(shift)
                let uneven = UInt8(min(max((Double(velocity) + accent).rounded(), 1), 127))
                return TimedMIDIMessage(
                    seconds: max(seconds + shift, 0),
                    message: .noteOn(channel: channel, key: key, velocity: uneven))
            case .noteOff(let channel, let key):
                let strike = StruckKey(channel: channel, key: key)
                let waiting = sounding[strike] ?? []
                let shift = waiting.first ?? 0
                sounding[strike] = Array(waiting.dropFirst())
                return TimedMIDIMessage(seconds: max(seconds + shift, 0), message: message)
            default:
                return TimedMIDIMessage(seconds: max(seconds, 0), message: message)
            }
        }
    }

    private struct StruckKey: Hashable {
        var channel: UInt8
        var key: UInt8
    }
}
