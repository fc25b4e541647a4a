import RealModule

/// Notes that the score does not have.
extension NoteJudge {
    /// Seconds around an expected onset that are explained by it.
    private static let explainedSeconds = 0.13

    /// - Parameter usual: the usual evidence for the notes of the take, in decibels.
    func findExtras(_ notes: [ExpectedNote], usual: Float) -> [ExtraNote] {
        guard let first = notes.first, let last = notes.last else { return [] }
        var extras: [ExtraNote] = []
        for onset in strongOnsets(from: first.onset - 0.1, to: last.onset + last.duration) {
            guard !notes.contains(where: { abs($0.onset - onset) < Self.explainedSeconds }),
                extras.last.map({ onset - $0.onset > 0.2 }) ?? true
            else { continue }
            let near = Set(
                notes.filter { $0.onset < onset + 0.5 && $0.onset + $0.duration > onset - 0.6 }.map(\.pitch))
            let candidates = Self.pitches.filter { pitch in
                pitch >= 40
                    && !near.contains { other in
                        Self.coveringIntervals.contains(abs(pitch - other))
                    }
            }
            let found = candidates.map { pitch in
                (
                    pitch: pitch, now: evidence(pitch, from: onset + 0.05, to: onset + 0.14),
                    before: evidence(pitch, at: long.frame(at: onset - 0.12), in: long)
                )
            }.max { $0.now < $1.now }
            guard let found, found.now >= usual - limits.extra, found.now - found.before >= limits.rise + 3,
                rise(found.pitch, at: onset) >= limits.rise
            else { continue }
            extras.append(ExtraNote(pitch: found.pitch, onset: onset))
        }
        return extras
    }

    /// Instants at which the whole spectrum rises as much as at the notes of the take.
    private func strongOnsets(from start: Double, to end: Double) -> [Double] {
        let (low, high) = (short.frame(at: max(start, 0.05)), short.frame(at: min(end, seconds - 0.1)))
        guard low < high else { return [] }
        let flux = (low...high).map { frame -> Float in
            let before = short.loudness(max(frame - 2, 0))
            return max(short.loudness(min(frame + 1, short.frameCount - 1)) - before, 0) / max(before, 1e-4)
        }
        let usual = flux.sorted()[min(flux.count * 9 / 10, flux.count - 1)]
        var onsets: [Double] = []
        for index in flux.indices.dropFirst(2).dropLast(2) {
            let value = flux[index]
            guard value > max(usual, 0.12), value >= flux[(index - 2)...(index + 2)].max() ?? 0 else {
                continue
            }
            onsets.append(Double(low + index) * TakeSpectra.hopSeconds)
        }
        return onsets
    }
}
