import Basics
import Following
import Foundation
import Testing

@testable import Hosting
@testable import Performance
@testable import ShowStages

@Suite struct ReplayAtOnceTests {
    private let folder: LiveFolder
    private let programme: ConcertProgramme

    init() throws {
        folder = try LiveFolder()
        programme = try LiveFolder.programme(seeds: [1, 3], seconds: 5)
    }

    private func paths() throws -> [String] {
        [
            try folder.melody("first.wav", seed: 1, seconds: 5),
            try folder.melody("second.wav", seed: 3, seconds: 5),
        ]
    }

    /// All that would be written, in all forms.
    private func text(_ playlist: RecordingPlaylist, block: Int, seconds: Double? = nil) throws -> String {
        var replay = FastReplay(playlist: playlist, startPosition: .beginning, limitSeconds: seconds)
        replay.blockSamples = block
        var out = ""
        _ = try replay.replayPlaylist(LiveFolder.concert(programme), while: { true }) { said in
            for form in [ReportFileFormat.commaSeparated, .jsonLines, .benchmark] {
                out += form.formatReport(said.positionReport, piece: "piece-\(said.pieceIndex)")
            }
        }
        return out
    }

    @Test func theSameInputGivesTheSameBytes() throws {
        let playlist = try RecordingPlaylist(paths: paths(), channel: .meanOfAllChannels, repetitions: 2)
        let expected = try text(playlist, block: 4096)
        #expect(try text(playlist, block: 4096) == expected)
        for block in [64, 441] { #expect(try text(playlist, block: block) == expected, "blocks of \(block)") }
    }

    @Test func itEndsWhereItIsTold() throws {
        let playlist = try RecordingPlaylist(paths: paths(), channel: .meanOfAllChannels, repetitions: nil)
        let replay = FastReplay(playlist: playlist, startPosition: .beginning, limitSeconds: 40)
        var last: ConcertReport?
        let heard = try replay.replayPlaylist(LiveFolder.concert(programme), while: { true }) { last = $0 }
        #expect(heard.count == 40 * 11_025)
        #expect(last?.positionReport.liveTime.seconds == 40)
    }

    @Test func eachTurnBeginsAnew() throws {
        let playlist = try RecordingPlaylist(paths: paths(), channel: .meanOfAllChannels, repetitions: 3)
        var beginnings = 0
        var piece: Int?
        _ = try FastReplay(playlist: playlist, startPosition: .beginning).replayPlaylist(
            LiveFolder.concert(programme), while: { true }
        ) { said in
            if piece != 0, said.pieceIndex == 0 { beginnings += 1 }
            piece = said.pieceIndex
        }
        #expect(beginnings == 3)
    }

    @Test func itStopsWhenNobodyWantsMore() throws {
        let playlist = try RecordingPlaylist(paths: paths(), channel: .meanOfAllChannels, repetitions: nil)
        var blocks = 0
        let heard = try FastReplay(playlist: playlist, startPosition: .beginning).replayPlaylist(
            LiveFolder.concert(programme),
            while: {
                blocks += 1
                return blocks <= 3
            }, report: { _ in })
        #expect(heard.count == 3 * 4096)
    }
}
