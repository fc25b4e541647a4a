/// Gives strings and frets to the notes of a track that a file gives as pitches.
///
/// Where the file gives string and fret, they are compared with the pitch, and the pitch is dropped if they agree.
/// All other notes get theirs from ``Fingering``; notes of several voices that begin together are one chord there.
public struct StringAssignment {
    /// The place of a note in a track.
    private struct Place: Hashable {
        var bar: Int
        var voice: Int
        var beat: Int
        var note: Int
    }

    public private(set) var track: TabTrack
    public private(set) var remarks: [String] = []
    let hasProgram: Bool

    /// - Parameters:
    ///   - track: its notes have sounding pitches, and string and fret where the file gives them.
    ///   - hasProgram: true if the file says which instrument it is.
    public init(track: TabTrack, hasProgram: Bool) {
        self.track = track
        self.hasProgram = hasProgram
    }

    /// Settles one staff.
    /// - Parameters:
    ///   - staff: counted from 1.
    ///   - given: the open strings that the file gives, string 1 first; nil if it gives none.
    public mutating func settle(staff: Int, given: [Int]?, capo: Int) {
        let places = places(on: staff)
        guard !track.percussion else {
            for place in places { change(place) { ($0.string, $0.fret) = (nil, nil) } }
            return
        }
        let fretted = places.filter { note($0).string != nil && note($0).fret != nil }
        var strings = given ?? inferred(from: fretted, capo: capo)
        if let known = strings { compare(fretted, with: TabStaff(strings: known, capo: capo)) }
        if strings == nil, track.moreStaves.isEmpty {
            strings = Tuning.fitting(program: track.program, pitches: places.compactMap { note($0).pitch })
            if strings != nil, !places.isEmpty {
                remarks.append(
                    "“\(track.name)” has no tuning in the file; strings and frets are chosen here.")
            }
        }
        guard let strings else {
            for place in fretted { change(place) { ($0.string, $0.fret) = (nil, nil) } }
            return
        }
        let own = TabStaff(strings: strings, capo: capo)
        if staff == 1 {
            (track.strings, track.capo) = (strings, capo)
        } else {
            track.moreStaves[staff - 2] = own
        }
        choose(places, on: own)
    }

    // MARK: Notes

    private func note(_ place: Place) -> TabNote {
        track.bars[place.bar].voices[place.voice].beats[place.beat].notes[place.note]
    }

    private mutating func change(_ place: Place, _ edit: (inout TabNote) -> Void) {
        edit(&track.bars[place.bar].voices[place.voice].beats[place.beat].notes[place.note])
    }

    private func places(on staff: Int) -> [Place] {
        var result: [Place] = []
        for (bar, measure) in track.bars.enumerated() {
            for (voice, content) in measure.voices.enumerated() where content.staff == staff {
                for (beat, each) in content.beats.enumerated() {
                    for note in each.notes.indices {
                        result.append(Place(bar: bar, voice: voice, beat: beat, note: note))
                    }
                }
            }
        }
        return result
    }

    // MARK: Strings of the file

    /// The open strings that pitches and frets imply; nil without notes that have both.
    private func inferred(from fretted: [Place], capo: Int) -> [Int]? {
        var counts: [Int: [Int: Int]] = [:]
        for place in fretted {
            let note = note(place)
            if let string = note.string, let fret = note.fret, let pitch = note.pitch {
                counts[string, default: [:]][pitch - fret - capo, default: 0] += 1
            }
        }
        guard let last = counts.keys.max() else { return nil }
        let open = counts.mapValues { counts in
            counts.max { ($0.value, $1.key) < ($1.value, $0.key) }!.key
        }
        let candidates = Tuning.common.filter { $0.count >= last }
        func agreement(_ strings: [Int]) -> Int { open.count { strings[$0.key - 1] == $0.value } }
        let base =
            candidates.max { agreement($0) < agreement($1) } ?? Array(repeating: 40, count: last)
        var strings = base
        for (string, pitch) in open where (0...127).contains(pitch) { strings[string - 1] = pitch }
        return strings
    }

    private mutating func compare(_ fretted: [Place], with staff: TabStaff) {
        var differences: Set<Int> = []
        for place in fretted {
            let note = note(place)
            if let string = note.string, let fret = note.fret, let pitch = note.pitch,
                let own = staff.pitch(string: string, fret: fret)
            {
                differences.insert(pitch - own)
            }
        }
        // A whole part that is octaves away lacks its transposition.
        let isShifted = differences.count == 1 && differences.first! != 0 && differences.first! % 12 == 0
        if isShifted {
            remarks.append("“\(track.name)” is written in another octave than its strings; they count.")
        }
        var dropped = 0
        for place in fretted {
            let each = note(place)
            guard let string = each.string, let fret = each.fret else { continue }
            let own = staff.pitch(string: string, fret: fret)
            if let own, (0...127).contains(own), isShifted || each.pitch == nil || each.pitch == own {
                change(place) { $0.pitch = nil }
            } else if each.pitch != nil {
                dropped += 1
                change(place) {
                    ($0.string, $0.fret) = (nil, nil)
                    $0.kept.append(KeptItem("string and fret", "\(string) \(fret)"))
                }
            } else {
                change(place) { ($0.string, $0.fret, $0.pitch) = (nil, nil, 0) }
            }
        }
        if dropped > 0 {
            remarks.append(
                "“\(track.name)” has \(dropped) notes whose string and fret contradict their pitch; the pitch counts."
            )
        }
    }

    // MARK: Strings chosen here

    private mutating func choose(_ places: [Place], on staff: TabStaff) {
        var chords: [[Place]] = []
        var lastKey: (bar: Int, onset: Fraction, grace: Int)?
        for (place, key) in timed(places) {
            if let last = lastKey, last == key {
                chords[chords.count - 1].append(place)
            } else {
                chords.append([place])
            }
            lastKey = key
        }
        let fingering = Fingering(strings: staff.strings.map { $0 + staff.capo }, frets: track.frets)
        let free = chords.map { $0.filter { note($0).string == nil && !note($0).tie } }
        let chosen = fingering.choose(free.map { $0.map { note($0).pitch ?? 0 } })
        var sounding: [Int: Fingering.Finger] = [:]
        for (index, chord) in chords.enumerated() {
            var taken: Set<Int> = []
            for place in chord {
                let each = note(place)
                if each.tie, each.string == nil, let pitch = each.pitch, let finger = sounding[pitch] {
                    set(finger, at: place)
                }
                if let string = note(place).string { taken.insert(string) }
            }
            var fingers = chosen[index]
            if fingers.contains(where: { $0.map { taken.contains($0.string) } ?? false }) {
                fingers = fingering.place(free[index].map { note($0).pitch ?? 0 }, without: taken)
            }
            for (place, finger) in zip(free[index], fingers) {
                guard let finger else { continue }
                sounding[note(place).pitch ?? 0] = finger
                set(finger, at: place)
            }
            // A tie that continues nothing gets a string of its own.
            for place in chord where note(place).string == nil && note(place).tie {
                if let finger = fingering.place([note(place).pitch ?? 0], without: taken)[0] {
                    set(finger, at: place)
                }
            }
        }
    }

    private mutating func set(_ finger: Fingering.Finger, at place: Place) {
        change(place) { ($0.string, $0.fret, $0.pitch) = (finger.string, finger.fret, nil) }
    }

    /// The places in the order of time, with a key that is equal for notes struck together.
    private func timed(_ places: [Place]) -> [(Place, (bar: Int, onset: Fraction, grace: Int))] {
        var result: [(place: Place, key: (bar: Int, onset: Fraction, grace: Int))] = []
        var (onset, current, graces): (Fraction, Place?, Int) = (.zero, nil, 0)
        for place in places {
            let beats = track.bars[place.bar].voices[place.voice].beats
            if current?.bar != place.bar || current?.voice != place.voice {
                (onset, current, graces) = (
                    .zero, Place(bar: place.bar, voice: place.voice, beat: 0, note: 0), 0
                )
            }
            while let at = current, at.beat < place.beat {
                onset += beats[at.beat].quarters
                graces = beats[at.beat].grace == nil ? 0 : graces + 1
                current?.beat += 1
            }
            let isGrace = beats[place.beat].grace != nil
            result.append((place, (place.bar, onset, isGrace ? graces - 1_000 : 0)))
        }
        return result.enumerated().sorted { a, b in
            let (x, y) = (a.element.key, b.element.key)
            return (x.bar, x.onset, x.grace, a.offset) < (y.bar, y.onset, y.grace, b.offset)
        }.map { ($0.element.place, $0.element.key) }
    }
}
