import Basics
import Foundation
import Score
import Sound
import TakeReport

/// The verdicts on the notes of a take.
struct TakeNotes {
    /// A note that the report names: a mistake, or an extra note.
    struct Finding: Encodable, Equatable, Sendable {
        /// The played bar, counted from 0, and its printed number.
        var played: Int
        var printed: Int
        /// The part of the bar, 0…1, that passes before the note as written; nil for an extra note.
        var share: Double?
        /// The MIDI number of the note; 60 is C4.
        var pitch: Int?
        /// Seconds of the take.
        var seconds: Double
        /// Such as `C♯4`.
        var note: String
        /// `late`, `early`, `wrong`, `missing` or `extra`.
        var verdict: String
        /// Seconds late, or early if negative.
        var lateness: Double?
        /// The note that sounds instead.
        var instead: String?
    }

    var findings: [Finding] = []
    var rightCount = 0
    /// The numbers of notes that were not judged, by the reason as a part of a sentence.
    var unknown: [String: Int] = [:]
    /// The notes of bars in which the player began late or stopped, before and after what was played.
    var unplayedCount = 0

    /// The longest stretch that is judged at once; its spectra take about 25 MB.
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

    /// Judges all notes of the passages.
    /// - Parameters:
    ///   - sound: the path of the take.
    ///   - cents: the tuning of the take above A = 440 Hz.
    static func judge(
        _ notes: PieceNotes, in bars: TakeBars, measures: MeasureMap, sound: String, cents: Double
    ) throws(SoundFileError) -> TakeNotes {
        var report = TakeNotes()
        let reader = try SoundFileReader(path: sound)
        let window = SlidingSound(reader)
        for stretch in stretches(notes, bars, measures, &report) {
            let expected = stretch.notes
            guard let first = expected.first, let last = expected.last else { continue }
            let start = max(first.note.onset - marginSeconds, 0)
            let samples = try window.samples(
                from: start, to: last.note.onset + last.note.duration + marginSeconds)
            let judge = NoteJudge(
                samples: samples, hertz: reader.sampleRate.hertz, cents: cents,
                transforms: FFTWSpectrumMaker())
            let judged = judge.judge(
                expected.map {
                    ExpectedNote(
                        pitch: $0.note.pitch, onset: $0.note.onset - start, duration: $0.note.duration)
                })
            let stop = stretch.lastBar.map { stopIndex(judged.verdicts, expected, in: $0) } ?? expected.count
            for (index, verdict) in judged.verdicts.enumerated() {
                if index >= stop, verdict == .missing {
                    report.unplayedCount += 1
                } else {
                    report.add(verdict, of: expected[index], measures)
                }
            }
            for extra in judged.extras {
                let before = expected.last { $0.note.onset <= extra.onset + start } ?? first
                report.findings.append(
                    Finding(
                        played: before.played, printed: measures.marks[before.played].printed,
                        seconds: rounded(extra.onset + start), note: name(extra.pitch), verdict: "extra"))
            }
        }
        report.findings.sort { $0.seconds < $1.seconds }
        return report
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
        _ notes: PieceNotes, _ bars: TakeBars, _ measures: MeasureMap, _ report: inout TakeNotes
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
                            report.unplayedCount += 1
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
                    report.unknown[NoteDoubt.unalignedBar.words, default: 0] += written.count
                }
                let duration = bar.end - (current.notes.first?.note.onset ?? bar.end)
                if !isCertain || isLast || duration > stretchSeconds { finish() }
            }
        }
        return stretches
    }

    private mutating func add(_ verdict: NoteVerdict, of expected: Expected, _ measures: MeasureMap) {
        var finding = Finding(
            played: expected.played, printed: measures.marks[expected.played].printed,
            share: Self.rounded(expected.share), pitch: expected.note.pitch,
            seconds: Self.rounded(expected.note.onset), note: Self.name(expected.note.pitch), verdict: "")
        switch verdict {
        case .right:
            rightCount += 1
            return
        case .unknown(let doubt):
            unknown[doubt.words, default: 0] += 1
            return
        case .late(let seconds):
            finding.verdict = seconds > 0 ? "late" : "early"
            finding.lateness = Self.rounded(seconds)
        case .wrong(let pitch):
            finding.verdict = "wrong"
            finding.instead = Self.name(pitch)
        case .missing: finding.verdict = "missing"
        }
        findings.append(finding)
    }

    private static func rounded(_ seconds: Double) -> Double { (seconds * 1_000).rounded() / 1_000 }

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

/// Reads rising stretches of a sound file; they may overlap.
private final class SlidingSound {
    private let reader: SoundFileReader
    private var held: [Float] = []
    /// The number of the first sample that is held.
    private var first = 0
    private var isAtEnd = false

    init(_ reader: SoundFileReader) { self.reader = reader }

    func samples(from start: Double, to end: Double) throws(SoundFileError) -> [Float] {
        let hertz = reader.sampleRate.hertz
        let (low, high) = (Int(start * hertz), Int(end * hertz))
        var block = [Float](repeating: 0, count: 4_096)
        while first + held.count < high, !isAtEnd {
            let count = try block.withUnsafeMutableBufferPointer { buffer throws(SoundFileError) in
                try reader.read(into: buffer)
            }
            isAtEnd = count == 0
            held += block[..<count]
            // The sound before the stretch is never needed again.
            let old = min(low - first, held.count)
            if old > 1 << 16 {
                held.removeFirst(old)
                first += old
            }
        }
        let from = min(max(low - first, 0), held.count)
        return Array(held[from..<min(max(high - first, from), held.count)])
    }
}
