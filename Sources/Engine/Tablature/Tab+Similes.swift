extension Tab {
    /// The name of the kept item that says that a bar repeats the one before it (`Simple`) or the two before it
    /// (`FirstOfDouble` and `SecondOfDouble`), as Guitar Pro writes it.
    public static let simileName = "SimileMark"

    /// Gives bars with a simile mark the notes of the bar that they repeat, so that they sound. Bars with notes of
    /// their own, and bars of another length than the repeated one, stay as they are.
    /// - Returns: the number of bars that were written out.
    public mutating func writeOutSimiles() -> Int {
        let lengths = barLengths
        var count = 0
        for track in tracks.indices {
            for bar in tracks[track].bars.indices {
                let measure = tracks[track].bars[bar]
                guard let mark = measure.kept.firstIndex(where: { $0.name == Self.simileName }),
                    measure.voices.allSatisfy({ $0.beats.allSatisfy(\.notes.isEmpty) })
                else { continue }
                let repeated = bar - (measure.kept[mark].value == "Simple" ? 1 : 2)
                guard repeated >= 0, bar < lengths.count, lengths[bar] == lengths[repeated] else { continue }
                tracks[track].bars[bar].voices = tracks[track].bars[repeated].voices
                tracks[track].bars[bar].kept.remove(at: mark)
                count += 1
            }
        }
        return count
    }
}
