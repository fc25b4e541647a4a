/// A ``ThoughtMap`` as layers of strokes: each layer covers what is more probable than its floor, and is painted
/// over the layer below.
///
/// Strokes instead of an embedded image follow a page into dark mode, pass policies that forbid images within
/// images, and stay as sharp as the lines above them. A confident follower takes some tens of kilobytes; a
/// spread-out one is drawn more coarsely (``CasePicture``).
struct ThoughtLayers {
    /// The probability of a row at which each layer begins; each floor is about three times the previous one.
    static let floors: [Float] = [0.004, 0.012, 0.035, 0.1, 0.25, 0.5]

    let map: ThoughtMap

    var rows: Int { map.columns.first?.count ?? 0 }

    /// Vertical strokes in whole columns and rows, the first column at 0. For example, `m1-2v3` goes one column on
    /// and two rows back from the end of the last stroke, and draws three rows.
    func path(above floor: Float) -> String {
        var path = ""
        var (lastColumn, lastRow) = (0, 0)
        for (column, thought) in map.columns.enumerated() {
            var row = 0
            while row < thought.count {
                guard thought[row] >= floor else {
                    row += 1
                    continue
                }
                let first = row
                while row < thought.count, thought[row] >= floor { row += 1 }
                let rise = first - lastRow
                path += "m\(column - lastColumn)" + (rise < 0 ? "" : " ") + "\(rise)v\(row - first)"
                (lastColumn, lastRow) = (column, row)
            }
        }
        return path
    }
}
