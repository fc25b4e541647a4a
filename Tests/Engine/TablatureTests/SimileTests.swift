import Testing

@testable import Tablature

/// Bars that only say that they repeat others.
@Suite struct SimileTests {
    private func tab(_ bars: [(fret: Int?, mark: String?)]) -> Tab {
        var tab = Tab.oneTrack(bars: bars.count)
        for (number, bar) in bars.enumerated() {
            let notes = bar.fret.map { [TabNote(string: 1, fret: $0)] } ?? []
            tab.tracks[0].bars[number].voices = [TabVoice([TabBeat(.quarter, notes: notes)])]
            tab.tracks[0].bars[number].kept = bar.mark.map { [KeptItem(Tab.simileName, $0)] } ?? []
        }
        return tab
    }

    private func frets(_ tab: Tab) -> [Int?] {
        tab.tracks[0].bars.map { $0.voices[0].beats[0].notes.first?.fret }
    }

    @Test func theyGetTheNotesOfTheBarsThatTheyRepeat() {
        var music = tab([
            (1, nil), (nil, "Simple"), (nil, "Simple"), (5, nil), (nil, "FirstOfDouble"),
            (nil, "SecondOfDouble"),
        ])
        #expect(music.writeOutSimiles() == 4)
        #expect(frets(music) == [1, 1, 1, 5, 1, 5])
        #expect(music.tracks[0].bars.flatMap(\.kept).isEmpty)
    }

    @Test func whatCannotBeRepeatedStays() {
        var music = tab([(nil, "Simple"), (3, "Simple"), (nil, "SecondOfDouble"), (nil, nil)])
        music.bars[2].time = [3, 4]
        let before = music
        #expect(music.writeOutSimiles() == 0)
        #expect(music == before)
    }
}
