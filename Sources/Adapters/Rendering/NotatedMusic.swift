/// A score made ready to perform: its notes and its measures in performance order, repeats unfolded.
public struct NotatedMusic: Equatable, Sendable {
    public var title: String?
    public var composer: String?
    public var sequence: MIDISequence
    /// At least one, ticks strictly rising.
    public var measures: [NotatedMeasure]
    /// Where the last measure ends, in ticks; behind the last measure's start.
    public var endTick: Int
    /// True where the channels carry no meaning of their own and may be dealt anew, one for each part.
    public var dealsChannels: Bool

    public init(
        title: String? = nil, composer: String? = nil, sequence: MIDISequence, measures: [NotatedMeasure],
        endTick: Int, dealsChannels: Bool
    ) {
        self.title = title
        self.composer = composer
        self.sequence = sequence
        self.measures = measures
        self.endTick = endTick
        self.dealsChannels = dealsChannels
    }

    /// The names `--balance` understands: named tracks that sound, in score order, each once.
    public var partNames: [String] {
        var seen: Set<String> = []
        return sequence.tracks.filter(\.sounds).compactMap(\.name).filter { seen.insert($0).inserted }
    }
}

/// One measure as performed.
public struct NotatedMeasure: Equatable, Sendable {
    /// The number printed in the score.
    public var printed: Int
    public var tick: Int

    public init(printed: Int, tick: Int) {
        self.printed = printed
        self.tick = tick
    }
}

extension MIDITrack {
    /// Whether the track plays any note.
    var sounds: Bool {
        events.contains { if case .noteOn = $0.message { true } else { false } }
    }
}
