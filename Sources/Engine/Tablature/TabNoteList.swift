/// A note as it is struck: tied notes are one entry, with their common length.
public struct StruckNote: Hashable, Sendable {
    /// The track, counted from 1.
    public var track: Int
    /// The bar, counted from 1; repeats are not unfolded.
    public var bar: Int
    /// Quarters from the bar's beginning. A grace note has the onset of the beat that it leads to.
    public var onset: Fraction
    /// The string, counted from 1, and its fret; nil for a note without a string.
    public var string: Int?
    public var fret: Int?
    /// The MIDI pitch of the fretted string with the capo, also of a harmonic; of percussion, the drum's key.
    public var pitch: Int
    /// The pitch that is heard: of a harmonic, another one than that of the fret.
    public var soundingPitch: Int
    /// Quarters until the end of the last tied note; 0 for grace notes.
    public var length: Fraction
    public var staff: Int
    /// The voice's place in the bar, counted from 0.
    public var voice: Int
    public var techniques: NoteTechniques
    public var dynamic: String?
}

extension Tab {
    /// The length of a bar in quarters, for all bars.
    public var barLengths: [Fraction] {
        var meter = [4, 4]
        return bars.map { bar in
            if let time = bar.time, time.count == 2, time[0] > 0, time[1] > 0 { meter = time }
            return bar.length ?? Fraction(meter[0] * 4, meter[1])
        }
    }

    /// All notes in the order of the written bars, then of their onsets, tracks and strings.
    ///
    /// A note tied to nothing counts as struck.
    public var struckNotes: [StruckNote] {
        var all: [StruckNote] = []
        for number in tracks.indices { all += struckNotes(ofTrack: number) }
        return all.enumerated().sorted { a, b in
            let (x, y) = (a.element, b.element)
            if x.bar != y.bar { return x.bar < y.bar }
            if x.onset != y.onset { return x.onset < y.onset }
            if (x.length == .zero) != (y.length == .zero) { return x.length == .zero }
            if x.track != y.track { return x.track < y.track }
            return a.offset < b.offset
        }.map(\.element)
    }

    private func struckNotes(ofTrack number: Int) -> [StruckNote] {
        let track = tracks[number]
        var collector = StruckNoteCollector(track: number + 1)
        var start = Fraction.zero
        for (bar, length) in barLengths.enumerated() {
            if bar < track.bars.count {
                for (voice, content) in track.bars[bar].voices.enumerated() {
                    collector.read(content, voice: voice, bar: bar + 1, start: start, of: track)
                }
            }
            start += length
        }
        return collector.notes
    }
}

/// Collects the notes of one track, and joins those that are tied.
private struct StruckNoteCollector {
    private struct Sound: Hashable {
        var staff: Int
        var voice: Int
        /// A string, or a pitch above all strings.
        var key: Int
    }
    private struct Ringing {
        var index: Int
        var end: Fraction
        /// The beat's number in its voice.
        var beat: Int
    }

    let track: Int
    var notes: [StruckNote] = []
    private var ringing: [Sound: Ringing] = [:]
    /// The number of beats so far of each voice of each staff.
    private var beatCounts: [Int: Int] = [:]

    init(track: Int) { self.track = track }

    mutating func read(_ content: TabVoice, voice: Int, bar: Int, start: Fraction, of source: TabTrack) {
        let staff = source.staff(content.staff)
        let counter = content.staff << 8 | voice
        var onset = Fraction.zero
        for beat in content.beats {
            if beat.grace == nil { beatCounts[counter, default: 0] += 1 }
            let count = beatCounts[counter, default: 0]
            for note in beat.notes {
                let end = start + onset + beat.quarters
                let key = note.string ?? 1_000 + (note.pitch ?? 0)
                let sound = Sound(staff: content.staff, voice: voice, key: key)
                let written = Self.pitch(of: note, on: staff, isPercussion: source.percussion)
                if note.tie, let index = continued(sound, pitch: written, at: start + onset, beat: count) {
                    notes[index].length += beat.quarters
                    ringing[sound] = Ringing(index: index, end: end, beat: count)
                    continue
                }
                guard let pitch = written else { continue }
                // A tied grace note goes on in its beat, unless a longer note does.
                if beat.grace == nil || ringing[sound]?.end != end {
                    ringing[sound] = Ringing(index: notes.count, end: end, beat: count)
                }
                let hasString = (note.string ?? 0) >= 1 && note.fret != nil
                notes.append(
                    StruckNote(
                        track: track, bar: bar, onset: onset, string: hasString ? note.string : nil,
                        fret: hasString ? note.fret : nil, pitch: pitch,
                        soundingPitch: Self.sounding(
                            pitch, note, on: staff, isPercussion: source.percussion),
                        length: beat.quarters, staff: content.staff, voice: voice, techniques: note.play,
                        dynamic: beat.dynamic))
            }
            onset += beat.quarters
        }
    }

    /// The note that a tied note continues: the one before in its voice; one of another voice on its string that ends
    /// here; or one of the same pitch that ends here, on another string or staff.
    private func continued(_ sound: Sound, pitch: Int?, at time: Fraction, beat: Int) -> Int? {
        if let own = ringing[sound], own.end == time || own.beat == beat - 1 { return own.index }
        for voice in 0..<TabLimits.voices {
            let other = Sound(staff: sound.staff, voice: voice, key: sound.key)
            if let found = ringing[other], found.end == time { return found.index }
        }
        return ringing.values.filter { $0.end == time && notes[$0.index].pitch == pitch }.map(\.index).min()
    }

    private static func pitch(of note: TabNote, on staff: TabStaff, isPercussion: Bool) -> Int? {
        if isPercussion, let pitch = note.pitch { return pitch }
        if let string = note.string, let fret = note.fret, let pitch = staff.pitch(string: string, fret: fret)
        {
            return pitch
        }
        return note.pitch
    }

    private static func sounding(_ pitch: Int, _ note: TabNote, on staff: TabStaff, isPercussion: Bool) -> Int
    {
        guard !isPercussion, let harmonic = note.play.harmonic else { return pitch }
        let touched = harmonic.fret ?? Fraction(harmonic.kind == .natural ? note.fret ?? 12 : 12)
        let open = harmonic.kind == .natural ? pitch - (note.fret ?? 0) : pitch
        return min(127, open + Harmonic.interval(touchedAt: touched))
    }
}

extension Harmonic {
    /// The semitones by which a string sounds higher if it is touched so many frets above its end.
    ///
    /// Source: the nodes of the harmonic series, 12 · log2(1 / (1 − k/n)) frets from the end of the string.
    static func interval(touchedAt fret: Fraction) -> Int {
        let nodes: [(fret: Double, interval: Int)] = [
            (2.4, 36), (2.7, 34), (3.2, 31), (3.9, 28), (4, 28), (5, 24), (5.8, 34), (7, 19), (8.2, 36),
            (9, 28),
            (9.6, 34), (12, 12), (14.7, 34), (16, 28), (17, 36), (19, 19), (21.7, 34), (24, 24), (28, 28),
        ]
        return nodes.min { abs($0.fret - fret.value) < abs($1.fret - fret.value) }!.interval
    }
}
