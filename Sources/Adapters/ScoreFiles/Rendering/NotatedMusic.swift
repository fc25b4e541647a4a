/// A score ready to perform: its notes and its measures in performance order, with repeats unfolded.
public struct NotatedMusic: Equatable, Sendable {
    public var title: String?
    public var composer: String?
    public var sequence: MIDISequence
    /// The measures of the score, at least one; their ticks ascend strictly.
    public var playedMeasures: [NotatedMeasure]
    /// The end of the last measure, in ticks; always greater than the start of that measure.
    public var endTick: Int
    /// True if the MIDI channels of the source have no meaning, so that each part may get another channel.
    public var mayReassignChannels: Bool

    public init(
        title: String? = nil, composer: String? = nil, sequence: MIDISequence,
        playedMeasures: [NotatedMeasure],
        endTick: Int, mayReassignChannels: Bool
    ) {
        self.title = title
        self.composer = composer
        self.sequence = sequence
        self.playedMeasures = playedMeasures
        self.endTick = endTick
        self.mayReassignChannels = mayReassignChannels
    }

    /// The part names that the option `--balance` accepts: the names of tracks with notes, in score order, without
    /// duplicates.
    public var partNames: [String] {
        var seen: Set<String> = []
        return sequence.tracks.filter(\.hasNotes).compactMap(\.name).filter { seen.insert($0).inserted }
    }
}

/// One measure of the performance.
public struct NotatedMeasure: Equatable, Sendable {
    /// The measure number printed in the score.
    public var printedNumber: Int
    public var startTick: Int
    /// The measure's place on paper, counted from 0, which is the same for both passes of a repeated measure; nil if
    /// the source does not know its repeats, as MIDI files do not.
    public var writtenIndex: Int?

    public init(printedNumber: Int, startTick: Int, writtenIndex: Int? = nil) {
        self.printedNumber = printedNumber
        self.startTick = startTick
        self.writtenIndex = writtenIndex
    }
}

extension MIDITrack {
    /// True if the track has any notes.
    var hasNotes: Bool {
        events.contains { if case .noteOn = $0.message { true } else { false } }
    }
}
