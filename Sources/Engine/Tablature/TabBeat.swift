/// Notes that sound together, or a rest.
public struct TabBeat: Codable, Hashable, Sendable {
    public enum Grace: String, Codable, Sendable { case before, on }

    /// The note value as a part of a whole note; nil for a quarter.
    @NoteValue public var value: Fraction?
    @Usual<Zero> public var dots: Int
    /// Two numbers: so many notes in the time of so many.
    public var tuplet: [Int]?
    /// The length in quarters, if value, dots and tuplet do not say it.
    public var length: Fraction?
    public var grace: Grace?
    @Usual<EmptyList<TabNote>> public var notes: [TabNote]
    @Usual<No> public var invisible: Bool
    public var text: String?
    public var chord: String?
    @Usual<EmptyList<String>> public var lyrics: [String]
    public var dynamic: String?
    public var techniques: BeatTechniques?
    @Usual<EmptyList<KeptItem>> public var kept: [KeptItem]

    public init() {}

    public init(_ written: WrittenLength, notes: [TabNote] = []) {
        self.notes = notes
        write(written)
    }

    /// The length of value, dots and tuplet, in quarters.
    public var writtenQuarters: Fraction {
        var quarters = (value ?? Fraction(1, 4)) * Fraction(4)
        if dots > 0 { quarters = quarters * Fraction((2 << min(dots, 8)) - 1, 1 << min(dots, 8)) }
        if let tuplet, tuplet.count == 2, tuplet[0] > 0, tuplet[1] > 0 {
            quarters = quarters * Fraction(tuplet[1], tuplet[0])
        }
        return quarters
    }

    /// The time that the beat takes, in quarters; 0 for grace notes.
    public var quarters: Fraction { grace == nil ? length ?? writtenQuarters : .zero }

    /// Changes the beat's note value; the length follows it.
    public mutating func write(_ written: WrittenLength) {
        value = written.value
        dots = written.dots
        tuplet = written.tuplet
        length = written.isExact ? nil : written.quarters
    }

    /// The beat's techniques, to be changed in place.
    public var play: BeatTechniques {
        get { techniques ?? BeatTechniques() }
        set { techniques = newValue == BeatTechniques() ? nil : newValue }
    }
}

/// One note on a string, or a pitch without a string.
public struct TabNote: Codable, Hashable, Sendable {
    public var string: Int?
    public var fret: Int?
    /// The MIDI pitch of a note without a string, and of percussion.
    public var pitch: Int?
    @Usual<No> public var tie: Bool
    public var techniques: NoteTechniques?
    @Usual<EmptyList<KeptItem>> public var kept: [KeptItem]

    public init() {}

    public init(string: Int, fret: Int, tie: Bool = false) {
        self.string = string
        self.fret = fret
        self.tie = tie
    }

    public init(pitch: Int, tie: Bool = false) {
        self.pitch = pitch
        self.tie = tie
    }

    public var play: NoteTechniques {
        get { techniques ?? NoteTechniques() }
        set { techniques = newValue == NoteTechniques() ? nil : newValue }
    }
}
