import Features
import RealModule

/// Judges the notes of a take against those of the score. A wrong accusation is worse than a mistake that stays
/// unsaid, so that every doubt is for the player.
///
/// The evidence for a pitch is how far its partials stand out of the spectrum beside them, compared with what is usual
/// for the notes of the same take. Only partials count that no other note of the score has at that time.
/// - Source: A. Klapuri, "Multiple fundamental frequency estimation by summing harmonic amplitudes", ISMIR 2006.
public struct NoteJudge {
    /// Pitches that can be judged: the lowest string of a bass guitar to the fifth octave above it.
    static let pitches = 28...100
    static let shortestSeconds = 0.07
    /// Notes of a chord begin within so many seconds.
    static let chordSeconds = 0.05

    /// Limits of evidence, in decibels. Those for pitches are differences from the usual evidence of the take's own
    /// notes, because rooms, instruments and microphones differ by more than right notes and wrong ones.
    struct Limits {
        /// The least usual evidence at which a take can be judged at all.
        var leastUsual: Float = 14
        /// A pitch that is at most this far below the usual evidence is there.
        var present: Float = 12
        /// A pitch that is farther below is not there; of a chord, farther still, because chords lend it partials.
        var absent: Float = 16
        var absentFromChord: Float = 18
        /// A missing note rises less than this at its onset.
        var missingRise: Float = 10
        /// A pitch that is at most this far below may be called a wrong note.
        var wrong: Float = 8
        /// The evidence by which it must be ahead of the right pitch.
        var wrongLead: Float = 12
        /// The evidence by which a new note must rise, as an absolute number.
        var rise: Float = 6
        /// An extra note is at most this far below the usual evidence, rises at its onset, and stands out by so much
        /// more than before. It rises by the larger number, or by this part of the usual rise in a take of soft
        /// attacks.
        var extra: Float = 8
        var extraRises: ClosedRange<Float> = 5...8
        var extraRiseShare: Float = 0.8
        var extraLead: Float = 18
        /// A note rises by this much at an onset that can be measured.
        var onsetRise: Float = 8
        /// Any sound rises by this part of its loudness at the attack of a single note.
        var attack: Float = 0.15
        /// Seconds by which the two measurements of onsets differ at the most, as a standard deviation.
        var onsetAgreement = 0.015
        /// Seconds by which a note is late or early at the least.
        var lateness = 0.055
        /// The other notes of a chord must begin within so many seconds if a note is judged against them.
        var mateSpread = 0.03
        /// If they are fewer, the note must be late by so many seconds against the notes before and after too.
        var fewestMates = 2
        var latenessBesideMate = 0.04
        /// This multiple of the unevenness that a fifth of the notes in chords exceeds is excused.
        var chordUnevenness = 2.0
        /// As `wrong` and `rise`, for a note whose own partials others have too.
        var coveredWrong: Float = 4
        var coveredRise: Float = 12
        /// As `wrong` for a note that is missing.
        var wrongOfMissing: Float = 10
        /// Seconds around the expected onset in which it is looked for: less if other notes are near.
        var onsetReaches = [0.24, 0.17, 0.11]
        /// The fewest notes that show the usual evidence.
        var fewestNotes = 8
    }

    let limits: Limits
    /// Windows of 0.19 s tell pitches, those of 0.09 s the onsets of pitches, those of 0.05 s the onsets of any sound.
    let long: TakeSpectra
    let middle: TakeSpectra
    let short: TakeSpectra
    /// Cents by which the take is tuned higher than A = 440 Hz.
    let cents: Double
    let seconds: Double

    /// - Parameters:
    ///   - samples: the take, one channel.
    ///   - cents: its tuning above A = 440 Hz.
    /// - Complexity: three spectra for each hundredth of a second.
    public init(
        samples: [Float], hertz: Double, cents: Double = 0, transforms: any SpectrumTransformMaker
    ) {
        limits = Limits()
        long = TakeSpectra(samples: samples, hertz: hertz, seconds: 0.186, transforms: transforms)
        middle = TakeSpectra(samples: samples, hertz: hertz, seconds: 0.093, transforms: transforms)
        short = TakeSpectra(samples: samples, hertz: hertz, seconds: 0.046, transforms: transforms)
        self.cents = cents
        seconds = Double(samples.count) / hertz
    }

    /// Judges the notes.
    /// - Parameter notes: in the order of their onsets.
    public func judge(_ notes: [ExpectedNote]) -> NoteReport {
        let heard = notes.indices.map { index in heardPartials(of: index, among: notes) }
        // Where chords are struck again and again, no note is alone: then all that have partials show what is usual.
        let alone = notes.indices.filter { heard[$0].isAlone }
        let shown =
            alone.count >= limits.fewestNotes ? alone : notes.indices.filter { heard[$0].doubt == nil }
        var usual = UsualPartials(shown.map { heard[$0].partials })
        guard shown.count >= limits.fewestNotes, usual.mean >= limits.leastUsual else {
            return NoteReport(verdicts: notes.map { _ in .unknown(.noise) }, extras: [])
        }
        usual.rise = usualRise(shown, among: notes)
        let differences = heard.map { usual.difference($0.partials) }
        var verdicts = notes.indices.map { index -> NoteVerdict in
            if let doubt = heard[index].doubt, doubt != .covered { return .unknown(doubt) }
            guard let own = differences[index], heard[index].doubt == nil else { return .unknown(.covered) }
            // Partials that a note beside this one may have lent speak for it only if they rise with it.
            guard own < -limits.present else {
                return heard[index].isAlone || isStruck(index, among: notes, usual)
                    ? .right : .unknown(.covered)
            }
            return accusation(of: index, among: notes, differences, own, usual)
        }
        judgeCovered(notes, usual, &verdicts)
        judgeTiming(notes, usual, &verdicts)
        excuseClusters(notes, &verdicts)
        return NoteReport(verdicts: verdicts, extras: findExtras(notes, usual: usual))
    }

    /// Takes back accusations that stand close together: there the alignment is more probably wrong than the player.
    private func excuseClusters(_ notes: [ExpectedNote], _ verdicts: inout [NoteVerdict]) {
        // Notes that begin together count as one.
        var groups: [Range<Int>] = []
        for index in notes.indices {
            if let last = groups.last, notes[index].onset - notes[last.lowerBound].onset < Self.chordSeconds {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
            }
        }
        let before = verdicts
        for (position, group) in groups.enumerated()
        where before[group].contains(where: { $0.isAccusation }) {
            let first = groups[max(position - 3, 0)], last = groups[min(position + 3, groups.count - 1)]
            let beside = before[first.lowerBound..<last.upperBound]
            let accused = beside.count(where: { $0.isAccusation })
            // The right notes of a chord show that it was found where it is.
            let judged = accused + beside.count { $0 == .right }
            guard accused > 2, accused * 3 > judged else { continue }
            for index in group where verdicts[index].isAccusation { verdicts[index] = .unknown(.unclear) }
        }
    }

    func hertz(_ pitch: Int) -> Double { 440 * Double.exp2((Double(pitch - 69) + cents / 100) / 12) }
}
