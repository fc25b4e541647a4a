@testable import ScorePages

/// A page with level staves, ten pixels from line to line, and what reads them.
struct RuledPage {
    let reader: StaffCombReader
    let joining: StaffJoining

    /// - Parameters:
    ///   - tops: the rows of the first lines of staves from column 100 to 1,139.
    ///   - hidden: columns in which nothing is printed.
    ///   - ledgers: rows of lines as long as a sixth of a staff.
    init?(tops: [Int], hidden: ClosedRange<Int>? = nil, ledgers: [Int] = []) {
        let (width, height) = (1_240, 800)
        var pixels = [UInt8](repeating: 0, count: width * height)
        for top in tops {
            for line in 0..<5 {
                for x in 100...1_139 where !(hidden?.contains(x) ?? false) {
                    for y in 0..<2 { pixels[(top + 10 * line + y) * width + x] = 1 }
                }
            }
        }
        for row in ledgers {
            for x in 300...470 { for y in 0..<2 { pixels[(row + y) * width + x] = 1 } }
        }
        let ink = InkImage(width: width, height: height, pixels: pixels)
        guard let scale = StaffScale(ink, along: .down) else { return nil }
        reader = StaffCombReader(profiles: LineProfiles(ink, scale))
        joining = StaffJoining(
            reader: reader, falls: FallField(strips: reader.profiles.count, height: height))
    }

    /// The strips that lie wholly on a staff.
    var strips: ClosedRange<Int> {
        100 / reader.profiles.stripWidth + 1...1_139 / reader.profiles.stripWidth - 1
    }

    func piece(_ strips: ClosedRange<Int>, top: Double) -> StaffTrack {
        strips.map { StaffComb(strip: $0, top: top, space: 10, score: 4) }
    }
}
