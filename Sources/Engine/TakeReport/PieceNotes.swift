/// The notes of a piece's score, in the order in which the piece is played.
public struct PieceNotes: Equatable, Sendable {
    public struct Note: Equatable, Sendable {
        public var pitch: Int
        /// The played bar, counted from 0, with the part of it that has passed.
        public var bar: Double
        /// The played bar with a fraction at which the note ends.
        public var end: Double

        public init(pitch: Int, bar: Double, end: Double) {
            (self.pitch, self.bar, self.end) = (pitch, bar, end)
        }
    }

    /// In the order of their beginnings.
    public var notes: [Note]

    public init(notes: [Note]) { self.notes = notes }

    /// A text for each played bar that is the same for bars with the same notes, also in another version of the piece.
    func keys(ofBars count: Int) -> [String] {
        // FNV-1a: a difference matters, an attack does not.
        var sums = [UInt64](repeating: 0xcbf2_9ce4_8422_2325, count: count)
        for note in notes where sums.indices.contains(Int(note.bar)) {
            let bar = Int(note.bar)
            for value in [
                note.pitch, Int(((note.bar - Double(bar)) * 960).rounded()),
                Int(((note.end - note.bar) * 960).rounded()),
            ] {
                sums[bar] = (sums[bar] ^ UInt64(bitPattern: Int64(value))) &* 0x100_0000_01b3
            }
        }
        return sums.map { String($0, radix: 36) }
    }
}
