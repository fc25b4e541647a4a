import Testing

@testable import Tablature

@Suite struct StruckNoteTests {
    @Test func tiedNotesAreOneAcrossABarLine() {
        var tab = Tab.oneTrack(bars: 2)
        tab.tracks[0].bars[0].voices = [
            TabVoice([TabBeat(.half), TabBeat(.half, notes: [TabNote(string: 1, fret: 3)])])
        ]
        tab.tracks[0].bars[1].voices = [
            TabVoice([
                TabBeat(.quarter, notes: [TabNote(string: 1, fret: 3, tie: true)]),
                TabBeat(.quarter, notes: [TabNote(string: 1, fret: 3)]),
            ])
        ]
        let notes = tab.struckNotes
        #expect(notes.map(\.length.text) == ["3", "1"])
        #expect(notes.map(\.bar) == [1, 2])
        #expect(notes.map(\.pitch) == [67, 67])
    }

    @Test func aTieThatContinuesNothingIsStruck() {
        var tab = Tab.oneTrack(bars: 1)
        tab.tracks[0].bars[0].voices = [
            TabVoice([TabBeat(.quarter, notes: [TabNote(string: 2, fret: 1, tie: true)])])
        ]
        #expect(tab.struckNotes.count == 1)
    }

    @Test func tupletsDotsAndGraceNotesGiveExactOnsets() {
        var tab = Tab.oneTrack(bars: 1)
        let triplet = WrittenLength(value: Fraction(1, 8), tuplet: [3, 2])
        var grace = TabBeat(WrittenLength(value: Fraction(1, 32)), notes: [TabNote(string: 1, fret: 1)])
        grace.grace = .before
        tab.tracks[0].bars[0].voices = [
            TabVoice([
                TabBeat(triplet, notes: [TabNote(string: 1, fret: 0)]), TabBeat(triplet), grace,
                TabBeat(triplet, notes: [TabNote(string: 1, fret: 2)]),
                TabBeat(WrittenLength(value: Fraction(1, 4), dots: 1), notes: [TabNote(string: 6, fret: 0)]),
                TabBeat(.quarter, notes: [TabNote(string: 6, fret: 1)]),
            ])
        ]
        #expect(tab.struckNotes.map(\.onset.text) == ["0", "2/3", "2/3", "1", "5/2"])
        #expect(tab.struckNotes.map(\.length.text) == ["1/3", "0", "1/3", "3/2", "1"])
    }

    @Test func capoAndHarmonicsChangeWhatSounds() {
        var tab = Tab.oneTrack(bars: 1)
        tab.tracks[0].capo = 2
        var note = TabNote(string: 6, fret: 7)
        note.play.harmonic = Harmonic(.natural, fret: Fraction(7))
        tab.tracks[0].bars[0].voices = [TabVoice([TabBeat(.quarter, notes: [note])])]
        #expect(tab.struckNotes[0].pitch == 49)
        #expect(tab.struckNotes[0].soundingPitch == 61)
    }

    @Test func everyLengthUpToAWholeIsWrittenExactly() {
        for denominator in 1...24 {
            for numerator in 1...(4 * denominator) {
                let length = Fraction(numerator, denominator)
                let parts = WrittenLength.several(length)
                let sum = parts.reduce(Fraction.zero) { $0 + TabBeat($1).quarters }
                #expect(sum == length, "\(length.text)")
            }
        }
    }
}

extension WrittenLength {
    static let quarter = WrittenLength(value: Fraction(1, 4))
    static let half = WrittenLength(value: Fraction(1, 2))
}

extension Tab {
    /// A guitar with empty bars.
    static func oneTrack(bars count: Int) -> Tab {
        var tab = Tab()
        tab.bars = Array(repeating: TabBar(), count: count)
        var track = TabTrack()
        track.strings = Tuning.guitar
        track.bars = Array(repeating: TabMeasure(), count: count)
        tab.tracks = [track]
        return tab
    }
}
