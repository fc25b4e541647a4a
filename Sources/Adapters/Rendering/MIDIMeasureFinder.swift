/// Finds the measures of a MIDI file from its time signatures; before the first time signature, 4/4 is assumed.
public enum MIDIMeasureFinder {
    public static let maximumMeasures = 20_000

    /// The measures, numbered from 1, from tick 0 to the end of the last sounding measure.
    ///
    /// A time signature within a measure begins a new measure, as sequencers show it.
    /// - Throws: ``MIDIFileFault/noNotes``, or ``MIDIFileFault/tooManyEvents(limit:)`` for a file with more than
    ///   ``maximumMeasures`` measures.
    public static func findMeasures(
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

        // If several time signatures have the same tick, the last one counts. So the sort must be stable: it uses the
        // index as second key.
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
            measures.append(NotatedMeasure(printedNumber: measures.count + 1, startTick: tick))
            let barLine = tick + length
            tick = next < ordered.count ? min(barLine, ordered[next].tick) : barLine
        }
        return (measures, tick)
    }
}
