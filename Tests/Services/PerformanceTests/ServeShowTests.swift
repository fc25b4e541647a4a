import Foundation
import Podium
import ShowLog
import Testing

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

@Suite(.ownThreads) struct ServeShowTests {
    private func open(_ course: ShowProgramme, _ folder: ServeFolder, new: Bool = false) throws -> OpenedShow
    {
        try OpenedShow.open(course, in: ServerDataFolder(path: folder.path), new: new, forward: { _, _ in })
    }

    /// A show that stands in measure 5, and is then left as a killed server leaves it.
    @discardableResult
    private func incomplete(_ course: ShowProgramme, _ folder: ServeFolder) throws -> PodiumState {
        let show = try open(course, folder)
        var podium = show.podium
        for words in [["take"], ["goto", "5"], ["message", "Soon", "we begin"], ["lock", "on"]] {
            let command = try PodiumCommand(words: words)
            _ = show.recorder.applyAndRecord(
                .command(command, by: ServeStage.anna), by: &podium, at: show.clock.now)
        }
        _ = show.recorder.recordTraffic(PacketAndClientCounts(packets: 321, clients: [:]), at: show.clock.now)
        return podium.state
    }

    @Test func aNewFolderBeginsAShow() throws {
        let folder = try ServeFolder()
        let show = try open(madeCourse(), folder)
        #expect(!show.isContinued && show.startPacketNumber == 0 && show.newShowReason == nil)
        #expect(show.recorder.writer.showFolder.hasSuffix("-made"))
    }

    @Test func aShowThatWasBrokenOffGoesOnWhereItWas() throws {
        let folder = try ServeFolder()
        let state = try incomplete(madeCourse(), folder)
        let show = try open(madeCourse(), folder)
        #expect(show.isContinued && show.newShowReason == nil)
        #expect(show.podium.state == state)
        #expect(state.position.played == 4 && state.message?.title == "Soon" && state.isLocked)
        // More than can have left since they were counted.
        #expect(show.startPacketNumber > 321)
        #expect(show.clock.now >= state.positionAt)
    }

    @Test func editedCuesOfAShowThatGoesOnAreKept() throws {
        let folder = try ServeFolder()
        let first = try open(madeCourse(), folder)
        var podium = first.podium
        let edited = try madeCourse([madeCue("Lights", at: 3)])
        _ = first.recorder.applyAndRecord(.programmeChanged(edited), by: &podium, at: first.clock.now)
        #expect(try open(madeCourse(), folder).podium.course == edited)
    }

    @Test func aShowThatNeverBeganLeavesNothingBehind() throws {
        let folder = try ServeFolder()
        let show = try open(madeCourse(), folder)
        show.deleteUnstartedShow()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/shows").isEmpty)
    }

    @Test func aShowThatGoesOnIsNeverDiscarded() throws {
        let folder = try ServeFolder()
        let state = try incomplete(madeCourse(), folder)
        try open(madeCourse(), folder).deleteUnstartedShow()
        #expect(try open(madeCourse(), folder).podium.state == state)
    }

    @Test func aNewShowKnowsTheProgrammeOfTheLastOneWhetherThatEndedOrNot() throws {
        let other = try ShowProgramme(title: "Other", pieces: [madeCourse().pieces[0]])
        for ends in [true, false] {
            for new in [true, false] {
                let folder = try ServeFolder()
                let last = try open(other, folder)
                if ends { _ = last.recorder.recordShowEnd(at: last.clock.now) }
                let show = try open(madeCourse(), folder, new: new)
                #expect(!show.isContinued)
                #expect(show.previousProgramme == other, "ended: \(ends), --new: \(new)")
            }
        }
        let first = try open(madeCourse(), ServeFolder())
        #expect(first.previousProgramme == nil)
    }

    @Test func aShowThatEndedIsNotContinued() throws {
        let folder = try ServeFolder()
        let first = try open(madeCourse(), folder)
        _ = first.recorder.recordShowEnd(at: first.clock.now)
        #expect(try !open(madeCourse(), folder).isContinued)
    }

    @Test func whoAsksForANewShowGetsOne() throws {
        let folder = try ServeFolder()
        try incomplete(madeCourse(), folder)
        let show = try open(madeCourse(), folder, new: true)
        #expect(!show.isContinued && show.podium.state.position.played == 0)
    }

    @Test func anotherProgrammeBeginsANewShowAndSaysSo() throws {
        let folder = try ServeFolder()
        try incomplete(madeCourse(), folder)
        let other = try ShowProgramme(title: "Other", pieces: [madeCourse().pieces[1]])
        let show = try open(other, folder)
        #expect(!show.isContinued && show.newShowReason?.contains("another programme") == true)
    }

    @Test func afterMoreThanSixHoursANewShowBegins() throws {
        let folder = try ServeFolder()
        try incomplete(madeCourse(), folder)
        try age(folder, hours: 5.9)
        #expect(try open(madeCourse(), folder).isContinued)
        try age(folder, hours: 6.1)
        let show = try open(madeCourse(), folder)
        #expect(!show.isContinued && show.newShowReason?.contains("6 hours") == true)
    }

    /// The time of a show goes on while nobody serves it.
    @Test func theClockCountsThePause() throws {
        let folder = try ServeFolder()
        let state = try incomplete(madeCourse(), folder)
        try age(folder, hours: 1)
        let show = try open(madeCourse(), folder)
        #expect(show.clock.now.milliseconds - state.positionAt.milliseconds >= 3_599_000)
    }

    /// As the folder is found after the machine was started anew: how long ago that was the files' dates alone tell.
    private func age(_ folder: ServeFolder, hours: Double) throws {
        let date = Date().addingTimeInterval(-hours * 3600)
        let shows = folder.path + "/shows"
        for name in FileManager.default.enumerator(atPath: shows)!.compactMap({ $0 as? String }) {
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: shows + "/" + name)
        }
        for show in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/shows") {
            try? FileManager.default.removeItem(atPath: folder.path + "/shows/\(show)/newest")
        }
    }

    /// While the machine has not been started anew, its uptime tells, whatever is done to the clock.
    @Test func aClockThatJumpsByYearsDoesNotEndTheShow() throws {
        let folder = try ServeFolder()
        let state = try incomplete(madeCourse(), folder)
        for show in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/shows") {
            let log = folder.path + "/shows/\(show)/log-0001.jsonl"
            for file in [log, folder.path + "/shows/\(show)/newest"] {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -10 * 365 * 86_400)], ofItemAtPath: file)
            }
        }
        let show = try open(madeCourse(), folder)
        #expect(show.isContinued && show.logDamageSentences.isEmpty)
        #expect(show.clock.now.milliseconds - state.positionAt.milliseconds < 60_000)
    }
}
