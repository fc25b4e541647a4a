import Testing

@testable import Tablature

@Suite struct TabCheckTests {
    private func fault(_ change: (inout Tab) -> Void) -> String? {
        var tab = Tab.oneTrack(bars: 1)
        tab.tracks[0].bars[0].voices = [TabVoice([TabBeat(.quarter, notes: [TabNote(string: 1, fret: 24)])])]
        change(&tab)
        do {
            try TabCheck.check(tab)
            return nil
        } catch { return error.sentence }
    }

    @Test func anOrdinaryTabIsAccepted() { #expect(fault { _ in } == nil) }

    @Test func eachFaultIsNamedWithItsPlace() {
        #expect(fault { $0.version = 2 }?.contains("version 1") == true)
        #expect(fault { $0.bars[0].repeats = 100 }?.contains("bar 1") == true)
        #expect(fault { $0.bars[0].time = [0, 4] }?.contains("bar 1") == true)
        #expect(
            fault { $0.tracks[0].bars[0].voices[0].beats[0].notes[0].string = 7 }?.contains("string 7")
                == true)
        #expect(
            fault { $0.tracks[0].bars[0].voices[0].beats[0].notes[0].fret = 37 }?.contains("fret") == true)
        #expect(fault { $0.tracks[0].bars[0].voices[0].staff = 2 }?.contains("staff 2") == true)
        #expect(fault { $0.tracks[0].bars.append(TabMeasure()) }?.contains("more bars") == true)
        #expect(fault { $0.title = String(repeating: "x", count: 2_001) } != nil)
    }
}
