/// The dark pixels of a page, judged against the paper around them, so that shadows and yellow paper are no ink.
struct InkMask {
    let width: Int
    let height: Int
    /// 1 for ink, row by row.
    private var pixels: [UInt8]

    /// The side of the squares in which the shade of the paper is measured, in pixels.
    private static let cell = 16

    init(_ image: GreyImage) {
        (width, height) = (image.width, image.height)
        let (across, down) = ((width + Self.cell - 1) / Self.cell, (height + Self.cell - 1) / Self.cell)
        // The paper's shade is that of the lightest pixels of each square; of the neighbours too, since a black note
        // may fill a square.
        var lightest = [UInt8](repeating: 0, count: across * down)
        for y in 0..<height {
            for x in 0..<width {
                let at = y / Self.cell * across + x / Self.cell
                lightest[at] = max(lightest[at], image.pixels[y * width + x])
            }
        }
        let white = Int(lightest.sorted()[lightest.count * 3 / 4])
        pixels = [UInt8](repeating: 0, count: width * height)
        for row in 0..<down {
            for column in 0..<across {
                var paper = 0
                for y in max(0, row - 1)...min(down - 1, row + 1) {
                    for x in max(0, column - 1)...min(across - 1, column + 1) {
                        paper = max(paper, Int(lightest[y * across + x]))
                    }
                }
                // An area that is dark all around is the lid of a scanner, not paper: all of it counts as dark.
                let threshold = UInt8(max(paper, white * 6 / 10) * 72 / 100)
                for y in row * Self.cell..<min(height, (row + 1) * Self.cell) {
                    for x in column * Self.cell..<min(width, (column + 1) * Self.cell)
                    where image.pixels[y * width + x] < threshold {
                        pixels[y * width + x] = 1
                    }
                }
            }
        }
    }

    init(width: Int, height: Int, pixels: [UInt8]) {
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Removes what reaches in from the edges of the image: black borders, the shadow of a fold, the next page. Music
    /// that only touches the edge stays: a stain that is removed is dark over most of the edge's strip where it lies.
    mutating func removeBorders() {
        let reach = max(2, min(width, height) / 200)
        for blob in blobs() {
            let box = blob.box
            let touches =
                box.left < reach || box.top < reach || box.right >= width - reach
                || box.bottom >= height - reach
            guard touches else { continue }
            let (across, down) = (box.right - box.left + 1, box.bottom - box.top + 1)
            let isLong = across > width / 6 || down > height / 6
            let isFull = blob.pixels.count * 100 > across * down * 30
            let isThin = min(across, down) * 12 < max(across, down)
            if isLong || isFull || isThin || blob.pixels.count < 40 { erase(blob) }
        }
    }

    /// Removes dirt: small spots far from anything large, and straight lines along the outer edges.
    mutating func removeSpecks() {
        let found = blobs()
        let large = max(6, height / 90)
        let near = height / 40
        var area = [UInt8](repeating: 0, count: (width / near + 3) * (height / near + 3))
        let across = width / near + 3
        for blob in found where blob.extent >= large {
            for y in blob.box.top / near...(blob.box.bottom / near + 2) {
                for x in blob.box.left / near...(blob.box.right / near + 2) { area[y * across + x] = 1 }
            }
        }
        let edge = (width / 30, height / 40)
        for blob in found {
            let box = blob.box
            let middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
            let isNear = area[(middle.1 / near + 1) * across + middle.0 / near + 1] == 1
            let isSmall = blob.extent < large && !isNear
            let (wide, high) = (box.right - box.left + 1, box.bottom - box.top + 1)
            let isEdgeLine =
                (high > 20 * wide && (box.right < edge.0 || box.left > width - edge.0))
                || (wide > 20 * high && (box.bottom < edge.1 || box.top > height - edge.1))
            if isSmall || isEdgeLine { erase(blob) }
        }
    }

    /// Some of the dark pixels, evenly chosen.
    func points(atMost most: Int) -> [(x: Int, y: Int)] {
        let total = pixels.reduce(0) { $0 + Int($1) }
        let step = max(1, total / most)
        var points: [(x: Int, y: Int)] = []
        points.reserveCapacity(total / step + 1)
        var count = 0
        for y in 0..<height {
            for x in 0..<width where pixels[y * width + x] != 0 {
                if count % step == 0 { points.append((x, y)) }
                count += 1
            }
        }
        return points
    }

    /// The box around the dark pixels after the page was turned about its middle, as shares of the page; nil if there
    /// are none.
    func boundingBox(turnedBy degrees: Double) -> PageBox? {
        let angle = Float(degrees * .pi / 180)
        // For angles of a few degrees, the series is exact to a thousandth of a pixel.
        let (sine, cosine) = (angle - angle * angle * angle / 6, 1 - angle * angle / 2)
        let (middleX, middleY) = (Float(width) / 2, Float(height) / 2)
        var (left, top, right, bottom) = (Float.infinity, Float.infinity, -Float.infinity, -Float.infinity)
        for y in 0..<height {
            for x in 0..<width where pixels[y * width + x] != 0 {
                let (dx, dy) = (Float(x) + 0.5 - middleX, Float(y) + 0.5 - middleY)
                let (turnedX, turnedY) = (
                    middleX + dx * cosine - dy * sine, middleY + dx * sine + dy * cosine
                )
                (left, right) = (min(left, turnedX), max(right, turnedX))
                (top, bottom) = (min(top, turnedY), max(bottom, turnedY))
            }
        }
        guard left <= right else { return nil }
        func share(_ value: Float, _ whole: Int) -> Double { Double(min(max(value / Float(whole), 0), 1)) }
        let (x, y) = (share(left - 0.5, width), share(top - 0.5, height))
        return PageBox(
            x: x, y: y, width: share(right + 0.5, width) - x, height: share(bottom + 0.5, height) - y)
    }

    // MARK: Connected pixels

    /// Dark pixels that touch each other.
    private struct Blob {
        var pixels: [Int32]
        var box: (left: Int, top: Int, right: Int, bottom: Int)

        /// The larger one of width and height, in pixels.
        var extent: Int { max(box.right - box.left, box.bottom - box.top) + 1 }
    }

    private func blobs() -> [Blob] {
        var seen = [UInt8](repeating: 0, count: pixels.count)
        var blobs: [Blob] = []
        var waiting: [Int32] = []
        for start in pixels.indices where pixels[start] != 0 && seen[start] == 0 {
            var blob = Blob(pixels: [], box: (width, height, 0, 0))
            seen[start] = 1
            waiting.append(Int32(start))
            while let at = waiting.popLast() {
                blob.pixels.append(at)
                let (x, y) = (Int(at) % width, Int(at) / width)
                blob.box = (
                    min(blob.box.left, x), min(blob.box.top, y), max(blob.box.right, x),
                    max(blob.box.bottom, y)
                )
                for nextY in max(0, y - 1)...min(height - 1, y + 1) {
                    for nextX in max(0, x - 1)...min(width - 1, x + 1) {
                        let next = nextY * width + nextX
                        guard pixels[next] != 0, seen[next] == 0 else { continue }
                        seen[next] = 1
                        waiting.append(Int32(next))
                    }
                }
            }
            blobs.append(blob)
        }
        return blobs
    }

    private mutating func erase(_ blob: Blob) {
        for at in blob.pixels { pixels[Int(at)] = 0 }
    }
}
