/// The rotation of a page before its staves were read: by quarter turns, then by a small angle round its middle.
struct PageTurn {
    /// Clockwise quarter turns that set the page upright, 0…3.
    var quarters: Int
    /// The fall of the staves of the page set upright, in rows for each column.
    var slope: Double
    /// The size of the page as it was given, in pixels.
    var width: Int
    var height: Int

    /// Returns the picture turned clockwise by quarters.
    static func turned(_ image: GreyImage, quarters: Int) -> GreyImage {
        let (width, height) = (image.width, image.height)
        guard quarters % 4 != 0 else { return image }
        var pixels = [UInt8](repeating: 255, count: width * height)
        let isOnSide = quarters % 2 == 1
        let (newWidth, newHeight) = isOnSide ? (height, width) : (width, height)
        for y in 0..<newHeight {
            for x in 0..<newWidth {
                let from =
                    switch quarters % 4 {
                    case 1: (height - 1 - x) * width + y
                    case 2: (height - 1 - y) * width + (width - 1 - x)
                    default: x * width + (width - 1 - y)
                    }
                pixels[y * newWidth + x] = image.pixels[from]
            }
        }
        return GreyImage(width: newWidth, height: newHeight, pixels: pixels)
    }

    /// Returns the picture turned so that lines that fall by `slope` lie level. What comes in at the edges repeats
    /// the edge.
    static func levelled(_ image: GreyImage, slope: Double) -> GreyImage {
        guard slope != 0 else { return image }
        let (width, height) = (image.width, image.height)
        let cosine = 1 / (1 + slope * slope).squareRoot()
        let sine = slope * cosine
        let (middleX, middleY) = (Double(width - 1) / 2, Double(height - 1) / 2)
        var pixels = [UInt8](repeating: 255, count: width * height)
        image.pixels.withUnsafeBufferPointer { old in
            for y in 0..<height {
                let down = Double(y) - middleY
                for x in 0..<width {
                    let across = Double(x) - middleX
                    let fromX = min(max(middleX + across * cosine - down * sine, 0), Double(width - 1))
                    let fromY = min(max(middleY + across * sine + down * cosine, 0), Double(height - 1))
                    let (left, top) = (
                        min(Int(fromX), max(width - 2, 0)), min(Int(fromY), max(height - 2, 0))
                    )
                    let (right, below) = (min(left + 1, width - 1), min(top + 1, height - 1))
                    let (partX, partY) = (fromX - Double(left), fromY - Double(top))
                    let upper =
                        Double(old[top * width + left]) * (1 - partX) + Double(old[top * width + right])
                        * partX
                    let lower =
                        Double(old[below * width + left]) * (1 - partX) + Double(old[below * width + right])
                        * partX
                    pixels[y * width + x] = UInt8(upper * (1 - partY) + lower * partY)
                }
            }
        }
        return GreyImage(width: width, height: height, pixels: pixels)
    }

    /// Returns where a point of the turned page lies on the page as it was given, in shares of its size.
    func shareOfGivenPage(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        let isOnSide = quarters % 2 == 1
        let (uprightWidth, uprightHeight) =
            isOnSide ? (Double(height), Double(width)) : (Double(width), Double(height))
        let cosine = 1 / (1 + slope * slope).squareRoot()
        let sine = slope * cosine
        let (middleX, middleY) = ((uprightWidth - 1) / 2, (uprightHeight - 1) / 2)
        let (across, down) = (x - middleX, y - middleY)
        let u = (middleX + across * cosine - down * sine) / uprightWidth
        let v = (middleY + across * sine + down * cosine) / uprightHeight
        switch quarters % 4 {
        case 1: return (v, 1 - u)
        case 2: return (1 - u, 1 - v)
        case 3: return (1 - v, u)
        default: return (u, v)
        }
    }
}
