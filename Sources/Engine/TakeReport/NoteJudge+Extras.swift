import RealModule

/// Notes that the score does not have.
extension NoteJudge {
    /// Seconds around an expected onset that are explained by it.
    private static let explainedSeconds = 0.13
    /// Notes that end or begin within so many seconds before and after an onset may cover an extra note.
    private static let besideSeconds = (before: 0.15, after: 0.2)
    /// Semitones from a note of the score to the farthest extra note that is looked for.
    private static let farthestSemitones = 12

    /// - Parameter usual: the usual evidence for the notes of the take.
    func findExtras(_ notes: [ExpectedNote], usual: UsualPartials) -> [ExtraNote] {
        guard let first = notes.first, let last = notes.last else { return [] }
        var extras: [ExtraNote] = []
        // What begins as the last note ends belongs to notes that are judged apart.
        let end = last.onset + last.duration - Self.explainedSeconds
        for onset in strongOnsets(from: first.onset - 0.1, to: end) {
            guard !notes.contains(where: { abs($0.onset - onset) < Self.explainedSeconds }),
                extras.last.map({ onset - $0.onset > 0.2 }) ?? true,
                let pitch = extraPitch(at: onset, notes, usual)
            else { continue }
            extras.append(ExtraNote(pitch: pitch, onset: onset))
        }
        return extras
    }

    /// The pitch that begins at an instant without being expected; nil if none is clear.
    private func extraPitch(at onset: Double, _ notes: [ExpectedNote], _ usual: UsualPartials) -> Int? {
        let near = soundingPitches(
            from: onset - Self.besideSeconds.before, to: onset + Self.besideSeconds.after, among: notes,
            except: nil)
        guard let low = near.min(), let high = near.max() else { return nil }
        let range = max(low - Self.farthestSemitones, 40)...max(high + Self.farthestSemitones, 40)
        var best: (pitch: Int, now: Float)?
        for pitch in range where Self.pitches.contains(pitch) && !near.contains(pitch) {
            let free = freePartials(of: pitch, among: near)
            guard free.areEnough,
                let now = usual.difference(hear(free, of: pitch, from: onset + 0.05, to: onset + 0.14)),
                now >= -limits.extra, now > best?.now ?? -.infinity,
                let before = usual.difference(hear(free, of: pitch, from: onset - 0.12, to: onset - 0.12)),
                now - before >= limits.extraLead, rise(free, of: pitch, at: onset) >= leastRise(usual)
            else { continue }
            best = (pitch, now)
        }
        return best?.pitch
    }

    /// Instants at which the spectrum rises: more than nine tenths of all instants, and by a tenth at least.
    private func strongOnsets(from start: Double, to end: Double) -> [Double] {
        let (low, high) = (short.frame(at: max(start, 0.05)), short.frame(at: min(end, seconds - 0.1)))
        guard low < high else { return [] }
        let flux = (low...high).map { frame in
            short.rise(from: max(frame - 2, 0), to: min(frame + 1, short.frameCount - 1))
        }
        let usual = flux.sorted()[flux.count * 8 / 10]
        var onsets: [Double] = []
        for index in flux.indices.dropFirst(2).dropLast(2) {
            let value = flux[index]
            guard value > max(usual, 0.08), value >= flux[(index - 2)...(index + 2)].max() ?? 0 else {
                continue
            }
            onsets.append(Double(low + index) * TakeSpectra.hopSeconds)
        }
        return onsets
    }
}
