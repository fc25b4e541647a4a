import Basics

/// Finds rehearsal marks in a MIDI file: its markers and cue points, each with the measure at which it stands.
public enum MIDIRehearsalMarks {
    public struct Mark: Equatable, Sendable {
        public var label: String
        /// Counted from 1 at the beginning of the file, as sequencers do; an upbeat is measure 1.
        public var measure: Int
    }

    /// Returns the marks in the order of their measures, each once.
    ///
    /// A marker up to a 32nd note before a bar line, as people set them while they listen, belongs to the measure after
    /// it. Markers without a letter or digit, and those after the last note, are left out.
    /// - Parameter longestLabel: longer labels are cut, in characters.
    /// - Throws: ``ExplainedError`` for a file without notes.
    public static func find(
        in sequence: MIDISequence, longestLabel: Int
    ) throws(ExplainedError) -> [Mark] {
        let (measures, end) = try MIDIMeasureFinder.findMeasures(of: sequence)
        let early = sequence.ticksPerQuarter / 8
        var marks: [Mark] = []
        for marker in sequence.tracks.flatMap(\.markers).sorted(by: { $0.tick < $1.tick })
        where marker.tick < end {
            let words = marker.text.split(whereSeparator: { $0.isWhitespace || $0.isNewline })
            let label = words.joined(separator: " ").prefix(longestLabel)
            guard label.contains(where: { $0.isLetter || $0.isNumber }) else { continue }
            let after = measures.partitioningIndex { $0.startTick > marker.tick + early }
            let mark = Mark(label: String(label), measure: measures[max(after - 1, 0)].printedNumber)
            if !marks.contains(mark) { marks.append(mark) }
        }
        return marks
    }
}

extension Array {
    /// The first index whose element fulfils a condition that all later ones fulfil too; the count if there is none.
    fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
