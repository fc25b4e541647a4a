import RealModule

/// Early and late notes.
extension NoteJudge {
    /// Seconds of the take in which the onsets of neighbours show how far the alignment is off.
    private static let neighbourSeconds = 2.5
    private static let fewestNeighbours = 4

    /// Judges the onsets of the right notes against those of their neighbours.
    func judgeTiming(_ notes: [ExpectedNote], _ verdicts: inout [NoteVerdict]) {
        let onsets = notes.indices.map { index in
            verdicts[index] == .right ? onset(of: index, among: notes) : nil
        }
        for index in notes.indices {
            guard let own = onsets[index] else { continue }
            let around = notes.indices.filter { other in
                other != index && abs(notes[other].onset - notes[index].onset) <= Self.neighbourSeconds
                    // The notes of a chord are struck together, so they would excuse each other.
                    && abs(notes[other].onset - notes[index].onset) > 0.05
            }.compactMap { onsets[$0] }
            guard around.count >= Self.fewestNeighbours else { continue }
            let middle = median(around)
            let spread = median(around.map { abs($0 - middle) })
            let lateness = own - middle
            // Players whose notes are all uneven, or an alignment that is not sure, excuse more.
            guard abs(lateness) >= max(limits.lateness, 6 * spread) else { continue }
            verdicts[index] = .late(lateness)
        }
    }

    /// Seconds from the expected onset of a note to where its partials rise; nil if no rise is clear.
    private func onset(of index: Int, among notes: [ExpectedNote]) -> Double? {
        let note = notes[index]
        // A note that sounded before, or that shares partials with a neighbour, rises for another reason.
        let near = notes.indices.contains { other in
            guard other != index else { return false }
            let gap = notes[other].onset - note.onset
            let isBefore = gap < -0.05 && gap > -0.6 || gap > 0.05 && gap < limits.latestSeconds + 0.1
            let distance = abs(notes[other].pitch - note.pitch)
            return isBefore && Self.coveringIntervals.contains(distance)
        }
        guard !near else { return nil }
        let from = max(note.onset - limits.latestSeconds, 0.03)
        let to = note.onset + limits.latestSeconds
        var rises: [(time: Double, rise: Float)] = []
        var time = from
        while time <= to {
            rises.append((time, rise(note.pitch, at: time)))
            time += TakeSpectra.hopSeconds
        }
        guard let top = rises.max(by: { $0.rise < $1.rise }), top.rise >= limits.rise * 1.5 else {
            return nil
        }
        // A second rise of nearly the same size makes the first one uncertain.
        let others = rises.filter { abs($0.time - top.time) > 0.06 }
        guard !others.contains(where: { $0.rise > 0.6 * top.rise }) else { return nil }
        return top.time - note.onset
    }

    /// The mean rise of a pitch's partials in three hundredths of a second, in decibels.
    func rise(_ pitch: Int, at time: Double) -> Float {
        let (before, after) = (short.frame(at: time - 0.015), short.frame(at: time + 0.02))
        var (sum, weights): (Float, Float) = (0, 0)
        for partial in 1...Self.partials {
            let hertz = hertz(pitch) * Double(partial)
            guard hertz < TakeSpectra.highestHertz * 0.95 else { break }
            let weight = 1 / Float(partial).squareRoot()
            let (then, now) = (short.magnitude(before, hertz: hertz), short.magnitude(after, hertz: hertz))
            let floor = max(short.floor(after, hertz: hertz), 1e-6)
            // Noise that rises is no note.
            if now > 2 * floor { sum += weight * min(max(20 * Float.log10(now / max(then, floor)), 0), 30) }
            weights += weight
        }
        return weights > 0 ? sum / weights : 0
    }
}
