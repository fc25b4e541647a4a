/// The distance of neighbouring staff lines and their thickness, in pixels, measured on runs of ink along a direction.
struct StaffScale {
    enum Direction { case down, across }

    /// From the middle of one line to the middle of the next.
    var lineDistance: Int
    var lineThickness: Int
    /// The number of times that two equal distances follow each other at this scale.
    var strength: Int

    private static let largestDistance = 130

    /// Nil if nothing on the page looks like staff lines.
    /// - Complexity: O(pixels).
    init?(_ ink: InkImage, along direction: Direction) {
        let (lanes, length) = direction == .down ? (ink.width, ink.height) : (ink.height, ink.width)
        let (laneStep, step) = direction == .down ? (1, ink.width) : (ink.width, 1)
        var distances = [Int](repeating: 0, count: Self.largestDistance + 2)
        var thicknesses = [[Int]](
            repeating: [Int](repeating: 0, count: 32), count: Self.largestDistance + 2)
        let largest = min(Self.largestDistance, length / 12)
        ink.pixels.withUnsafeBufferPointer { pixels in
            for lane in stride(from: 0, to: lanes, by: 2) {
                var place = lane * laneStep
                var (twoBefore, before, ink, paper) = (0, 0, 0, 0)
                guard lane >= 2, lane < lanes - 2 else { continue }
                for _ in 0..<length {
                    // A line is more than four pixels long; a speckle is not.
                    if pixels[place] != 0, pixels[place - laneStep] != 0, pixels[place + laneStep] != 0,
                        pixels[place - 2 * laneStep] != 0, pixels[place + 2 * laneStep] != 0
                    {
                        if paper > 0 {
                            let distance = ink + paper
                            if ink > 0, distance >= 5, distance <= largest, ink * 5 <= distance * 3, ink < 32,
                                abs(distance - before) <= max(1, distance / 10),
                                abs(distance - twoBefore) <= max(1, distance / 8)
                            {
                                distances[distance] += 1
                                thicknesses[distance][ink] += 1
                            }
                            twoBefore = before
                            before = ink > 0 ? distance : 0
                            (ink, paper) = (0, 0)
                        }
                        ink += 1
                    } else {
                        paper += 1
                    }
                    place += step
                }
            }
        }
        var sums = [Int](repeating: 0, count: Self.largestDistance + 1)
        for distance in 1...Self.largestDistance {
            sums[distance] = distances[distance - 1] + 2 * distances[distance] + distances[distance + 1]
        }
        guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }), sums[best] > 200 else { return nil }
        lineDistance = best
        strength = sums[best]
        var found = [Int](repeating: 0, count: 32)
        for distance in max(0, best - 1)...min(Self.largestDistance, best + 1) {
            for thickness in 0..<32 { found[thickness] += thicknesses[distance][thickness] }
        }
        lineThickness = found.indices.max { found[$0] < found[$1] } ?? 1
    }
}
