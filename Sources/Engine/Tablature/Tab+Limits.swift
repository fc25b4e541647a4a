extension Tab {
    /// The tab with texts cut to ``TabLimits``, surplus kept things left out, and values that readers take from files
    /// brought into their ranges. Nothing that sounds changes, apart from pitches out of range, which are left out.
    public func withinLimits() -> Tab {
        var tab = self
        var budget = TabLimits.keptItems
        func cut(_ text: inout String) {
            if text.utf8.count > TabLimits.textCharacters {
                text = String(text.prefix(TabLimits.textCharacters))
            }
        }
        func cut(_ text: inout String?) {
            if var each = text, each.utf8.count > TabLimits.textCharacters {
                cut(&each)
                text = each
            }
        }
        func cut(_ kept: inout [KeptItem]) {
            guard !kept.isEmpty else { return }
            if kept.count > budget { kept.removeLast(kept.count - budget) }
            budget -= kept.count
            for index in kept.indices {
                cut(&kept[index].name)
                cut(&kept[index].value)
            }
        }
        for path in [\Tab.title, \.subtitle, \.artist, \.album, \.composer, \.lyricist, \.copyright] {
            cut(&tab[keyPath: path])
        }
        tab.notes = String(tab.notes.prefix(2 * TabLimits.textCharacters))
        cut(&tab.kept)
        for index in tab.bars.indices {
            cut(&tab.bars[index].section)
            if tab.bars[index].directions.count > 32 {
                tab.bars[index].directions.removeLast(tab.bars[index].directions.count - 32)
            }
            tab.bars[index].tempos.removeAll { $0.at > Fraction(512) || $0.at < .zero }
            cut(&tab.bars[index].kept)
        }
        for index in tab.tracks.indices { tab.tracks[index].bringWithinLimits(cut, cut) }
        return tab
    }
}

extension TabTrack {
    fileprivate mutating func bringWithinLimits(
        _ cutText: (inout String?) -> Void, _ cutKept: (inout [KeptItem]) -> Void
    ) {
        cutKept(&kept)
        for bar in bars.indices {
            cutKept(&bars[bar].kept)
            for voice in bars[bar].voices.indices {
                let staff = staff(bars[bar].voices[voice].staff)
                for beat in bars[bar].voices[voice].beats.indices {
                    bars[bar].voices[voice].beats[beat].bringWithinLimits(on: staff, cutText, cutKept)
                }
            }
        }
    }
}

extension TabBeat {
    fileprivate mutating func bringWithinLimits(
        on staff: TabStaff, _ cutText: (inout String?) -> Void, _ cutKept: (inout [KeptItem]) -> Void
    ) {
        cutText(&text)
        cutText(&chord)
        cutKept(&kept)
        notes.removeAll { note in
            guard note.pitch == nil else { return false }
            guard let string = note.string, let fret = note.fret, fret <= TabLimits.frets,
                let pitch = staff.pitch(string: string, fret: fret)
            else { return true }
            return !(0...127).contains(pitch)
        }
        for index in notes.indices where !notes[index].kept.isEmpty { cutKept(&notes[index].kept) }
    }
}
