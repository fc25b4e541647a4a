import RealModule

/// Early and late notes.
extension NoteJudge {
    /// Judges the onsets of the right notes against those of their neighbours.
    ///
    /// Two measurements are made: where the note's own partials rise, and for single notes where any sound rises. The
    /// second one is used only if it agrees with the first one in this take, as it does for plucked strings.
    func judgeTiming(_ notes: [ExpectedNote], _ usual: UsualPartials, _ verdicts: inout [NoteVerdict]) {
        let judged = notes.indices.filter {
            [.right, .unknown(.covered), .unknown(.unclear)].contains(verdicts[$0])
        }
        let byPartials = judged.map { index -> Double? in
            let deviation = onset(of: index, among: notes)
            guard let deviation else { return nil }
            return switch verdicts[index] {
            // A short note may not be heard where it is expected, because it is heard beside that.
            case .unknown(.unclear):
                isHeard(index, among: notes, deviation: deviation, usual) ? deviation : nil
            // Partials that nothing has shown to sound may be noise that rises.
            case .unknown(.covered): standsOut(index, among: notes, deviation: deviation) ? deviation : nil
            default: deviation
            }
        }
        var byAnySound = judged.map { attack(of: $0, among: notes) }
        let differences = zip(byPartials, byAnySound).compactMap { pair in
            pair.0.flatMap { partials in pair.1.map { $0 - partials } }
        }
        let bias = differences.isEmpty ? 0 : median(differences)
        let isAgreed =
            differences.count >= limits.fewestNotes
            && 1.48 * median(differences.map { abs($0 - bias) }) <= limits.onsetAgreement
        byAnySound = byAnySound.map { isAgreed ? $0.map { $0 - bias } : nil }

        var measured: [(index: Int, onset: MeasuredOnset)] = []
        var second: [Int: Double] = [:]
        for (position, index) in judged.enumerated() {
            let isClear = verdicts[index] != .unknown(.unclear)
            guard let deviation = byPartials[position] ?? (isClear ? byAnySound[position] : nil) else {
                continue
            }
            measured.append((index, MeasuredOnset(expected: notes[index].onset, deviation: deviation)))
            if let other = byAnySound[position] { second[index] = other - deviation }
        }
        let timing = LocalTiming(measured.map { $0.onset })
        judgeChordTiming(measured, &verdicts)
        for (position, lateness) in timing.latenesses.enumerated() {
            guard let lateness else { continue }
            let index = measured[position].index
            // Players whose notes are all uneven, or an alignment that is not sure, excuse more.
            let least = max(limits.lateness, 3.5 * timing.spread, 2.5 * lateness.spread)
            guard abs(lateness.seconds) >= least else { continue }
            let isDenied = second[index].map { abs(lateness.seconds + $0) < 0.5 * least } ?? false
            verdicts[index] = isDenied ? .unknown(.unclear) : .late(lateness.seconds)
        }
    }

    /// Judges notes against the other notes of their chord. The alignment misplaces a chord as a whole, so this tells
    /// smaller differences than the notes before and after do.
    private func judgeChordTiming(
        _ measured: [(index: Int, onset: MeasuredOnset)], _ verdicts: inout [NoteVerdict]
    ) {
        let alone = LocalTiming(measured.map { $0.onset }, apart: Self.chordSeconds).latenesses
        var found: [(index: Int, lateness: Double, isSure: Bool)] = []
        var start = 0
        for (position, own) in measured.enumerated() {
            while measured[start].onset.expected <= own.onset.expected - Self.chordSeconds { start += 1 }
            let chord = measured[start...].prefix {
                $0.onset.expected < own.onset.expected + Self.chordSeconds
            }
            let mates = chord.filter { $0.index != own.index }.map { $0.onset.deviation }
            guard let first = mates.min(), let last = mates.max(), last - first <= limits.mateSpread else {
                continue
            }
            let lateness = own.onset.deviation - median(mates)
            let direction = lateness < 0 ? -1.0 : 1.0
            // Of two notes that differ, the one is late that the notes before and after deny.
            let isDenied = (alone[position]?.seconds ?? 0) * direction < limits.latenessBesideMate
            found.append((own.index, lateness, mates.count >= limits.fewestMates || !isDenied))
        }
        guard found.count >= limits.fewestNotes else { return }
        // Players who break chords do so in some chords only, so that the middle of all chords says too little.
        let unevenness = found.map { abs($0.lateness) }.sorted()[found.count * 8 / 10]
        let least = max(limits.lateness, limits.chordUnevenness * unevenness)
        for (index, lateness, isSure) in found where isSure && abs(lateness) >= least {
            verdicts[index] = .late(lateness)
        }
    }

    /// Seconds from the expected onset of a single note to the only instant between its neighbours at which the sound
    /// rises; nil if there is none, or if others rise nearly as much.
    private func attack(of index: Int, among notes: [ExpectedNote]) -> Double? {
        let note = notes[index]
        var (from, to) = (note.onset - limits.onsetReaches[0], note.onset + limits.onsetReaches[0])
        for (other, near) in notes.enumerated() where other != index {
            let gap = near.onset - note.onset
            guard abs(gap) >= Self.chordSeconds else { return nil }
            if gap < 0 { from = max(from, near.onset + 0.09) } else { to = min(to, near.onset - 0.04) }
        }
        guard from < note.onset, to > note.onset else { return nil }
        let (low, high) = (short.frame(at: max(from, 0.03)), short.frame(at: to))
        guard low + 4 < high else { return nil }
        let rises = (low...high).map { frame in
            short.rise(from: max(frame - 2, 0), to: min(frame + 1, short.frameCount - 1))
        }
        guard let top = rises.indices.max(by: { rises[$0] < rises[$1] }), top > 1, top < rises.count - 2,
            rises[top] > limits.attack
        else { return nil }
        let others = rises.indices.filter { abs($0 - top) > 6 }
        guard !others.contains(where: { rises[$0] > 0.5 * rises[top] }) else { return nil }
        return Double(low + top) * TakeSpectra.hopSeconds - note.onset
    }

    /// The partials whose rise shows the onset of a note: no other note that begins near it has them.
    /// - Parameter reach: seconds before and after the expected onset.
    func onsetPartials(of index: Int, among notes: [ExpectedNote], reach: Double) -> FreePartials {
        let note = notes[index]
        var others: Set<Int> = []
        for (other, near) in notes.enumerated() where other != index {
            if abs(near.onset - note.onset) < reach + 0.06 { others.insert(near.pitch) }
        }
        return FreePartials(
            of: note.pitch, among: others, resolution: 2.4 * middle.hertzPerBin, hertz: hertz)
    }

    /// Seconds from the expected onset of a note to where its partials rise; nil if no rise is clear.
    private func onset(of index: Int, among notes: [ExpectedNote]) -> Double? {
        let note = notes[index]
        guard Self.pitches.contains(note.pitch), note.duration >= Self.shortestSeconds else { return nil }
        for reach in limits.onsetReaches {
            let partials = onsetPartials(of: index, among: notes, reach: reach)
            guard partials.numbers.count > 1 else { continue }
            let top = strongestRise(partials, of: note, reach: reach)
            // A second rise of nearly the same size makes the first one uncertain, and so does one at the edge.
            guard top.rise >= limits.onsetRise, top.second <= 0.6 * top.rise,
                abs(top.time - note.onset) < reach - 0.01
            else { return nil }
            return top.time - note.onset
        }
        return nil
    }

    /// True if the partials that show a note's onset stand out of the sound beside them after it. Noise stands out by
    /// some 10 dB at the instants at which it is loudest.
    private func standsOut(_ index: Int, among notes: [ExpectedNote], deviation: Double) -> Bool {
        let note = notes[index]
        let partials = onsetPartials(of: index, among: notes, reach: limits.onsetReaches[2])
        let (start, end) = stretch(of: note)
        let heard = hear(partials, of: note.pitch, from: start + deviation, to: end + deviation)
        let sum = heard.reduce(0) { $0 + $1.decibels }
        return !heard.isEmpty && sum >= limits.leastUsual * Float(heard.count)
    }

    /// The instant near the expected onset at which partials rise most, and the next strongest rise elsewhere.
    func strongestRise(_ partials: FreePartials, of note: ExpectedNote, reach: Double) -> (
        time: Double, rise: Float, second: Float
    ) {
        var rises: [(time: Double, rise: Float)] = []
        var time = max(note.onset - reach, 0.03)
        while time <= note.onset + reach {
            rises.append((time, rise(partials, of: note.pitch, at: time)))
            time += TakeSpectra.hopSeconds
        }
        guard let top = rises.max(by: { $0.rise < $1.rise }) else { return (note.onset, 0, 0) }
        let second = rises.filter { abs($0.time - top.time) > 0.06 }.map { $0.rise }.max() ?? 0
        return (top.time, top.rise, second)
    }

    /// The middle rise of some notes at their onset, in decibels; nil if none is measured.
    func usualRise(_ indices: [Int], among notes: [ExpectedNote]) -> Float? {
        let step = max(indices.count / 50, 1)
        let rises = stride(from: 0, to: indices.count, by: step).compactMap { position -> Double? in
            let (index, reach) = (indices[position], limits.onsetReaches[1])
            let partials = onsetPartials(of: index, among: notes, reach: reach)
            guard partials.areEnough else { return nil }
            return Double(strongestRise(partials, of: notes[index], reach: reach).rise)
        }
        return rises.isEmpty ? nil : Float(median(rises))
    }

    /// Decibels by which a note that the score does not have must rise.
    func leastRise(_ usual: UsualPartials) -> Float {
        let range = limits.extraRises
        return min(max((usual.rise ?? .infinity) * limits.extraRiseShare, range.lowerBound), range.upperBound)
    }

    /// The mean rise of a pitch's partials in five hundredths of a second, in decibels.
    func rise(_ partials: FreePartials, of pitch: Int, at time: Double) -> Float {
        let (before, after) = (middle.frame(at: time - 0.025), middle.frame(at: time + 0.025))
        var (sum, weights): (Float, Float) = (0, 0)
        for number in partials.numbers {
            let hertz = hertz(pitch) * Double(number)
            let weight = 1 / Float(number).squareRoot()
            let (then, now) = (middle.magnitude(before, hertz: hertz), middle.magnitude(after, hertz: hertz))
            let floor = max(middle.floor(after, hertz: hertz), 1e-6)
            // Noise that rises is no note.
            if now > 2 * floor { sum += weight * min(max(20 * Float.log10(now / max(then, floor)), 0), 30) }
            weights += weight
        }
        return weights > 0 ? sum / weights : 0
    }
}
