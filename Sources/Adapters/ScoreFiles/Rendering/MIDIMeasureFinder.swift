import Basics

/// Finds the measures of a MIDI file from its time signatures; before the first time signature, 4/4 is assumed.
public enum MIDIMeasureFinder {
    public static let maximumMeasures = 20_000

    /// The measures from tick 0 to the end of the last sounding measure, numbered from 1, or from 0 if the first one is
    /// an upbeat: shorter than its meter or than the meter that follows at once.
    ///
    /// A time signature within a measure begins a new measure, as sequencers show it.
    /// - Throws: ``ExplainedError``, or ``ExplainedError`` for a file with more than
    ///   ``maximumMeasures`` measures.
    public static func findMeasures(
        of sequence: MIDISequence
    ) throws(ExplainedError) -> (measures: [NotatedMeasure], endTick: Int) {
        var lastSound = 0
        for event in sequence.tracks.flatMap(\.events) {
            switch event.message {
            case .noteOn, .noteOff: lastSound = max(lastSound, event.tick)
            default: break
            }
        }
        guard lastSound > 0 else { throw ExplainedError("it holds no notes") }
        let meters = sequence.meters
        var measures: [NotatedMeasure] = []
        var tick = 0
        var next = 0
        var length = 4 * sequence.ticksPerQuarter
        while tick < lastSound {
            while next < meters.count, meters[next].tick <= tick {
                length = sequence.ticksOfMeasure(in: meters[next])
                next += 1
            }
            guard measures.count < maximumMeasures else {
                throw MIDIFileFault.tooManyEvents(limit: maximumMeasures)
            }
            measures.append(NotatedMeasure(printedNumber: measures.count + 1, startTick: tick))
            let barLine = tick + length
            tick = next < meters.count ? min(barLine, meters[next].tick) : barLine
        }
        if measures.count > 1, meters.count > 1, meters[1].tick == measures[1].startTick,
            measures[1].startTick < sequence.ticksOfMeasure(in: meters[1])
        {
            for index in measures.indices { measures[index].printedNumber -= 1 }
        }
        return (measures, tick)
    }
}

/// A time signature at its place.
public struct MIDIMeter: Equatable, Sendable {
    /// The beginning of its first measure, in ticks.
    public var tick: Int
    public var beats: Int
    /// The lower number of the signature.
    public var beatUnit: Int
}

extension MIDISequence {
    /// The time signatures in ascending order, at most one at each tick.
    ///
    /// One that stands less than a 32nd note beside a bar line belongs to that bar line: programs that play write it a
    /// tick late.
    public var meters: [MIDIMeter] {
        let written = tracks.flatMap(\.events).compactMap { event -> MIDIMeter? in
            guard case .timeSignature(let beats, let beatUnit) = event.message else { return nil }
            return MIDIMeter(tick: event.tick, beats: beats, beatUnit: beatUnit)
        }
        var meters: [MIDIMeter] = []
        var last = MIDIMeter(tick: 0, beats: 4, beatUnit: 4)
        // The sort must be stable, because the last of several at one tick counts. So the index is its second key.
        for (_, var meter) in written.enumerated().sorted(by: {
            ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
        }) {
            let length = ticksOfMeasure(in: last)
            let late = (meter.tick - last.tick) % length
            if late * 8 < ticksPerQuarter { meter.tick -= late }
            if late > length / 2, (length - late) * 8 < ticksPerQuarter { meter.tick += length - late }
            if meters.last?.tick == meter.tick { meters.removeLast() }
            meters.append(meter)
            last = meter
        }
        return meters
    }

    /// The ticks of a full measure.
    func ticksOfMeasure(in meter: MIDIMeter) -> Int {
        max(4 * ticksPerQuarter * meter.beats / meter.beatUnit, 1)
    }
}
