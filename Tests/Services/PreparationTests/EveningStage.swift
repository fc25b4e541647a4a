import Basics
import Foundation
import Podium
import ReferenceStore
import Repository
import Score
import ShowLog
import Sound
import TestHelpers

@testable import Preparation

/// A recorded evening in a scratch folder: sound of the small concert, a show log that a script writes on a clock of
/// its own, and a copy of a model.
final class EveningStage {
    static let minuet = "petzold-anna-magdalena-notebook-minuet-in-g"
    static let bach = "bach-well-tempered-clavier-1-prelude-in-c"
    static let name = "2026-11-21-200000-rehearsal"
    /// The beginning of the show, in milliseconds since 1970.
    static let evening: Int64 = 1_795_291_200_000
    static let started = "2026-11-21T20:00:00Z"

    let folder: String
    var parts: [EveningSound.Part] = []

    init() throws {
        folder = NSTemporaryDirectory() + "baton-evening-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder + "/Models", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var modelsFolder: String { folder + "/Models" }

    func copyModel(_ piece: String) throws {
        try FileManager.default.copyItem(
            atPath: Repository.root.appending(path: "Models/\(piece)").path,
            toPath: modelsFolder + "/" + piece)
    }

    func modelBytes(_ piece: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: "\(modelsFolder)/\(piece)/model.json"))
    }

    /// The samples of a recording of the small concert, at 22,050 Hz.
    static func samples(_ piece: String, _ performance: String) throws -> [Float] {
        let path = Repository.root.appending(path: "Recordings/\(piece)/\(performance)/audio.ogg").path
        return try SoundFileReader(path: path).readAll()
    }

    static func measures(_ piece: String, _ performance: String) throws -> [Double] {
        let path = Repository.root.appending(path: "Recordings/\(piece)/\(performance)/measures.csv").path
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
            .compactMap { $0.split(separator: ",").last.flatMap { Double($0) } }
    }

    /// Some seconds of a hall in which nobody plays.
    static func noise(seconds: Double) -> [Float] {
        var state: UInt32 = 1
        return (0..<Int(seconds * 22_050)).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return (Float(state >> 8) / Float(1 << 23) - 1) * 0.002
        }
    }

    /// Adds a part of the recording.
    /// - Parameter second: the time of the show at its first sample; nil for a recording without a show.
    func addPart(_ samples: [Float], at second: Double?, clockError: Int64 = 0) throws {
        let number = parts.count + 1
        let path = "\(folder)/part-\(number).flac"
        let writer = try SoundFileWriter(path: path, rate: SampleRate(hertz: 22_050))
        try writer.write(samples)
        try writer.close()
        let milliseconds = second.map { Int64($0 * 1_000) }
        parts.append(
            EveningSound.Part(
                number: number, path: path, startedAt: Self.evening + (milliseconds ?? 0) + clockError,
                showTime: milliseconds, seconds: Double(samples.count) / 22_050))
    }

    var sound: EveningSound { EveningSound(name: Self.name, parts: parts) }

    /// A moment of the script: a played measure of a piece of the programme, in seconds of the show.
    typealias Entry = (second: Double, piece: Int, played: Int)

    /// Writes the log of a show of the given pieces, in which the follower reported these measures.
    func writeLog(
        _ entries: [Entry], pieces: [String], started: String = EveningStage.started,
        isRehearsal: Bool = false
    ) throws {
        let data = try ServerDataFolder(path: folder + "/data")
        let path = data.showsFolderPath + "/" + Self.name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let writer = try ShowLogWriter(show: path, title: "Rehearsal", started: started)
        let programme = try ShowProgramme(
            title: "Rehearsal",
            pieces: pieces.map { piece in
                let model = try ModelFolder(path: modelsFolder).loadModel(piece).model
                return try ShowPiece(name: model.pieceName, folder: piece, measures: model.measures)
            })
        var podium = Podium(course: programme)
        let recorder = ShowRecorder(writer: writer, continues: false)
        if isRehearsal {
            _ = recorder.applyAndRecord(
                .command(
                    try PodiumCommand(words: ["rehearsal", "on"]),
                    by: CommandSender(name: "Ada", role: .technician)), by: &podium,
                at: ShowTime(milliseconds: 0))
        }
        for entry in entries {
            if podium.state.piece != entry.piece {
                _ = recorder.applyAndRecord(
                    .command(
                        try PodiumCommand(words: ["piece", "\(entry.piece + 1)"]),
                        by: CommandSender(name: "Ada", role: .technician)), by: &podium,
                    at: ShowTime(milliseconds: Int64(entry.second * 1_000)))
            }
            _ = recorder.applyAndRecord(
                .followerReport(
                    FollowerReport(
                        piece: entry.piece, position: .init(played: entry.played, fraction: 0.02),
                        printed: programme.pieces[entry.piece].measures.marks[entry.played].printed, tempo: 1,
                        confidence: 0.97, state: .following, order: podium.state.order)), by: &podium,
                at: ShowTime(milliseconds: Int64(entry.second * 1_000)))
        }
        _ = recorder.recordShowEnd(
            at: ShowTime(milliseconds: Int64((entries.last?.second ?? 0) * 1_000) + 500))
    }

    var log: EveningLog { EveningLog(of: sound, showsFolder: folder + "/data/shows") }

    func reference(onlyChecks: Bool = false) -> EveningReference {
        let console = PreparationConsole { _, _ in }
        return EveningReference(
            sound: sound, log: log, modelsFolder: modelsFolder, onlyChecks: onlyChecks, console: console,
            cleanup: PreparationCleanup(console: console))
    }
}
