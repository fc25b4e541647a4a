/// Finds staves: five lines at equal distances in one strip of the page, then followed from strip to strip. What is too
/// broken for that is found by what adds up along the page.
struct StaffTracker {
    /// More staves than this are not looked for on a page.
    static let mostStaves = 120
    /// A track with fewer clear strips is no staff.
    private static let fewestClear = 5

    let profiles: LineProfiles
    let ink: InkImage
    let scale: StaffScale

    func staves() -> [TrackedStaff] {
        let reader = StaffCombReader(profiles: profiles)
        let seeds = StaffSeeds(reader: reader, scale: scale).found()
        var falls = FallField(strips: profiles.count, height: profiles.height)
        falls.fit(tracks(from: seeds, StaffFollower(reader: reader, falls: falls)).flatMap(Self.slopes))
        let clear = tracks(from: seeds, StaffFollower(reader: reader, falls: falls))
        let faint = FaintStaves(profiles: profiles, falls: falls, beside: clear)?.found() ?? []
        let pieces = clear + faint
        let outline = StaffOutline(profiles: profiles, ink: ink, scale: scale, falls: falls)
        let staves = StaffJoining(reader: reader, falls: falls).whole(pieces)
            .map(reader.settled).compactMap(outline.staff)
        return withoutOddOnes(staves).sorted {
            $0.middle(at: $0.middleColumn) < $1.middle(at: $1.middleColumn)
        }
    }

    private func tracks(from seeds: [StaffComb], _ follower: StaffFollower) -> [StaffTrack] {
        var found: [StaffTrack] = []
        for seed in seeds {
            guard found.count < Self.mostStaves else { break }
            guard !found.contains(where: { Self.overlaps($0, seed) }) else { continue }
            let track = follower.track(through: seed)
            if track.count(where: \.isClear) >= Self.fewestClear { found.append(track) }
        }
        return found
    }

    /// The fall of a track at several places.
    private static func slopes(_ track: StaffTrack) -> [(strip: Double, row: Double, fall: Double)] {
        let clear = track.filter(\.isClear)
        return stride(from: 0, to: clear.count - 7, by: 4).map { start in
            let near = clear[start..<start + 8].straight
            return (near.strip, near.row, near.fall)
        }
    }

    private static func overlaps(_ track: StaffTrack, _ seed: StaffComb) -> Bool {
        track.contains {
            abs($0.strip - seed.strip) <= 2 && seed.top < $0.top + 4.6 * $0.space
                && $0.top < seed.top + 4.6 * seed.space
        }
    }

    /// Leaves out staves far from the usual size: lines of text or tables.
    private func withoutOddOnes(_ staves: [TrackedStaff]) -> [TrackedStaff] {
        let spaces = staves.map(\.space).sorted()
        guard !spaces.isEmpty else { return [] }
        let usual = spaces[spaces.count / 2]
        return staves.filter { (usual * 0.5...usual * 1.6).contains($0.space) }
    }
}
