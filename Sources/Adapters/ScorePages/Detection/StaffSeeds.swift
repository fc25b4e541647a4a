/// Places where the five lines of a staff are clear.
struct StaffSeeds {
    let reader: StaffCombReader
    let scale: StaffScale

    private var profiles: LineProfiles { reader.profiles }

    /// The clearest first.
    func found() -> [StaffComb] {
        let usual = Double(scale.lineDistance)
        let spaces = stride(from: usual * 0.55, through: usual * 1.3, by: max(0.25, usual * 0.02)).map { $0 }
        var all: [StaffComb] = []
        for strip in 0..<profiles.count {
            var best: [StaffComb] = []
            for y in 1..<max(2, profiles.height - 1) where profiles.share(strip, Double(y)) >= 0.45 {
                var here: StaffComb?
                for space in spaces {
                    guard profiles.share(strip, Double(y) + 4 * space) >= 0.4 else { continue }
                    let (score, lines) = reader.score(strip, Double(y), space)
                    if lines == 5, score >= 3, score > here?.score ?? 0 {
                        here = StaffComb(strip: strip, top: Double(y), space: space, score: score)
                    }
                }
                guard let here else { continue }
                if let last = best.last, here.top - last.top < 3 * last.space {
                    if here.score > last.score { best[best.count - 1] = here }
                } else {
                    best.append(here)
                }
            }
            all += best
        }
        return all.sorted { $0.score > $1.score }
    }
}
