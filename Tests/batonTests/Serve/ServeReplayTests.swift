import ArgumentParser
import Foundation
import Podium
import Testing

@testable import baton
@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

@Suite(.ownThreads) struct ServeReplayTests {
    /// A short show, and the folder of its log.
    private func played() async throws -> (ServeStage, String) {
        let stage = try ServeStage(madeCourse([madeCue("Lights", at: 2)]))
        try stage.start()
        for played in 0..<4 {
            stage.hear(played)
            #expect(await stage.waitForMeasure(played))
        }
        try await stage.give("take")
        try await stage.give("goto 7")
        try await stage.give("choose 1")
        stage.stop()
        return (stage, stage.show.recorder.writer.showFolder)
    }

    @Test func aLogHappensAgainWithoutDifference() async throws {
        let (stage, show) = try await played()
        #expect(
            ShowLogReplayComparison.isShowLogFolder(show)
                && !ShowLogReplayComparison.isShowLogFolder(stage.folder.path))
        try ShowLogReplayComparison(show, json: true).run()
        try ShowLogReplayComparison(show, json: false).run()
    }

    @Test func aLogThatWasChangedIsNoticed() async throws {
        let (stage, show) = try await played()
        let file = show + "/log-0001.jsonl"
        let text = stage.log
        // The audience was shown another measure than the events lead to.
        let changed = text.replacingOccurrences(of: "\"printed\":7", with: "\"printed\":8")
        #expect(changed != text)
        try changed.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: (any Error).self) { try ShowLogReplayComparison(show, json: true).run() }
    }

    @Test func aFolderWithoutALogIsRefused() throws {
        let folder = try ServeFolder()
        #expect(throws: (any Error).self) { try ShowLogReplayComparison(folder.path, json: false).run() }
    }
}
