/// The darkness of each pixel against the paper near it, from 0 to 255: 255 is black on any paper. A shadow,
/// uneven light or a dark table around the sheet is not dark.
struct PageDarkness {
    /// The least darkness of ink.
    private static let leastInk = 26

    let width: Int
    let height: Int
    let values: [UInt8]
    /// The mean darkness of clear ink.
    private let inkMean: Int
    /// The usual difference of neighbouring pixels of paper.
    private let noise: Int
    private let localMean: CellField

    /// - Complexity: O(pixels).
    init(_ image: GreyImage) {
        width = image.width
        height = image.height
        let dark = Self.darkness(of: image)
        values = dark
        inkMean = Self.inkMean(of: dark)
        noise = Self.noise(of: dark, image.width)
        let width = image.width
        var means = CellField(width: image.width, height: image.height) { columns, rows in
            var sum = 0
            for y in rows { for x in columns { sum += Int(dark[y * width + x]) } }
            return sum * 16 / max(1, columns.count * rows.count)
        }
        means.combine(reach: 1) { near in near.reduce(0, +) / near.count }
        localMean = means
    }

    /// Ink for finding level lines: pixels that are darker, together with `reach` on either side, than what is around.
    /// A greater reach closes the gaps of broken lines, and notes hide more of the lines near them.
    func levelInk(reach: Int) -> InkImage {
        ink(
            smoothed(reach, step: 1, lanes: height, laneStep: width, length: width),
            pale: max(7, inkMean / 12, noise))
    }

    /// Ink for finding upright strokes: the same with three pixels above and below.
    func uprightInk() -> InkImage {
        ink(
            smoothed(3, step: width, lanes: width, laneStep: 1, length: height),
            pale: max(14, inkMean / 5, noise * 3 / 2))
    }

    private func ink(_ smooth: [UInt8], pale: Int) -> InkImage {
        let clear = max(Self.leastInk, inkMean * 42 / 100)
        var pixels = [UInt8](repeating: 0, count: values.count)
        var means = [Int](repeating: 0, count: width)
        for y in 0..<height {
            localMean.fill(&means, row: y)
            for x in 0..<width {
                let place = y * width + x
                let value = Int(smooth[place])
                if value > means[x] / 16 + pale || Int(values[place]) > clear { pixels[place] = 1 }
            }
        }
        return InkImage(width: width, height: height, pixels: pixels)
    }

    /// The mean of `reach` pixels on either side.
    private func smoothed(_ reach: Int, step: Int, lanes: Int, laneStep: Int, length: Int) -> [UInt8] {
        var smooth = values
        guard length > 2 * reach + 1 else { return smooth }
        let breadth = 2 * reach + 1
        values.withUnsafeBufferPointer { values in
            smooth.withUnsafeMutableBufferPointer { smooth in
                if step == 1 {
                    for lane in 0..<lanes {
                        let base = lane * laneStep
                        var sum = (0..<breadth).reduce(0) { $0 + Int(values[base + $1]) }
                        for place in reach..<(length - reach) {
                            smooth[base + place] = UInt8(sum / breadth)
                            if place + reach + 1 < length {
                                sum +=
                                    Int(values[base + place + reach + 1]) - Int(values[base + place - reach])
                            }
                        }
                    }
                } else {
                    // Row by row, which the memory likes better than column by column.
                    var sums = [Int](repeating: 0, count: lanes)
                    for place in 0..<breadth {
                        for lane in 0..<lanes { sums[lane] += Int(values[place * step + lane]) }
                    }
                    for place in reach..<(length - reach) {
                        for lane in 0..<lanes {
                            smooth[place * step + lane] = UInt8(sums[lane] / breadth)
                            if place + reach + 1 < length {
                                sums[lane] +=
                                    Int(values[(place + reach + 1) * step + lane])
                                    - Int(values[(place - reach) * step + lane])
                            }
                        }
                    }
                }
            }
        }
        return smooth
    }

    private static func darkness(of image: GreyImage) -> [UInt8] {
        let (width, height) = (image.width, image.height)
        let paper = paper(of: image)
        var dark = [UInt8](repeating: 0, count: width * height)
        var line = [Int](repeating: 0, count: width)
        for y in 0..<height {
            paper.fill(&line, row: y)
            for x in 0..<width {
                let white = max(1, line[x])
                let shade = Int(image.pixels[y * width + x])
                if shade < white { dark[y * width + x] = UInt8((white - shade) * 255 / white) }
            }
        }
        return dark
    }

    /// The brightness of the paper: in each cell the shade that 15 of 100 pixels exceed, then the mean of the brighter
    /// half of the cells around, so that a black beam does not darken it.
    private static func paper(of image: GreyImage) -> CellField {
        var shades = [Int](repeating: 0, count: 64)
        var paper = CellField(width: image.width, height: image.height) { columns, rows in
            for index in 0..<64 { shades[index] = 0 }
            for y in rows { for x in columns { shades[Int(image.pixels[y * image.width + x]) / 4] += 1 } }
            let share = columns.count * rows.count * 15 / 100
            var above = 0
            var shade = 63
            while shade > 0, above + shades[shade] < share {
                above += shades[shade]
                shade -= 1
            }
            return shade * 4 + 2
        }
        paper.combine(reach: 2) { near in
            near.sort()
            let half = near[(near.count / 2)...]
            return half.reduce(0, +) / half.count
        }
        return paper
    }

    /// The mean darkness of the darker pixels, where these and the paler ones differ most.
    private static func inkMean(of dark: [UInt8]) -> Int {
        var counts = [Int](repeating: 0, count: 256)
        for value in dark { counts[Int(value)] += 1 }
        let total = Double(dark.count)
        let sum = counts.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
        var (paleCount, paleSum, best, inkMean) = (0.0, 0.0, -1.0, 128.0)
        for shade in 0..<255 {
            paleCount += Double(counts[shade])
            paleSum += Double(shade * counts[shade])
            guard paleCount > 0, paleCount < total else { continue }
            let mean = (sum - paleSum) / (total - paleCount)
            let apart = mean - paleSum / paleCount
            let between = paleCount * (total - paleCount) * apart * apart
            if between > best { (best, inkMean) = (between, mean) }
        }
        return Int(inkMean)
    }

    /// The median difference of pixels that lie two apart.
    private static func noise(of dark: [UInt8], _ width: Int) -> Int {
        var counts = [Int](repeating: 0, count: 256)
        for place in stride(from: 0, to: max(0, dark.count - 2), by: 7) {
            counts[abs(Int(dark[place]) - Int(dark[place + 2]))] += 1
        }
        let half = counts.reduce(0, +) / 2
        var seen = 0
        for (difference, count) in counts.enumerated() {
            seen += count
            if seen > half { return difference }
        }
        return 0
    }
}
