import Basics

extension ShowProgramme {
    /// Identifies a piece and what its cues say, whatever number the piece has. Used to notice that somebody else has
    /// changed the cues meanwhile, or that another piece has the number now.
    /// - Parameter index: an index into ``pieces``.
    /// - Complexity: O(bytes of the cues).
    public func cueFingerprint(ofPiece index: Int) -> String {
        var hash = FNV1aHash()
        hash.add(pieces[index].folder)
        for cue in pieces[index].cues.cues {
            hash.add("\(cue.place) \(cue.kind.rawValue) \(cue.isAutomatic) \(cue.earlinessMilliseconds)")
            for text in [cue.name, cue.notes, cue.target, cue.payload] { hash.add(text) }
        }
        return hash.text
    }
}
