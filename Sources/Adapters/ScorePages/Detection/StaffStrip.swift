/// A staff and what lies near it, laid out level and upright at one size: twelve pixels for each staff space.
struct StaffStrip {
    /// Pixels for each staff space.
    static let unit = 12
    /// Staff spaces above the first line.
    static let above = 4
    static let height = 12 * unit
    /// The row of the first and of the last line.
    static let top = above * unit
    static let bottom = (above + 4) * unit

    let width: Int
    private let pixels: [UInt8]
    private let firstColumn: Double
    private let columnsPerPixel: Double

    init(_ staff: TrackedStaff, _ ink: InkImage, _ slants: SlantField) {
        let space = staff.space
        columnsPerPixel = space / Double(Self.unit)
        firstColumn = staff.left - 2 * space
        width = max(1, Int((staff.right - staff.left + 4 * space) / columnsPerPixel))
        var pixels = [UInt8](repeating: 0, count: width * Self.height)
        for column in 0..<width {
            let x = firstColumn + Double(column) * columnsPerPixel
            let near = min(max(x, staff.left), staff.right)
            let (top, here) = (staff.top(at: near), staff.space(at: near))
            let middle = top + 2 * here
            let slant = slants.slant(x, middle)
            for row in 0..<Self.height {
                let y = top + (Double(row - Self.top) + 0.0) / Double(Self.unit) * here
                if ink.isInk(Int((x + slant * (y - middle)).rounded()), Int(y.rounded())) {
                    pixels[row * width + column] = 1
                }
            }
        }
        self.pixels = pixels
    }

    @inline(__always) func isInk(_ column: Int, _ row: Int) -> Bool {
        column >= 0 && row >= 0 && column < width && row < Self.height && pixels[row * width + column] != 0
    }

    /// The fields of a picture around a column: each three columns wide and four rows high.
    static let pictureColumns = 20
    static let pictureRows = height / 4

    /// The ink near a column, row by row: the number of inked pixels of each field, 0…12.
    func picture(around column: Int) -> [UInt8] {
        var fields = [UInt8](repeating: 0, count: Self.pictureColumns * Self.pictureRows)
        let first = column - Self.pictureColumns * 3 / 2
        for row in 0..<Self.height {
            for across in 0..<Self.pictureColumns * 3 where isInk(first + across, row) {
                fields[row / 4 * Self.pictureColumns + across / 3] += 1
            }
        }
        return fields
    }

    /// The strip's column for a column of the page's picture on the staff's middle line.
    func column(ofPage x: Double) -> Int { Int(((x - firstColumn) / columnsPerPixel).rounded()) }

    /// The column of the page's picture, on the staff's middle line.
    func pageColumn(_ column: Double) -> Double { firstColumn + column * columnsPerPixel }

    /// True for a row on or near a staff line of the staff.
    @inline(__always) static func isOnLine(_ row: Int) -> Bool {
        guard row >= top - 2, row <= bottom + 2 else { return false }
        let part = (row - top + 10 * unit) % unit
        return part <= 2 || part >= unit - 2
    }

    /// The ink density near the right end minus the density near the left end, where the clef stands; −0.4…0.4.
    var endWeight: Double {
        func density(_ columns: Range<Int>) -> Double {
            var (filled, all) = (0, 0)
            for row in Self.top - Self.unit / 2...Self.bottom + Self.unit / 2 where !Self.isOnLine(row) {
                for column in columns {
                    all += 1
                    if isInk(column, row) { filled += 1 }
                }
            }
            return min(Double(filled) / Double(max(all, 1)), 0.4)
        }
        let (margin, breadth) = (2 * Self.unit + 6, 5 * Self.unit / 2)
        return density(width - margin - breadth..<width - margin) - density(margin..<margin + breadth)
    }
}
