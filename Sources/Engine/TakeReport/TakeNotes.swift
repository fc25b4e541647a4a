import Features
import Score

/// A note that the report names: a mistake, or an extra note.
public struct NoteFinding: Equatable, Sendable {
    /// The played bar, counted from 0, and its printed number.
    public var played: Int
    public var printed: Int
    /// The part of the bar, 0…1, that passes before the note as written; nil for an extra note.
    public var share: Double?
    /// The MIDI number of the note; 60 is C4.
    public var pitch: Int?
    /// Seconds of the take.
    public var seconds: Double
    /// Such as `C♯4`.
    public var note: String
    /// `late`, `early`, `wrong`, `missing` or `extra`.
    public var verdict: String
    /// Seconds late, or early if negative.
    public var lateness: Double?
    /// The note that sounds instead.
    public var instead: String?
}

/// The verdicts on the notes of a take, stretch by stretch, so that never more of its sound is needed at once.
struct TakeNotes {
    private var stretches: [Stretch] = []
    private var judgedCount = 0
    /// The tuning of the take above A = 440 Hz.
    private let cents: Double
    private let measures: MeasureMap

    /// The longest stretch; its spectra take about 25 MB.
    private static let stretchSeconds = 40.0
    private static let marginSeconds = 0.6

    private struct Expected {
        var note: ExpectedNote
        var played: Int
        /// The part of the bar that passes before it.
        var share: Double
    }

    /// Notes that were played without a break.
    private struct Stretch {
        var notes: [Expected] = []
        /// The played bar with which the passage ends, if the piece goes on after it.
        var lastBar: Int?
    }

    /// Finds the stretches; the report counts the notes that are not judged.
    init(
        _ notes: PieceNotes, in bars: TakeBars, measures: MeasureMap, cents: Double,
        _ report: inout ReportOnTake
    ) {
        (self.measures, self.cents) = (measures, cents)
        stretches = Self.stretches(notes, bars, measures, &report)
    }

    /// The seconds of the take that are judged next; nil after the last ones.
    var nextSeconds: Range<Double>? {
        guard judgedCount < stretches.count, let first = stretches[judgedCount].notes.first?.note,
            let last = stretches[judgedCount].notes.last?.note
        else { return nil }
        let start = max(first.onset - Self.marginSeconds, 0)
        return start..<max(last.onset + last.duration + Self.marginSeconds, start)
    }

    /// Judges the notes of the next stretch.
    /// - Parameter samples: those of ``nextSeconds``.
    mutating func judge(
        _ samples: [Float], hertz: Double, transforms: any SpectrumTransformMaker,
        _ report: inout ReportOnTake
    ) {
        guard let start = nextSeconds?.lowerBound else { return }
        let stretch = stretches[judgedCount]
        let expected = stretch.notes
        judgedCount += 1
        let judge = NoteJudge(samples: samples, hertz: hertz, cents: cents, transforms: transforms)
        let judged = judge.judge(
            expected.map {
                ExpectedNote(
                    pitch: $0.note.pitch, onset: $0.note.onset - start, duration: $0.note.duration)
            })
        let stop = stretch.lastBar.map { Self.stopIndex(judged.verdicts, expected, in: $0) } ?? expected.count
        for (index, verdict) in judged.verdicts.enumerated() {
            if index >= stop, verdict == .missing {
                report.unplayedNotes += 1
            } else {
                add(verdict, of: expected[index], &report)
            }
        }
        for extra in judged.extras {
            let before = expected.last { $0.note.onset <= extra.onset + start } ?? expected[0]
            report.notes.append(
                NoteFinding(
                    played: before.played, printed: measures.marks[before.played].printed,
                    seconds: inThousandths(extra.onset + start), note: Self.name(extra.pitch),
                    verdict: "extra"))
        }
        if nextSeconds == nil { report.notes.sort { $0.seconds < $1.seconds } }
    }

    /// The index after the last note that was heard in a bar. Whoever stops within a bar misses nothing after that.
    private static func stopIndex(_ verdicts: [NoteVerdict], _ notes: [Expected], in bar: Int) -> Int {
        let heard = notes.indices.last { index in
            if notes[index].played != bar { return true }
            switch verdicts[index] {
            case .right, .late, .wrong: return true
            case .missing, .unknown: return false
            }
        }
        return heard.map { $0 + 1 } ?? 0
    }

    /// The notes that are expected, in stretches of continuous playing; those of uncertain bars are counted only.
    private static func stretches(
        _ notes: PieceNotes, _ bars: TakeBars, _ measures: MeasureMap, _ report: inout ReportOnTake
    ) -> [Stretch] {
        var byBar: [Int: [PieceNotes.Note]] = [:]
        for note in notes.notes { byBar[Int(note.bar), default: []].append(note) }
        var stretches: [Stretch] = []
        var current = Stretch()
        func finish() {
            if !current.notes.isEmpty { stretches.append(current) }
            current = Stretch()
        }
        for passage in bars.passages {
            for (index, bar) in passage.enumerated() {
                let (played, start) = (bar.aligned.played, bar.aligned.seconds)
                let isLast = index + 1 == passage.count
                let length = bar.end - start
                let isCertain =
                    bar.aligned.doubt == nil && (isLast || passage[index + 1].aligned.doubt == nil)
                    && length > 0
                let written = byBar[played] ?? []
                if isCertain {
                    for note in written {
                        let share = note.bar - Double(played)
                        guard bar.played.contains(share) else {
                            report.unplayedNotes += 1
                            continue
                        }
                        current.notes.append(
                            Expected(
                                note: ExpectedNote(
                                    pitch: note.pitch, onset: start + share * length,
                                    duration: (note.end - note.bar) * length),
                                played: played, share: share))
                    }
                    if isLast, played + 1 < measures.marks.count { current.lastBar = played }
                } else {
                    report.unknownNotes[.unalignedBar, default: 0] += written.count
                }
                let duration = bar.end - (current.notes.first?.note.onset ?? bar.end)
                if !isCertain || isLast || duration > stretchSeconds { finish() }
            }
        }
        return stretches
    }

    private func add(_ verdict: NoteVerdict, of expected: Expected, _ report: inout ReportOnTake) {
        var finding = NoteFinding(
            played: expected.played, printed: measures.marks[expected.played].printed,
            share: inThousandths(expected.share), pitch: expected.note.pitch,
            seconds: inThousandths(expected.note.onset), note: Self.name(expected.note.pitch), verdict: "")
        switch verdict {
        case .right:
            report.rightNotes += 1
            return
        case .unknown(let doubt):
            report.unknownNotes[doubt, default: 0] += 1
            return
        case .late(let seconds):
            finding.verdict = seconds > 0 ? "late" : "early"
            finding.lateness = inThousandths(seconds)
        case .wrong(let pitch):
            finding.verdict = "wrong"
            finding.instead = Self.name(pitch)
        case .missing: finding.verdict = "missing"
        }
        report.notes.append(finding)
    }

    /// The name of a pitch, such as `C♯4`; 60 is `C4`.
    static func name(_ pitch: Int) -> String {
        let names = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"]
        return names[(pitch % 12 + 12) % 12] + "\(pitch / 12 - 1)"
    }
}

extension NoteDoubt {
    /// The reason as a part of a sentence.
    var words: String {
        switch self {
        case .covered: "other notes have the same partials"
        case .tooShort: "too short"
        case .noise: "too soft or too noisy"
        case .unclear: "the sound is not clear"
        case .outOfRange: "too low or too high"
        case .unalignedBar: "the bar is not certain"
        }
    }
}
