import ArgumentParser
import Basics
import Foundation
import Hosting
import Podium
import ShowLog

/// `baton replay SHOW` runs the events of a show log again and compares the effects with the log.
struct ShowLogReplayComparison {
    private let showFolder: String
    private let isJSON: Bool

    /// True if the path is the folder of a show log.
    static func isShowLogFolder(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "/log-0001.jsonl")
    }

    init(_ show: String, json: Bool) {
        self.showFolder = show
        isJSON = json
    }

    /// Prints the effects of each event, and differences from the log.
    /// - Throws: if the log cannot be read or is damaged, or if there is any difference.
    func run() throws {
        var replay = try ShowReplay(show: showFolder, whenDamaged: .skipAndRecord)
        var shown = 0
        while let step = try replay.replayNextLine() {
            if isJSON {
                guard !step.replayedEffectsJSON.isEmpty else { continue }
                let effects = String(decoding: step.replayedEffectsJSON, as: UTF8.self)
                print("{\"t\":\(step.time.milliseconds),\"x\":\(effects)}")
            } else if let podium = replay.podium {
                for case .showPosition(let position) in step.replayedEffects {
                    shown += 1
                    let name = podium.course.pieces[position.piece].name
                    print(
                        "\(clockText(step.time))  \(name)  \(position.printed)  (\(position.epoch), "
                            + "\(podium.state.holder.kind))"
                    )
                }
            }
        }
        for difference in replay.differences.prefix(20) { printToStandardError(difference.sentence + "\n") }
        for damage in replay.damage.prefix(20) { printToStandardError(damage.sentence + "\n") }
        printToStandardError(
            "\(replay.comparedLineCount) lines compared, \(replay.differences.count) differ, "
                + "\(replay.damage.count) damaged, \(replay.lostLineCount) lost.\n")
        guard replay.comparedLineCount > 0 else {
            throw ExplainedError(
                "“\(showFolder)” holds no readable line of a show log; name DATA/shows/SHOW.")
        }
        // A damaged line was skipped, so the replay proves nothing and counts as failed.
        guard replay.differences.isEmpty, replay.damage.isEmpty else { throw ExitCode.failure }
    }

    private func clockText(_ time: ShowTime) -> String {
        let tenths = time.milliseconds / 100
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(tenths / 36_000)):\(two(tenths / 600 % 60)):\(two(tenths / 10 % 60)).\(tenths % 10)"
    }
}
