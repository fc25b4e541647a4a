import Alignment
import FFTWTransform
import Foundation
import MusicalTime
import Score
import SoundFiles
import TakeReport

/// The verdicts on the notes of a take.
struct TakeNotes {
    /// A note that the report names: a mistake, or an extra note.
    struct Finding: Encodable, Equatable, Sendable {
        /// The played bar, counted from 0, and its printed number.
        var played: Int
        var printed: Int
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

    /// The longest stretch that is judged at once; its spectra take about 25 MB.
    private static let stretchSeconds = 40.0
    private static let marginSeconds = 0.6

    private struct Expected {
        var note: ExpectedNote
        var played: Int
    }

    /// Judges all notes of the passages.
    /// - Parameters:
    ///   - sound: the path of the take.
    ///   - cents: the tuning of the take above A = 440 Hz.
    static func judge(
        _ notes: PieceNotes, in found: OfflineScoreAlignment, measures: MeasureMap, sound: String,
        cents: Double
    ) throws(SoundFileError) -> TakeNotes {
        var report = TakeNotes()
        let reader = try SoundFileReader(path: sound)
        let window = SlidingSound(reader)
        for stretch in stretches(notes, found, &report) {
            guard let first = stretch.first, let last = stretch.last else { continue }
            let start = max(first.note.onset - marginSeconds, 0)
            let samples = try window.samples(
                from: start, to: last.note.onset + last.note.duration + marginSeconds)
            let judge = NoteJudge(
                samples: samples, hertz: reader.sampleRate.hertz, cents: cents,
                transforms: FFTWSpectrumMaker())
            let verdicts = judge.judge(
                stretch.map {
                    ExpectedNote(
                        pitch: $0.note.pitch, onset: $0.note.onset - start, duration: $0.note.duration)
                })
            for (expected, verdict) in zip(stretch, verdicts.verdicts) {
                report.add(verdict, of: expected, measures)
            }
            for extra in verdicts.extras {
                let before = stretch.last { $0.note.onset <= extra.onset + start } ?? first
                report.findings.append(
                    Finding(
                        played: before.played, printed: measures.marks[before.played].printed,
                        seconds: rounded(extra.onset + start), note: name(extra.pitch), verdict: "extra"))
            }
        }
        report.findings.sort { $0.seconds < $1.seconds }
        return report
    }

    /// The notes that are expected, in stretches of continuous playing; those of uncertain bars are counted only.
    private static func stretches(
        _ notes: PieceNotes, _ found: OfflineScoreAlignment, _ report: inout TakeNotes
    ) -> [[Expected]] {
        var byBar: [Int: [PieceNotes.Note]] = [:]
        for note in notes.notes { byBar[Int(note.bar), default: []].append(note) }
        var stretches: [[Expected]] = []
        var current: [Expected] = []
        func finish() {
            if !current.isEmpty { stretches.append(current) }
            current = []
        }
        for (index, bar) in found.measures.enumerated() {
            let next = index + 1 < found.measures.count ? found.measures[index + 1] : nil
            let isContinued = next?.played == bar.played + 1
            let end = next.map(\.seconds) ?? found.endSeconds
            let isCertain =
                bar.doubt < OfflineScoreAlignment.doubtfulFrom
                && (next?.doubt ?? 0) < OfflineScoreAlignment.doubtfulFrom && end > bar.seconds
            let length = end - bar.seconds
            if isCertain {
                for note in byBar[bar.played] ?? [] {
                    let onset = bar.seconds + (note.bar - Double(bar.played)) * length
                    current.append(
                        Expected(
                            note: ExpectedNote(
                                pitch: note.pitch, onset: onset, duration: (note.end - note.bar) * length),
                            played: bar.played))
                }
            } else {
                report.unknown[NoteDoubt.unalignedBar.words, default: 0] += byBar[bar.played]?.count ?? 0
            }
            let duration = end - (current.first?.note.onset ?? end)
            if !isCertain || !isContinued || duration > stretchSeconds { finish() }
        }
        finish()
        return stretches
    }

    private mutating func add(_ verdict: NoteVerdict, of expected: Expected, _ measures: MeasureMap) {
        var finding = Finding(
            played: expected.played, printed: measures.marks[expected.played].printed,
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
