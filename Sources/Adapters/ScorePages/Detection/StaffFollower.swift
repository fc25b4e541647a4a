/// Follows a staff from a clear place to both sides, strip by strip.
struct StaffFollower {
    let reader: StaffCombReader
    let falls: FallField

    /// More strips than this in which notes hide the lines are not crossed.
    private static let mostHidden = 16
    /// The least score of a strip in which notes hide the lines, and not all of them.
    private static let hiddenScore = 1.1

    /// A clef and a key hide no more strips than this at a staff's end.
    private static let mostHiddenAtEnd = 6

    func track(through seed: StaffComb) -> StaffTrack {
        follow(seed, by: -1).reversed() + [seed] + follow(seed, by: 1)
    }

    /// Follows a staff to one side until its lines end. Where notes hide them, it goes straight on.
    private func follow(_ seed: StaffComb, by way: Int) -> StaffTrack {
        var track: StaffTrack = []
        var (top, space, missed) = (seed.top, seed.space, 0)
        var hidden: StaffTrack = []
        var strip = seed.strip + way
        while strip >= 0, strip < reader.profiles.count, missed < 4, hidden.count < Self.mostHidden {
            let usual = falls.fall(Double(strip), top + 2 * space)
            let expected = top + Double(way) * ([seed] + track).suffix(12).straight.fall(near: usual)
            if let best = reader.clear(strip, near: expected, space) {
                if !hidden.isEmpty {
                    // The hidden strips lie on the line between the clear ones.
                    let last = track.last ?? seed
                    let steps = Double(abs(strip - last.strip))
                    for index in hidden.indices {
                        let part = Double(abs(hidden[index].strip - last.strip)) / steps
                        let middle =
                            (last.top + 2 * last.space) * (1 - part) + (best.top + 2 * best.space) * part
                        hidden[index].top = middle - 2 * hidden[index].space
                    }
                    track += hidden
                    hidden = []
                }
                space = 0.7 * space + 0.3 * best.space
                top = best.top + 2 * best.space - 2 * space
                track.append(best)
                missed = 0
            } else {
                top = expected
                let score = reader.hiddenScore(strip, near: expected, space)
                if score >= Self.hiddenScore {
                    hidden.append(StaffComb(strip: strip, top: expected, space: space, score: 0))
                } else {
                    missed += 1
                }
            }
            strip += way
        }
        let last = (track.last ?? seed).strip
        return track + hidden.prefix { abs($0.strip - last) <= Self.mostHiddenAtEnd }
    }
}
