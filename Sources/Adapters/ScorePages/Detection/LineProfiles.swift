/// The rows of thin level lines in each of many narrow upright strips of a page.
struct LineProfiles {
    /// The width of a strip in pixels: two and a half staff spaces.
    let stripWidth: Int
    let count: Int
    let height: Int
    /// The share of a strip's columns with a thin run of ink whose middle lies within a row of here; strip by strip.
    let shares: [Float]

    /// - Complexity: O(pixels).
    init(_ ink: InkImage, _ scale: StaffScale) {
        let strip = max(6, scale.lineDistance * 5 / 2)
        let (count, height) = (max(1, ink.width / strip), ink.height)
        let thickest = max(3, scale.lineThickness * 2, scale.lineDistance / 4)
        var middles = [UInt16](repeating: 0, count: count * height)
        let (rows, width) = (ink.height, ink.width)
        ink.pixels.withUnsafeBufferPointer { pixels in
            for x in 0..<(count * strip) {
                let base = x / strip * rows
                var run = 0
                for y in 0...rows {
                    if y < rows, pixels[y * width + x] != 0 {
                        run += 1
                    } else if run > 0 {
                        if run <= thickest { middles[base + y - 1 - run / 2] += 1 }
                        run = 0
                    }
                }
            }
        }
        var shares = [Float](repeating: 0, count: middles.count)
        for lane in 0..<count {
            for y in 1..<max(1, height - 1) {
                let place = lane * height + y
                let sum = Int(middles[place - 1]) + Int(middles[place]) + Int(middles[place + 1])
                shares[place] = min(1, Float(sum) / Float(strip))
            }
        }
        (stripWidth, self.count, self.height, self.shares) = (strip, count, height, shares)
    }

    @inline(__always) func share(_ strip: Int, _ row: Double) -> Double {
        let y = Int(row.rounded())
        return y < 0 || y >= height ? 0 : Double(shares[strip * height + y])
    }

    func centre(of strip: Int) -> Double { (Double(strip) + 0.5) * Double(stripWidth) }

    /// The slope, up to nine degrees, at which the lines of all strips meet best: rows for each column.
    func slope() -> Double {
        let middle = Double(count * stripWidth) / 2
        func contrast(_ slope: Double) -> Double {
            var rows = [Float](repeating: 0, count: height)
            for strip in 0..<count {
                let shift = Int((slope * (centre(of: strip) - middle)).rounded())
                for y in max(0, -shift)..<max(max(0, -shift), min(height, height - shift)) {
                    rows[y] += shares[strip * height + y + shift]
                }
            }
            return rows.reduce(0.0) { $0 + Double($1 * $1) }
        }
        func best(_ slopes: [Double]) -> Double {
            slopes.map { ($0, contrast($0)) }.max { $0.1 < $1.1 }?.0 ?? 0
        }
        let coarse = best((-52...52).map { Double($0) * 0.003 })
        return best((-8...8).map { coarse + Double($0) * 0.0005 })
    }
}
