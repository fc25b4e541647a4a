/// A piece in tablature. `docs/tab-json.md` describes each field; the fields have the same names there.
public struct Tab: Codable, Hashable, Sendable {
    public static let format = "baton-tab"
    public static let version = 1

    public var format = Tab.format
    public var version = Tab.version
    @Usual<EmptyText> public var title: String
    @Usual<EmptyText> public var subtitle: String
    @Usual<EmptyText> public var artist: String
    @Usual<EmptyText> public var album: String
    @Usual<EmptyText> public var composer: String
    @Usual<EmptyText> public var lyricist: String
    @Usual<EmptyText> public var copyright: String
    @Usual<EmptyText> public var notes: String
    /// Quarters a minute at the beginning; nil for 120.
    public var tempo: Double?
    @Usual<EmptyList<TabBar>> public var bars: [TabBar]
    @Usual<EmptyList<TabTrack>> public var tracks: [TabTrack]
    @Usual<EmptyList<KeptItem>> public var kept: [KeptItem]

    public init() {}
}

/// Something that a file says and this model does not understand: its name in the file, and its value.
public struct KeptItem: Codable, Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String = "") {
        self.name = name
        self.value = value
    }
}

/// The properties that all tracks share in one bar.
public struct TabBar: Codable, Hashable, Sendable {
    /// The meter from here on: numerator and denominator; nil if it stays.
    public var time: [Int]?
    /// The bar's real length in quarters, if it is not that of its meter.
    public var length: Fraction?
    @Usual<No> public var freeTime: Bool
    /// Sharps (positive) or flats (negative) from here on; nil if they stay.
    public var key: Int?
    @Usual<No> public var repeatStart: Bool
    /// A section ends here and is played so many times more; nil if none ends.
    public var repeats: Int?
    /// The passes in which this bar is played, counted from 1; empty for all.
    @Usual<EmptyList<Int>> public var endings: [Int]
    @Usual<EmptyList<TempoChange>> public var tempos: [TempoChange]
    public var section: String?
    @Usual<EmptyList<String>> public var directions: [String]
    @Usual<No> public var double: Bool
    @Usual<EmptyList<KeptItem>> public var kept: [KeptItem]

    public init() {}
}

/// A new tempo inside a bar.
public struct TempoChange: Codable, Hashable, Sendable {
    /// Quarters from the beginning of the bar.
    public var at: Fraction
    /// Quarters a minute.
    public var tempo: Double
    public var text: String?

    public init(at: Fraction, tempo: Double, text: String? = nil) {
        self.at = at
        self.tempo = tempo
        self.text = text
    }
}

/// An instrument, its strings, and what it plays.
public struct TabTrack: Codable, Hashable, Sendable {
    @Usual<EmptyText> public var name: String
    @Usual<EmptyText> public var shortName: String
    /// The General MIDI program, 0…127.
    @Usual<SteelGuitar> public var program: Int
    public var channel: Int?
    @Usual<No> public var percussion: Bool
    /// Open strings as MIDI pitches without the capo; string 1 first.
    @Usual<EmptyList<Int>> public var strings: [Int]
    @Usual<Zero> public var capo: Int
    @Usual<TwentyFour> public var frets: Int
    @Usual<EmptyList<TabStaff>> public var moreStaves: [TabStaff]
    @Usual<EmptyList<TabMeasure>> public var bars: [TabMeasure]
    @Usual<EmptyList<KeptItem>> public var kept: [KeptItem]

    public init() {}

    /// The strings and the capo of a staff, counted from 1.
    public func staff(_ number: Int) -> TabStaff {
        number >= 2 && number - 2 < moreStaves.count
            ? moreStaves[number - 2] : TabStaff(strings: strings, capo: capo)
    }
}

/// The strings of a further staff of a track.
public struct TabStaff: Codable, Hashable, Sendable {
    @Usual<EmptyList<Int>> public var strings: [Int]
    @Usual<Zero> public var capo: Int

    public init(strings: [Int] = [], capo: Int = 0) {
        self.strings = strings
        self.capo = capo
    }

    /// The pitch of a fretted string, counted from 1; nil if there is no such string.
    public func pitch(string: Int, fret: Int) -> Int? {
        string >= 1 && string <= strings.count ? strings[string - 1] + capo + fret : nil
    }
}

/// The music of one track in one bar.
public struct TabMeasure: Codable, Hashable, Sendable {
    @Usual<EmptyList<TabVoice>> public var voices: [TabVoice]
    public var clef: String?
    @Usual<EmptyList<KeptItem>> public var kept: [KeptItem]

    public init(_ voices: [TabVoice] = []) { self.voices = voices }
}

/// Beats one after the other, from the beginning of a bar.
public struct TabVoice: Codable, Hashable, Sendable {
    @Usual<One> public var staff: Int
    @Usual<EmptyList<TabBeat>> public var beats: [TabBeat]

    public init(_ beats: [TabBeat] = [], staff: Int = 1) {
        self.beats = beats
        self.staff = staff
    }
}
