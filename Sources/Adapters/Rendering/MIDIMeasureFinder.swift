/// Finds the measures of a MIDI file from its time signatures; 4/4 before the first.
public enum MIDIMeasureFinder {
    public static let maximumMeasures = 20_000

    /// The measures, numbered from 1, from tick 0 to the end of the last sounding measure.
    ///
    /// A time signature within a measure begins a new one, as sequencers show it.
    /// - Throws: ``MIDIFileFault/noNotes`` or ``MIDIFileFault/tooManyEvents(limit:)`` for a file with more than
    ///   ``maximumMeasures``.
    public static func measures(
        of sequence: MIDISequence
    ) throws(MIDIFileFault) -> (measures: [NotatedMeasure], endTick: Int) {
        var lastSound = 0
        var signatures: [(tick: Int, length: Int)] = [(0, 4 * sequence.ticksPerQuarter)]
        for event in sequence.tracks.flatMap(\.events) {
            switch event.message {
            case .noteOn, .noteOff: lastSound = max(lastSound, event.tick)
            case .timeSignature(let beats, let beatUnit):
                signatures.append((event.tick, max(4 * sequence.ticksPerQuarter * beats / beatUnit, 1)))
            default: break
            }
        }
        guard lastSound > 0 else { throw .noNotes }

        // Of several time signatures at the same tick the last counts, so the sort must be stable: the index makes it
        // so.
        let ordered = signatures.enumerated()
            .sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }.map(\.element)
        var measures: [NotatedMeasure] = []
        var tick = 0
        var next = 0
        var length = 4 * sequence.ticksPerQuarter
        while tick < lastSound {
            while next < ordered.count, ordered[next].tick <= tick {
                length = ordered[next].length
                next += 1
            }
            guard measures.count < maximumMeasures else { throw .tooManyEvents(limit: maximumMeasures) }
            measures.append(NotatedMeasure(printed: measures.count + 1, tick: tick))
            let barLine = tick + length
            tick = next < ordered.count ? min(barLine, ordered[next].tick) : barLine
        }
        return (measures, tick)
    }
}
