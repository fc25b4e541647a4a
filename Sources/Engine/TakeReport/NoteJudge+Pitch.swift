import RealModule

/// The evidence of one partial: its number, 1 for the fundamental, and decibels above the sound beside it.
typealias HeardPartial = (number: Int, decibels: Float)

/// Right, wrong and missing pitches.
extension NoteJudge {
    /// The stretch of the take in which a note should sound, apart from its attack.
    func stretch(of note: ExpectedNote) -> (start: Double, end: Double) {
        (note.onset + 0.03, note.onset + min(max(note.duration, 0.15), 0.4))
    }

    /// The pitches of the score that sound in a stretch of the take.
    func soundingPitches(
        from start: Double, to end: Double, among notes: [ExpectedNote], except index: Int?
    ) -> Set<Int> {
        var found: Set<Int> = []
        for (other, note) in notes.enumerated() where other != index {
            if note.onset < end && note.onset + note.duration > start { found.insert(note.pitch) }
        }
        return found
    }

    func freePartials(of pitch: Int, among sounding: Set<Int>) -> FreePartials {
        FreePartials(of: pitch, among: sounding, resolution: 2.4 * long.hertzPerBin, hertz: hertz)
    }

    /// The largest evidence of partials in a stretch of the take.
    func hear(_ partials: FreePartials, of pitch: Int, from start: Double, to end: Double) -> [HeardPartial] {
        partials.numbers.map { number in
            let hertz = hertz(pitch) * Double(number)
            var most: Float = 0
            var time = start
            while time <= end {
                let frame = long.frame(at: time)
                let peak = long.peak(frame, hertz: hertz, cents: 30)
                let floor = max(long.floor(frame, hertz: hertz), 1e-7)
                most = max(most, min(max(20 * Float.log10(max(peak, 1e-9) / floor), 0), 40))
                time += 0.03
            }
            return (number, most)
        }
    }

    /// The evidence for a note.
    struct HeardNote {
        var partials: [HeardPartial] = []
        /// True if no note beside it, also before and after it, has these partials.
        var isAlone = false
        /// The reason why its pitch cannot be judged; nil if it can.
        var doubt: NoteDoubt?
    }

    func heardPartials(of index: Int, among notes: [ExpectedNote]) -> HeardNote {
        let note = notes[index]
        guard Self.pitches.contains(note.pitch) else { return HeardNote(doubt: .outOfRange) }
        guard note.duration >= Self.shortestSeconds else { return HeardNote(doubt: .tooShort) }
        let (start, end) = stretch(of: note)
        let (free, isAlone) = freePartials(of: index, among: notes)
        guard free.areEnough else { return HeardNote(doubt: .covered) }
        return HeardNote(partials: hear(free, of: note.pitch, from: start, to: end), isAlone: isAlone)
    }

    /// The partials that no note beside a note has; if there are none, those that no note has at the same time.
    private func freePartials(of index: Int, among notes: [ExpectedNote]) -> (
        partials: FreePartials, isAlone: Bool
    ) {
        let note = notes[index]
        let (_, end) = stretch(of: note)
        let beside = soundingPitches(from: note.onset - 0.2, to: end + 0.1, among: notes, except: index)
        let alone = freePartials(of: note.pitch, among: beside)
        guard !alone.areEnough else { return (alone, true) }
        let together = soundingPitches(from: note.onset + 0.03, to: end - 0.05, among: notes, except: index)
        return (freePartials(of: note.pitch, among: together), false)
    }

    /// True if the partials that no note has at the same time rise at a note's onset: it is struck, whatever rings from
    /// before, such as the same string in the chord before.
    func isStruck(_ index: Int, among notes: [ExpectedNote], _ usual: UsualPartials) -> Bool {
        let note = notes[index]
        let near = limits.onsetReaches[2]
        let partials = onsetPartials(of: index, among: notes, reach: near)
        guard partials.areEnough else { return false }
        let struck = strongestRise(partials, of: note, reach: near)
        return struck.rise >= max(leastRise(usual), limits.rise) && abs(struck.time - note.onset) < near
    }

    /// True if a note is heard at another instant than expected.
    func isHeard(_ index: Int, among notes: [ExpectedNote], deviation: Double, _ usual: UsualPartials) -> Bool
    {
        let (start, end) = stretch(of: notes[index])
        let (free, _) = freePartials(of: index, among: notes)
        let heard = hear(free, of: notes[index].pitch, from: start + deviation, to: end + deviation)
        return usual.difference(heard).map { $0 >= -limits.present } ?? false
    }

    /// A mistake in pitch, or the reason why it cannot be named.
    /// - Parameters:
    ///   - differences: how far each note stands out more than usual, in decibels; nil if that is not known.
    ///   - own: that of this note.
    func accusation(
        of index: Int, among notes: [ExpectedNote], _ differences: [Float?], _ own: Float,
        _ usual: UsualPartials
    ) -> NoteVerdict {
        let note = notes[index]
        let (start, end) = stretch(of: note)
        let sounding = soundingPitches(from: note.onset - 0.3, to: end + 0.15, among: notes, except: index)
        if let other = wrongPitch(
            instead: note, own: own, usual: usual, from: start, to: end, sounding: sounding)
        {
            return .wrong(pitch: other)
        }
        let isInChord = notes.indices.contains {
            $0 != index && abs(notes[$0].onset - note.onset) < Self.chordSeconds
        }
        guard own < -(isInChord ? limits.absentFromChord : limits.absent) else { return .unknown(.unclear) }
        // A note that comes far too late or too early is not missing, nor one that the alignment misplaces.
        let wide = freePartials(
            of: note.pitch,
            among: soundingPitches(
                from: note.onset - 0.35, to: note.onset + 0.5, among: notes, except: index))
        let around = [
            hear(wide, of: note.pitch, from: end, to: note.onset + 0.45),
            hear(wide, of: note.pitch, from: max(note.onset - 0.3, 0), to: start),
        ].compactMap(usual.difference).max()
        guard around.map({ $0 < -limits.present }) ?? true else { return .unknown(.unclear) }
        // A note that was struck and died away at once is not missing either.
        let reach = limits.onsetReaches[0]
        let struck = onsetPartials(of: index, among: notes, reach: reach)
        guard !struck.areEnough || strongestRise(struck, of: note, reach: reach).rise < limits.missingRise
        else { return .unknown(.unclear) }
        // Something must be heard nearby, or the microphone heard nothing at all.
        let near = notes.indices.filter {
            $0 != index && abs(notes[$0].onset - note.onset) < 1.5 && abs($0 - index) <= 8
        }
        let heard = near.count { differences[$0].map { $0 >= -limits.present } ?? true }
        guard heard >= 2, 2 * heard > near.count else { return .unknown(.noise) }
        return newPitch(
            instead: note, usual: usual, least: -limits.wrongOfMissing, rise: limits.rise,
            sounding: soundingPitches(from: note.onset + 0.03, to: end - 0.05, among: notes, except: index)
        ).map { .wrong(pitch: $0) } ?? .missing
    }

    /// Names notes whose own partials others have too, if a neighbour is clearly struck in their place.
    func judgeCovered(_ notes: [ExpectedNote], _ usual: UsualPartials, _ verdicts: inout [NoteVerdict]) {
        let judged = verdicts
        for index in notes.indices where judged[index] == .unknown(.covered) {
            let (start, end) = (notes[index].onset - 0.3, stretch(of: notes[index]).end + 0.15)
            var sounding = soundingPitches(from: start, to: end, among: notes, except: index)
            // A wrong ground note has overtones that are neighbours of right ones.
            for (other, note) in notes.enumerated()
            where note.onset < end && note.onset + note.duration > start {
                switch judged[other] {
                case .wrong(let pitch): sounding.insert(pitch)
                case .missing: sounding.formUnion([note.pitch - 1, note.pitch + 1])
                case .right, .late, .unknown: break
                }
            }
            if let pitch = newPitch(
                instead: notes[index], usual: usual, least: -limits.coveredWrong, rise: limits.coveredRise,
                sounding: sounding)
            {
                verdicts[index] = .wrong(pitch: pitch)
            }
        }
    }

    /// A pitch a semitone from a note that is struck at its onset.
    private func newPitch(
        instead note: ExpectedNote, usual: UsualPartials, least: Float, rise: Float, sounding: Set<Int>
    ) -> Int? {
        // A note that is struck later is an extra one.
        let (start, end) = (note.onset + 0.03, stretch(of: note).end)
        let before = max(note.onset - 0.12, 0)
        var best: (pitch: Int, now: Float)?
        for candidate in [-1, 1].map({ note.pitch + $0 }) where Self.pitches.contains(candidate) {
            let free = freePartials(of: candidate, among: sounding.union([note.pitch]))
            guard free.numbers.count > 1,
                let now = usual.difference(hear(free, of: candidate, from: start, to: end)), now >= least,
                let then = usual.difference(hear(free, of: candidate, from: before, to: before)),
                now - then >= rise, now > best?.now ?? -.infinity
            else { continue }
            var other = note
            other.pitch = candidate
            let struck = strongestRise(free, of: other, reach: 0.35)
            guard struck.rise >= leastRise(usual), abs(struck.time - note.onset) < 0.12 else { continue }
            best = (candidate, now)
        }
        return best?.pitch
    }

    private func wrongPitch(
        instead note: ExpectedNote, own: Float, usual: UsualPartials, from start: Double, to end: Double,
        sounding: Set<Int>
    ) -> Int? {
        let others = sounding.union([note.pitch])
        let before = max(note.onset - 0.12, 0)
        var best: (pitch: Int, now: Float, before: Float)?
        for candidate in [-1, 1, -2, 2].map({ note.pitch + $0 }) where Self.pitches.contains(candidate) {
            let free = freePartials(of: candidate, among: others)
            guard let now = usual.difference(hear(free, of: candidate, from: start, to: end)),
                let then = usual.difference(hear(free, of: candidate, from: before, to: before)),
                now > best?.now ?? -.infinity
            else { continue }
            best = (candidate, now, then)
        }
        guard let best, best.now >= -limits.wrong, best.now - own >= limits.wrongLead,
            best.now - best.before >= limits.rise
        else { return nil }
        return best.pitch
    }
}
