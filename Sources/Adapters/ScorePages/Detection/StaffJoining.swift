/// Makes whole staves of pieces: notes, clefs and keys hide the lines between them and at their ends.
struct StaffJoining {
    let reader: StaffCombReader
    let falls: FallField

    /// A staff does not end this many strips before the staff above or below it, if there is anything to see of it.
    private static let farthest = 30
    /// The least score of a strip that may hold hidden lines.
    private static let faintScore = 0.6

    func whole(_ pieces: [StaffTrack]) -> [StaffTrack] {
        let tracks = joined(pieces)
        return withoutDoubles(tracks.map { extended(trimmed($0, among: tracks), among: tracks) })
    }

    private func joined(_ pieces: [StaffTrack]) -> [StaffTrack] {
        var tracks = pieces.sorted { $0[0].strip < $1[0].strip }
        var index = 0
        while index < tracks.count {
            let next = tracks.indices
                .filter { $0 != index && continues(tracks[index], tracks[$0]) }
                .min { clearStart(tracks[$0]) < clearStart(tracks[$1]) }
            guard let next else {
                index += 1
                continue
            }
            let left = tracks[index].prefix(through: tracks[index].lastIndex { $0.score > 0 } ?? 0)
            let right = tracks[next].drop { $0.score == 0 }
            tracks[index] = Array(left + right)
            tracks.remove(at: next)
            if next < index { index -= 1 }
        }
        return tracks
    }

    private func clearStart(_ track: StaffTrack) -> Int { (track.first { $0.score > 0 })?.strip ?? 0 }

    private func continues(_ left: StaffTrack, _ right: StaffTrack) -> Bool {
        guard let last = left.last(where: { $0.score > 0 }), let first = right.first(where: { $0.score > 0 })
        else { return false }
        let apart = first.strip - last.strip
        guard apart > 0, apart <= Self.farthest, abs(first.space - last.space) < 0.12 * last.space else {
            return false
        }
        let straight = Double(apart) * falls.fall(Double(first.strip + last.strip) / 2, last.middle)
        let rise = first.middle - last.middle
        guard apart > 6 || abs(rise) >= last.space else { return true }
        guard abs(rise - straight) < 0.9 * last.space else { return false }
        let faint = (last.strip + 1..<first.strip).count { strip in
            let part = Double(strip - last.strip) / Double(apart)
            let middle = last.middle + rise * part
            return reader.hiddenScore(strip, near: middle - 2 * last.space, last.space) >= Self.faintScore
        }
        return apart <= 6 || faint * 2 >= apart - 1
    }

    private func near(_ track: StaffTrack, _ all: [StaffTrack]) -> [StaffTrack] {
        guard let first = track.first else { return [] }
        return all.filter { other in other.contains { abs($0.middle - first.middle) < 25 * first.space } }
    }

    /// The staff without hidden strips beyond all staves near it; clefs and keys hide lines on the left.
    private func trimmed(_ track: StaffTrack, among all: [StaffTrack]) -> StaffTrack {
        let near = near(track, all)
        let start = near.map(clearStart).min() ?? 0
        let end = near.compactMap { other in (other.last { $0.score > 0 })?.strip }.max() ?? 0
        return track.filter { $0.score > 0 || (start - 5...max(start, end) + 1).contains($0.strip) }
    }

    /// The staff as far as its neighbours go, where something is seen of it.
    private func extended(_ track: StaffTrack, among all: [StaffTrack]) -> StaffTrack {
        guard let first = track.first, let last = track.last else { return track }
        let near = near(track, all).map { trimmed($0, among: all) }
        let start = near.compactMap { $0.first?.strip }.min() ?? first.strip
        let end = near.compactMap { $0.last?.strip }.max() ?? last.strip
        return Array(extended(first, to: start, by: -1).reversed()) + track + extended(last, to: end, by: 1)
    }

    /// Leaves out pieces that lie on a longer staff, and joins those that lie on it in part.
    private func withoutDoubles(_ tracks: [StaffTrack]) -> [StaffTrack] {
        var kept: [StaffTrack] = []
        for track in tracks.sorted(by: { clear($0) > clear($1) }) {
            let places = Dictionary(track.map { ($0.strip, $0) }) { first, _ in first }
            let isDouble = kept.contains { other in
                let shared = other.count { comb in
                    places[comb.strip].map { abs($0.middle - comb.middle) < 3 * comb.space } ?? false
                }
                return shared * 3 >= track.count
            }
            guard !isDouble else { continue }
            if let other = kept.firstIndex(where: { goesOn($0, as: places) }), let first = kept[other].first,
                let last = kept[other].last
            {
                kept[other] =
                    track.filter { $0.strip < first.strip } + kept[other]
                    + track.filter { $0.strip > last.strip }
            } else {
                kept.append(track)
            }
        }
        return kept
    }

    /// True for a staff whose strips lie on a piece, by strips, wherever both are, at least in three.
    private func goesOn(_ track: StaffTrack, as places: [Int: StaffComb]) -> Bool {
        var shared = 0
        for comb in track {
            guard let other = places[comb.strip] else { continue }
            guard abs(other.middle - comb.middle) < 0.8 * comb.space else { return false }
            shared += 1
        }
        return shared >= 3
    }

    private func clear(_ track: StaffTrack) -> Int { track.count { $0.score > 0 } }

    private func extended(_ comb: StaffComb, to end: Int, by way: Int) -> StaffTrack {
        var (found, kept, faint) = (StaffTrack(), 0, 0)
        var next = comb
        next.score = 0
        while (end - next.strip) * way > 0, found.count < Self.farthest {
            next.top += Double(way) * falls.fall(Double(next.strip), next.middle)
            next.strip += way
            found.append(next)
            guard reader.hiddenScore(next.strip, near: next.top, next.space) >= Self.faintScore else {
                continue
            }
            faint += 1
            if faint * 5 >= found.count * 3 { kept = found.count }
        }
        return Array(found.prefix(kept))
    }
}
