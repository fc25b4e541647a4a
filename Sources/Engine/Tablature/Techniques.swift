/// The techniques with which one note is played.
public struct NoteTechniques: Codable, Hashable, Sendable {
    /// Leads to the next note on the string by a hammer-on or pull-off.
    @Usual<No> public var hammer: Bool
    @Usual<EmptyList<Slide>> public var slides: [Slide]
    @Usual<EmptyList<BendPoint>> public var bend: [BendPoint]
    public var vibrato: Vibrato?
    @Usual<No> public var dead: Bool
    @Usual<No> public var ghost: Bool
    @Usual<No> public var palmMute: Bool
    @Usual<No> public var letRing: Bool
    @Usual<No> public var staccato: Bool
    @Usual<No> public var tap: Bool
    public var accent: Accent?
    public var harmonic: Harmonic?
    public var trill: Trill?
    public var ornament: Ornament?
    public var leftFinger: String?
    public var rightFinger: String?

    public init() {}
}

public enum Slide: String, Codable, Sendable { case shift, legato, inFromBelow, inFromAbove, outDown, outUp }
public enum Vibrato: String, Codable, Sendable { case slight, wide }
public enum Accent: String, Codable, Sendable { case accent, heavy, tenuto }
public enum Ornament: String, Codable, Sendable { case mordent, invertedMordent, turn, invertedTurn }

/// A point of a bend: how far the pitch is bent at a part of the note's length.
public struct BendPoint: Codable, Hashable, Sendable {
    /// A part of the note's length, 0…1.
    public var at: Fraction
    public var semitones: Fraction

    public init(at: Fraction, semitones: Fraction) {
        self.at = at
        self.semitones = semitones
    }
}

public struct Harmonic: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable { case natural, artificial, pinch, tap, semi, feedback }
    public var kind: Kind
    /// The place at which the string is touched: a fret, or frets above the fretted note.
    public var fret: Fraction?

    public init(_ kind: Kind, fret: Fraction? = nil) {
        self.kind = kind
        self.fret = fret
    }
}

public struct Trill: Codable, Hashable, Sendable {
    public var fret: Int?
    public var pitch: Int?
    /// The value of its notes as a part of a whole note.
    public var value: Fraction?

    public init(fret: Int? = nil, pitch: Int? = nil, value: Fraction? = nil) {
        self.fret = fret
        self.pitch = pitch
        self.value = value
    }
}

/// The techniques with which all notes of a beat are played.
public struct BeatTechniques: Codable, Hashable, Sendable {
    public enum Stroke: String, Codable, Sendable { case up, down, arpeggioUp, arpeggioDown }
    public enum Pick: String, Codable, Sendable { case up, down }
    public enum Fade: String, Codable, Sendable { case `in`, out, swell }

    public var stroke: Stroke?
    public var pick: Pick?
    @Usual<No> public var tap: Bool
    @Usual<No> public var slap: Bool
    @Usual<No> public var pop: Bool
    @Usual<No> public var rasgueado: Bool
    /// The value of the repeated notes as a part of a whole note.
    public var tremoloPicking: Fraction?
    @Usual<EmptyList<BendPoint>> public var whammy: [BendPoint]
    public var fade: Fade?
    @Usual<No> public var fermata: Bool
    public var vibrato: Vibrato?
    /// Written so many octaves away.
    public var ottava: Int?

    public init() {}
}
