import Features
import RealModule

/// Judges the notes of a take against those of the score. A wrong accusation is worse than a mistake that stays
/// unsaid, so that every doubt is for the player.
///
/// The evidence for a pitch is how far its partials stand out of the spectrum beside them, weighted like the partials
/// of a harmonic tone.
/// - Source: A. Klapuri, "Multiple fundamental frequency estimation by summing harmonic amplitudes", ISMIR 2006.
public struct NoteJudge {
    /// Pitches that can be judged: the lowest string of a bass guitar to the fifth octave above it.
    static let pitches = 28...100
    static let shortestSeconds = 0.07
    /// Partials that give evidence.
    static let partials = 8
    /// Intervals at which a note lies on partials of a lower one.
    static let coveringIntervals: Set<Int> = [0, 12, 19, 24, 28, 31, 34, 36, 38, 40]

    /// Limits of evidence, in decibels. Those for pitches are below the usual evidence of the take's own notes, because
    /// rooms, instruments and microphones differ by more than right notes and wrong ones.
    struct Limits {
        /// The least usual evidence at which a take can be judged at all.
        var leastUsual: Float = 18
        /// A pitch that is at most this far below the usual evidence is there.
        var present: Float = 11
        /// A pitch that is farther below is not there; of a chord, farther still, because chords lend it partials.
        var absent: Float = 16
        var absentFromChord: Float = 18
        /// A pitch that is at most this far below may be called a wrong note.
        var wrong: Float = 8
        /// The evidence by which it must be ahead of the right pitch.
        var wrongLead: Float = 10
        /// The evidence by which a new note must rise, as an absolute number.
        var rise: Float = 6
        var extra: Float = 6
        /// Seconds by which a note is late or early at the least.
        var lateness = 0.065
        var latestSeconds = 0.22
        /// The fewest notes that show the usual evidence.
        var fewestNotes = 8
    }

    let limits: Limits
    let long: TakeSpectra
    let short: TakeSpectra
    /// Cents by which the take is tuned higher than A = 440 Hz.
    let cents: Double
    let seconds: Double

    /// - Parameters:
    ///   - samples: the take, one channel.
    ///   - cents: its tuning above A = 440 Hz.
    /// - Complexity: two spectra for each hundredth of a second.
    public init(
        samples: [Float], hertz: Double, cents: Double = 0, transforms: any SpectrumTransformMaker
    ) {
        limits = Limits()
        long = TakeSpectra(samples: samples, hertz: hertz, seconds: 0.186, transforms: transforms)
        short = TakeSpectra(samples: samples, hertz: hertz, seconds: 0.046, transforms: transforms)
        self.cents = cents
        seconds = Double(samples.count) / hertz
    }

    /// Judges the notes.
    /// - Parameter notes: in the order of their onsets.
    public func judge(_ notes: [ExpectedNote]) -> NoteReport {
        let evidences = notes.indices.map { evidence(of: $0, among: notes) }
        let clear = evidences.compactMap { try? $0.get() }.sorted()
        guard clear.count >= limits.fewestNotes, clear[clear.count / 2] >= limits.leastUsual else {
            return NoteReport(verdicts: notes.map { _ in .unknown(.noise) }, extras: [])
        }
        let usual = clear[clear.count / 2]
        var verdicts = notes.indices.map { index -> NoteVerdict in
            switch evidences[index] {
            case .failure(let doubt): .unknown(doubt)
            case .success(let own): pitchVerdict(of: index, among: notes, evidences: evidences, own, usual)
            }
        }
        judgeTiming(notes, &verdicts)
        excuseClusters(notes, &verdicts)
        return NoteReport(verdicts: verdicts, extras: findExtras(notes, usual: usual))
    }

    /// Takes back accusations that stand close together: there the alignment is more probably wrong than the player.
    private func excuseClusters(_ notes: [ExpectedNote], _ verdicts: inout [NoteVerdict]) {
        // Notes that begin together count as one.
        var groups: [Range<Int>] = []
        for index in notes.indices {
            if let last = groups.last, notes[index].onset - notes[last.lowerBound].onset < 0.05 {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
            }
        }
        let accused = groups.map { group in verdicts[group].contains(where: \.isAccusation) }
        for (position, group) in groups.enumerated() where accused[position] {
            let beside = max(position - 3, 0)...min(position + 3, groups.count - 1)
            guard beside.count(where: { accused[$0] }) > 2 else { continue }
            for index in group where verdicts[index].isAccusation { verdicts[index] = .unknown(.unclear) }
        }
    }

    func hertz(_ pitch: Int) -> Double { 440 * Double.exp2((Double(pitch - 69) + cents / 100) / 12) }

    /// The evidence for a pitch at a frame, in decibels.
    func evidence(_ pitch: Int, at frame: Int, in spectra: TakeSpectra) -> Float {
        let ground = hertz(pitch)
        var (sum, weights): (Float, Float) = (0, 0)
        for partial in 1...Self.partials {
            let hertz = ground * Double(partial)
            guard hertz < TakeSpectra.highestHertz * 0.95 else { break }
            let weight = 1 / Float(partial).squareRoot()
            let peak = spectra.peak(frame, hertz: hertz, cents: 30)
            let floor = max(spectra.floor(frame, hertz: hertz), 1e-7)
            sum += weight * min(max(20 * Float.log10(max(peak, 1e-9) / floor), 0), 40)
            weights += weight
        }
        return weights > 0 ? sum / weights : 0
    }

    /// The largest evidence for a pitch while a note should sound.
    func evidence(_ pitch: Int, from start: Double, to end: Double) -> Float {
        var most: Float = 0
        var time = start
        while time <= end {
            most = max(most, evidence(pitch, at: long.frame(at: time), in: long))
            time += 0.03
        }
        return most
    }

    // MARK: Pitch

    /// The stretch of the take in which a note should sound, apart from its attack.
    private func stretch(of note: ExpectedNote) -> (start: Double, end: Double) {
        (note.onset + 0.03, note.onset + min(max(note.duration, 0.15), 0.4))
    }

    /// The evidence for a note, or the reason why its pitch cannot be judged.
    private func evidence(of index: Int, among notes: [ExpectedNote]) -> Result<Float, NoteDoubt> {
        let note = notes[index]
        guard Self.pitches.contains(note.pitch) else { return .failure(.outOfRange) }
        guard note.duration >= Self.shortestSeconds else { return .failure(.tooShort) }
        let (start, end) = stretch(of: note)
        let sounding = soundingPitches(from: note.onset - 0.3, to: end + 0.15, among: notes, except: index)
        if sounding.contains(where: { Self.coveringIntervals.contains(note.pitch - $0) }) {
            return .failure(.covered)
        }
        return .success(evidence(note.pitch, from: start, to: end))
    }

    private func pitchVerdict(
        of index: Int, among notes: [ExpectedNote], evidences: [Result<Float, NoteDoubt>], _ own: Float,
        _ usual: Float
    ) -> NoteVerdict {
        guard own < usual - limits.present else { return .right }
        let note = notes[index]
        let (start, end) = stretch(of: note)
        let sounding = soundingPitches(from: note.onset - 0.3, to: end + 0.15, among: notes, except: index)
        if let other = wrongPitch(
            instead: note, own: own, usual: usual, from: start, to: end, sounding: sounding)
        {
            return .wrong(pitch: other)
        }
        let isInChord = notes.indices.contains { $0 != index && abs(notes[$0].onset - note.onset) < 0.05 }
        guard own < usual - (isInChord ? limits.absentFromChord : limits.absent) else {
            return .unknown(.unclear)
        }
        // A note that comes far too late or too early is not missing, nor one that the alignment misplaces.
        let around = max(
            evidence(note.pitch, from: end, to: note.onset + 0.45),
            evidence(note.pitch, from: max(note.onset - 0.3, 0), to: start))
        guard around < usual - limits.present else { return .unknown(.unclear) }
        // Something must be heard nearby, or the microphone heard nothing at all.
        let near = notes.indices.filter {
            $0 != index && abs(notes[$0].onset - note.onset) < 1.5 && abs($0 - index) <= 8
        }
        let heard = near.count { (try? evidences[$0].get()).map { $0 >= usual - limits.present } ?? true }
        guard heard >= 2, 2 * heard > near.count else { return .unknown(.noise) }
        return .missing
    }

    /// The pitches of the score that sound in a stretch of the take.
    private func soundingPitches(
        from start: Double, to end: Double, among notes: [ExpectedNote], except index: Int
    ) -> Set<Int> {
        var found: Set<Int> = []
        for (other, note) in notes.enumerated() where other != index {
            if note.onset < end && note.onset + note.duration > start { found.insert(note.pitch) }
        }
        return found
    }

    private func wrongPitch(
        instead note: ExpectedNote, own: Float, usual: Float, from start: Double, to end: Double,
        sounding: Set<Int>
    ) -> Int? {
        let candidates = [-1, 1, -2, 2].map { note.pitch + $0 }.filter { candidate in
            Self.pitches.contains(candidate) && !isExplained(candidate, by: sounding)
        }
        let before = max(note.onset - 0.12, 0)
        let found = candidates.map { candidate in
            (
                pitch: candidate, now: evidence(candidate, from: start, to: end),
                before: evidence(candidate, at: long.frame(at: before), in: long)
            )
        }.max { $0.now < $1.now }
        guard let found, found.now >= usual - limits.wrong, found.now - own >= limits.wrongLead,
            found.now - found.before >= limits.rise
        else { return nil }
        return found.pitch
    }

    /// True if a pitch that sounds may be, or look like, one of these or its partials.
    private func isExplained(_ pitch: Int, by sounding: Set<Int>) -> Bool {
        sounding.contains { other in
            Self.coveringIntervals.contains(pitch - other) || Self.coveringIntervals.contains(other - pitch)
        }
    }
}
