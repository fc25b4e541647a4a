/// A value for each cell of a picture, changing evenly between the cells' middles.
struct CellField {
    /// The side of a cell, in pixels.
    static let cell = 16

    let columns: Int
    let rows: Int
    var values: [Int]

    /// - Parameter value: the value of the cell with these pixel columns and rows.
    init(width: Int, height: Int, _ value: (Range<Int>, Range<Int>) -> Int) {
        columns = (width + Self.cell - 1) / Self.cell
        rows = (height + Self.cell - 1) / Self.cell
        values = []
        values.reserveCapacity(columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                values.append(
                    value(
                        column * Self.cell..<min((column + 1) * Self.cell, width),
                        row * Self.cell..<min((row + 1) * Self.cell, height)))
            }
        }
    }

    /// Gives each cell a value made of those up to `reach` cells around it.
    mutating func combine(reach: Int, _ combined: (inout [Int]) -> Int) {
        let old = values
        var near: [Int] = []
        for row in 0..<rows {
            for column in 0..<columns {
                near.removeAll(keepingCapacity: true)
                for y in max(0, row - reach)...min(rows - 1, row + reach) {
                    for x in max(0, column - reach)...min(columns - 1, column + reach) {
                        near.append(old[y * columns + x])
                    }
                }
                values[row * columns + column] = combined(&near)
            }
        }
    }

    /// Writes the values along a row of pixels into `line`.
    func fill(_ line: inout [Int], row y: Int) {
        let cell = Self.cell
        let place = max(0, 2 * y + 1 - cell)
        let upper = min(place / (2 * cell), rows - 1)
        let lower = min(upper + 1, rows - 1)
        let part = place % (2 * cell)
        func value(_ column: Int) -> Int {
            (values[upper * columns + column] * (2 * cell - part) + values[lower * columns + column] * part)
                / (2 * cell)
        }
        var (left, next) = (value(0), value(min(1, columns - 1)))
        var column = 0
        for x in line.indices {
            let across = max(0, 2 * x + 1 - cell)
            if across / (2 * cell) > column {
                column += 1
                left = next
                next = value(min(column + 1, columns - 1))
            }
            let share = across % (2 * cell)
            line[x] = (left * (2 * cell - share) + next * share) / (2 * cell)
        }
    }
}
