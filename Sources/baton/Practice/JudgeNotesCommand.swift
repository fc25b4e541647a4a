import ArgumentParser
import Basics
import Foundation
import Hosting
import Sound
import TakeReport

/// `baton judge-notes` judges the notes of a sound file against a list. `Research/planted-errors` measures with it.
struct JudgeNotesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge-notes",
        abstract: "Judges the notes of a recording, for measurements of the report on takes.",
        discussion: """
            Prints a line for each note of the list: right; late SECONDS, negative if early; wrong PITCH; missing; \
            or unknown REASON. Then a line “extra PITCH SECONDS” for each note that is not in the list.
            """, shouldDisplay: false)

    @Argument(help: "The recording.", completion: .file())
    var sound: String

    @Argument(help: "The list: on each line a MIDI pitch, the onset and the duration in seconds.")
    var notes: String

    @Option(help: "Cents by which the recording is tuned above A = 440 Hz.")
    var cents = 0.0

    func run() async throws {
        try await printingErrors(as: "judge-notes") {
            let readable = ReadableRecordings()
            let reader = try await SoundFileReader(path: readable.path(of: sound))
            var samples: [Float] = []
            var block = [Float](repeating: 0, count: 4_096)
            while true {
                let count = try block.withUnsafeMutableBufferPointer { buffer throws(SoundFileError) in
                    try reader.read(into: buffer)
                }
                guard count > 0 else { break }
                samples += block[..<count]
            }
            let judge = NoteJudge(
                samples: samples, hertz: reader.sampleRate.hertz, cents: cents,
                transforms: FFTWSpectrumMaker())
            let report = judge.judge(try expectedNotes())
            for verdict in report.verdicts { print(verdict.line) }
            for extra in report.extras { print("extra \(extra.pitch) \(extra.onset)") }
        }
    }

    private func expectedNotes() throws -> [ExpectedNote] {
        guard let decoded = DecodedText(Array(try Data(contentsOf: URL(filePath: notes)))) else {
            throw ExplainedError("“\(notes)” is no text.")
        }
        return try decoded.text.split(separator: "\n").enumerated().map { row, line in
            let fields = line.split(separator: " ")
            guard fields.count == 3, let pitch = Int(fields[0]), (0...127).contains(pitch),
                let onset = Double(fields[1]), let duration = Double(fields[2]), onset.isFinite,
                duration.isFinite
            else {
                throw ExplainedError(
                    "“\(notes)”, line \(row + 1) is not “PITCH ONSET DURATION”.")
            }
            return ExpectedNote(pitch: pitch, onset: onset, duration: duration)
        }
    }
}

extension NoteVerdict {
    fileprivate var line: String {
        switch self {
        case .right: "right"
        case .late(let seconds): "late \(seconds)"
        case .wrong(let pitch): "wrong \(pitch)"
        case .missing: "missing"
        case .unknown(let doubt): "unknown \(doubt)"
        }
    }
}
