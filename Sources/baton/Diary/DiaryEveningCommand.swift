import ArgumentParser
import Basics
import Diary
import DiaryKeeping
import Foundation
import Hosting
import ShowLog

/// `baton diary evening SHOW` prints the entry that a show's log gives.
struct DiaryEveningCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evening",
        abstract: "Prints the entry that the log of a show gives, as JSON.",
        discussion: """
            The log is replayed, and nothing else is read: the same log gives the same entry, byte for byte. \
            SHOW is a folder such as Data/shows/2026-11-21-200000-concert.
            """)

    @Argument(help: "The folder of a show.", completion: .directory) var show: String
    @Option(help: "The time zone of the hall, such as Europe/Vienna; this machine's unless given.")
    var timeZone: String?
    @Option(help: "2 for the second time that the concert was given in this show, and so on.") var run = 1
    @Flag(help: "Print what was played with all its bars, not the entry.") var account = false

    func run() async throws {
        try await printingErrors(as: "diary evening") {
            var zone = TimeZone.current
            if let timeZone {
                guard let named = TimeZone(identifier: timeZone) else {
                    throw ExplainedError(
                        "“\(timeZone)” is no time zone; use a name such as Europe/Vienna.")
                }
                zone = named
            }
            let runs = try EveningAccount.runs(ofShow: show)
            guard runs.indices.contains(run - 1) else {
                throw ExplainedError(
                    "The concert of “\(show)” was given \(runs.count == 1 ? "once" : "\(runs.count) times")."
                )
            }
            let heard = runs[run - 1]
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            if account {
                print(String(decoding: try encoder.encode(heard), as: UTF8.self))
                return
            }
            guard let entry = EveningEntry(heard, timeZone: zone) else {
                throw ExplainedError("Nothing was played in “\(show)”, so it has no entry.")
            }
            print(String(decoding: try encoder.encode(entry.programme), as: UTF8.self))
        }
    }
}
