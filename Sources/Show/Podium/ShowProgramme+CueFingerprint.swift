extension ShowProgramme {
    /// Identifies a piece and what its cues say, whatever number the piece has. Used to notice that somebody else has
    /// changed the cues meanwhile, or that another piece has the number now.
    /// - Parameter index: an index into ``pieces``.
    /// - Complexity: O(bytes of the cues).
    public func cueFingerprint(ofPiece index: Int) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
        }
        add(pieces[index].folder)
        for cue in pieces[index].cues.cues {
            add("\(cue.place) \(cue.kind.rawValue) \(cue.isAutomatic) \(cue.earlinessMilliseconds)")
            for text in [cue.name, cue.notes, cue.target, cue.payload] { add(text) }
        }
        return String(hash, radix: 16)
    }
}
