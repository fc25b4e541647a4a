import Basics

/// The limits of a tab.
public enum TabLimits {
    public static let tracks = 64
    public static let bars = 9_999
    public static let strings = 16
    public static let staves = 8
    public static let voices = 16
    /// Notes and beats together.
    public static let events = 500_000
    public static let textCharacters = 2_000
    public static let keptItems = 20_000
    public static let frets = 36
    public static let repeats = 99
}

/// Refuses tabs from outside that contradict themselves or exceed ``TabLimits``.
public struct TabCheck {
    private var events = 0
    private var keptItems = 0

    /// - Throws: ``ExplainedError`` with the first thing that is wrong.
    public static func check(_ tab: Tab) throws(ExplainedError) {
        var check = TabCheck()
        try check.run(tab)
    }

    private mutating func run(_ tab: Tab) throws(ExplainedError) {
        guard tab.format == Tab.format, tab.version == Tab.version else {
            throw ExplainedError("This is no tab of version \(Tab.version); export it again as tab JSON.")
        }
        try require(
            tab.tempo.map { (1...1_000).contains($0) } ?? true, "The tempo is not between 1 and 1000.")
        try require(tab.tracks.count <= TabLimits.tracks, "The tab has more than \(TabLimits.tracks) tracks.")
        try require(tab.bars.count <= TabLimits.bars, "The tab has more than \(TabLimits.bars) bars.")
        for text in [
            tab.title, tab.subtitle, tab.artist, tab.album, tab.composer, tab.lyricist, tab.copyright,
        ] {
            try check(text, "the tab's titles")
        }
        try require(tab.notes.utf8.count <= 10 * TabLimits.textCharacters, "The tab's notes are too long.")
        try check(tab.kept, "the tab")
        for (number, bar) in tab.bars.enumerated() { try check(bar, "bar \(number + 1)") }
        for (number, track) in tab.tracks.enumerated() {
            try check(track, bars: tab.bars.count, "track \(number + 1)")
        }
    }

    private func require(_ condition: Bool, _ sentence: @autoclosure () -> String) throws(ExplainedError) {
        if !condition { throw ExplainedError(sentence()) }
    }

    private func check(_ text: String?, _ place: @autoclosure () -> String) throws(ExplainedError) {
        guard let text, text.utf8.count > TabLimits.textCharacters else { return }
        try require(
            text.count <= TabLimits.textCharacters,
            "A text in \(place()) has more than \(TabLimits.textCharacters) characters; shorten it.")
    }

    private mutating func check(_ kept: [KeptItem], _ place: String) throws(ExplainedError) {
        keptItems += kept.count
        try require(
            keptItems <= TabLimits.keptItems, "More than \(TabLimits.keptItems) things are kept (\(place)).")
        for item in kept {
            try check(item.name, place)
            try check(item.value, place)
        }
    }

    private mutating func check(_ bar: TabBar, _ place: String) throws(ExplainedError) {
        if let time = bar.time {
            try require(
                time.count == 2 && (1...128).contains(time[0]) && (1...128).contains(time[1]),
                "The meter of \(place) is not two numbers from 1 to 128.")
        }
        if let length = bar.length {
            try require(
                length > .zero && length <= Fraction(512), "The length of \(place) is not 0 to 512 quarters.")
        }
        try require(bar.key.map { (-9...9).contains($0) } ?? true, "The key of \(place) is not −7 to 7.")
        try require(
            bar.repeats.map { (0...TabLimits.repeats).contains($0) } ?? true,
            "The repeats of \(place) are not 0 to \(TabLimits.repeats).")
        try require(
            bar.endings.count <= 99 && bar.endings.allSatisfy { (1...100).contains($0) },
            "The endings of \(place) are not numbers from 1 to 100.")
        for change in bar.tempos {
            try require(
                change.at >= .zero && change.at <= Fraction(512) && (1...1_000).contains(change.tempo),
                "A tempo in \(place) is not between 1 and 1000.")
            try check(change.text, place)
        }
        try check(bar.section, place)
        try require(bar.directions.count <= 32, "\(place) has more than 32 directions.")
        for direction in bar.directions { try check(direction, place) }
        try check(bar.kept, place)
    }

    private mutating func check(_ track: TabTrack, bars: Int, _ place: String) throws(ExplainedError) {
        try check(track.name, place)
        try check(track.shortName, place)
        try require((0...127).contains(track.program), "The program of \(place) is not 0 to 127.")
        try require(
            track.channel.map { (0...15).contains($0) } ?? true, "The channel of \(place) is not 0 to 15.")
        try require((1...TabLimits.frets).contains(track.frets), "The frets of \(place) are not 1 to 36.")
        try require(
            track.moreStaves.count < TabLimits.staves, "\(place) has more than \(TabLimits.staves) staves.")
        for staff in track.moreStaves + [TabStaff(strings: track.strings, capo: track.capo)] {
            try require(
                staff.strings.count <= TabLimits.strings
                    && staff.strings.allSatisfy { (0...127).contains($0) },
                "The strings of \(place) are not at most \(TabLimits.strings) pitches from 0 to 127.")
            try require((0...TabLimits.frets).contains(staff.capo), "The capo of \(place) is not 0 to 36.")
        }
        try require(track.bars.count <= bars, "\(place) has more bars than the tab; add them to “bars”.")
        try check(track.kept, place)
        for (number, measure) in track.bars.enumerated() {
            try check(measure, of: track, "\(place), bar \(number + 1)")
        }
    }

    private mutating func check(_ measure: TabMeasure, of track: TabTrack, _ place: String)
        throws(ExplainedError)
    {
        try require(
            measure.voices.count <= TabLimits.voices, "\(place) has more than \(TabLimits.voices) voices.")
        try check(measure.clef, place)
        try check(measure.kept, place)
        for voice in measure.voices {
            try require(
                (1...(1 + track.moreStaves.count)).contains(voice.staff),
                "A voice of \(place) is on staff \(voice.staff), which the track does not have.")
            for beat in voice.beats { try check(beat, on: track.staff(voice.staff), place) }
        }
    }

    private mutating func check(_ beat: TabBeat, on staff: TabStaff, _ place: String) throws(ExplainedError) {
        events += 1 + beat.notes.count
        try require(
            events <= TabLimits.events, "The tab has more than \(TabLimits.events) notes and beats.")
        try require(
            beat.value.map { $0 >= Fraction(1, 1_024) && $0 <= Fraction(8) } ?? true,
            "A note value in \(place) is not 1/1024 to 8/1 of a whole note.")
        try require((0...4).contains(beat.dots), "A beat in \(place) has not 0 to 4 dots.")
        try require(
            beat.tuplet.map { $0.count == 2 && $0.allSatisfy { (1...4_096).contains($0) } } ?? true,
            "A tuplet in \(place) is not two numbers from 1 to 4096.")
        try require(
            beat.length.map { $0 >= .zero && $0 <= Fraction(1_024) } ?? true,
            "A length in \(place) is not 0 to 1024 quarters.")
        for text in [beat.text, beat.chord, beat.dynamic] + beat.lyrics { try check(text, place) }
        try require(beat.lyrics.count <= 32, "A beat in \(place) has more than 32 lines of lyrics.")
        try require(
            (beat.techniques?.whammy.count ?? 0) <= 256, "A beat in \(place) has more than 256 points.")
        try check(beat.kept, place)
        for note in beat.notes { try check(note, on: staff, place) }
    }

    private mutating func check(_ note: TabNote, on staff: TabStaff, _ place: String) throws(ExplainedError) {
        if let string = note.string {
            try require(
                (1...TabLimits.strings).contains(string)
                    && (note.pitch != nil || string <= staff.strings.count),
                "A note in \(place) is on string \(string), which the instrument does not have.")
        }
        try require(
            note.fret.map { (0...127).contains($0) } ?? true,
            "A note in \(place) has a fret that is not 0 to \(TabLimits.frets).")
        try require(
            note.pitch.map { (0...127).contains($0) } ?? (note.string != nil && note.fret != nil),
            "A note in \(place) has neither string and fret nor a pitch from 0 to 127.")
        if note.pitch == nil, let string = note.string, let fret = note.fret {
            try require(
                fret <= TabLimits.frets && (0...127).contains(staff.pitch(string: string, fret: fret) ?? -1),
                "A note in \(place) has a fret that is not 0 to \(TabLimits.frets), or is no pitch from 0 to 127."
            )
        }
        if let play = note.techniques {
            try require(
                play.bend.count <= 256 && play.slides.count <= 8, "A note in \(place) has too many points.")
            try check(play.leftFinger, place)
            try check(play.rightFinger, place)
        }
        try check(note.kept, place)
    }
}
