/// The printed pixels of a page, after straightening.
struct BinaryPageImage {
    let width: Int
    let height: Int
    /// The pixels row by row, 1 for ink and 0 for paper.
    private(set) var inkPixels: [UInt8]
    /// The number of rows by which the page's lines fall per column; 0 for a straight page.
    let skewRowsPerColumn: Double

    init(_ image: GreyImage) {
        let threshold = Self.otsuThreshold(of: image)
        let raw = image.pixels.map { $0 < threshold ? UInt8(1) : 0 }
        let slope = Self.detectSkew(raw, image.width, image.height)
        width = image.width
        height = image.height
        self.skewRowsPerColumn = slope
        inkPixels = slope == 0 ? raw : Self.straightened(raw, image.width, image.height, slope)
    }

    subscript(x: Int, y: Int) -> Bool { inkPixels[y * width + x] != 0 }

    /// The number of rows by which a column was moved up to straighten the page.
    func straighteningShift(at x: Double) -> Double { Self.rowShift(x, width, skewRowsPerColumn) }

    private static func rowShift(_ x: Double, _ width: Int, _ slope: Double) -> Double {
        (slope * (x - Double(width) / 2)).rounded()
    }

    /// Otsu's threshold: the shade that best separates paper and ink. The threshold is kept away from black and
    /// white, so that an empty page has no ink and a grey page is not all ink.
    private static func otsuThreshold(of image: GreyImage) -> UInt8 {
        var histogram = [Int](repeating: 0, count: 256)
        for shade in image.pixels { histogram[Int(shade)] += 1 }
        let total = Double(image.pixels.count)
        let sum = histogram.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
        var (darkCount, darkSum, best, found) = (0.0, 0.0, -1.0, 128)
        for shade in 0..<256 {
            darkCount += Double(histogram[shade])
            darkSum += Double(shade * histogram[shade])
            guard darkCount > 0, darkCount < total else { continue }
            let apart = darkSum / darkCount - (sum - darkSum) / (total - darkCount)
            let between = darkCount * (total - darkCount) * apart * apart
            if between > best { (best, found) = (between, shade + 1) }
        }
        return UInt8(min(max(found, 60), 210))
    }

    /// The slope, up to 1.7 degrees, at which rows differ most from each other. At this slope each staff line lies in
    /// one row.
    private static func detectSkew(_ pixels: [UInt8], _ width: Int, _ height: Int) -> Double {
        let strips = 32
        guard width >= strips * 4, height > 100 else { return 0 }
        var profiles = [[Int32]](repeating: [Int32](repeating: 0, count: height), count: strips)
        for y in 0..<height {
            for x in 0..<width where pixels[y * width + x] != 0 { profiles[x * strips / width][y] += 1 }
        }
        func contrast(_ slope: Double) -> Double {
            var rows = [Double](repeating: 0, count: height)
            for strip in 0..<strips {
                let centre = (Double(strip) + 0.5) * Double(width) / Double(strips)
                let shift = Int(Self.rowShift(centre, width, slope))
                for y in max(0, -shift)..<min(height, height - shift) {
                    rows[y] += Double(profiles[strip][y + shift])
                }
            }
            return rows.reduce(0) { $0 + $1 * $1 }
        }
        let step = 0.001
        let best = (-30...30).map { Double($0) * step }.max { contrast($0) < contrast($1) } ?? 0
        // A page counts as straight if the slope is less than 1.5 rows over its whole width, or if straightening
        // would hardly improve the contrast.
        return abs(best) * Double(width) < 1.5 || contrast(best) < contrast(0) * 1.02 ? 0 : best
    }

    private static func straightened(_ raw: [UInt8], _ width: Int, _ height: Int, _ slope: Double) -> [UInt8]
    {
        var straight = [UInt8](repeating: 0, count: raw.count)
        for x in 0..<width {
            let shift = Int(Self.rowShift(Double(x), width, slope))
            for y in max(0, -shift)..<min(height, height - shift) {
                straight[y * width + x] = raw[(y + shift) * width + x]
            }
        }
        return straight
    }
}
