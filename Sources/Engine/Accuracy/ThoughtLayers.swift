/// A thought map as layers of strokes: each layer is what is more probable than its floor, painted over the one
/// below.
///
/// Strokes and not an embedded image: they follow the page into dark mode by their classes, pass policies that
/// forbid images within images, and stay as sharp as the lines on top. A confident follower takes some tens of
/// kilobytes; whoever draws haze draws it coarser (``CasePicture``).
struct ThoughtLayers {
    /// A column's share of a row from which each layer begins, about threefold from one to the next.
    static let floors: [Float] = [0.004, 0.012, 0.035, 0.1, 0.25, 0.5]

    let map: ThoughtMap

    var rows: Int { map.columns.first?.count ?? 0 }

    /// Vertical strokes in whole columns and rows, the first column at 0: `m1-2v3` goes one column on and two rows
    /// back from where the last stroke ended, and strokes three rows.
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
