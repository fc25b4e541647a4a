import Following
import Foundation
import Platform
import Podium
import Synchronization
import Testing

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ScoreLibrary
@testable import ShowStages
@testable import TestHelpers

@Suite(.ownThreads) struct ServeCheckTests {
    private func hearing(
        rms: [Double] = [0.1], after: SoundSourceStatus = SoundSourceStatus(), recognised: Double = 30,
        obstacle: ListeningCheck.SearchObstacle? = nil
    ) -> ListeningCheck {
        var heard = ListeningCheck(inputStatusBefore: SoundSourceStatus(), plannedListeningSeconds: 30)
        for rms in rms { heard.recordLevel(rms: rms) }
        heard.inputStatusAfter = after
        heard.recognisedSeconds = recognised
        heard.searchObstacle = obstacle
        return heard
    }

    @Test func aHeardInputPasses() {
        #expect(
            hearing().inputVerdict(named: "room")
                == PreShowCheckVerdict(.pass, "The input is heard: level -20 dB, floor -20 dB."))
    }

    @Test func aSilentInputFails() {
        let verdict = hearing(rms: [0, 0, 0]).inputVerdict(named: "room")
        #expect(verdict.kind == .fail && verdict.sentence.contains("cable"))
    }

    @Test func aClippedInputWarns() {
        let verdict = hearing(after: SoundSourceStatus(clippedSamples: 1)).inputVerdict(named: "room")
        #expect(verdict.kind == .warn && verdict.sentence.contains("turn it down"))
    }

    @Test func aQuietInputWarns() {
        #expect(hearing(rms: [0.001]).inputVerdict(named: "room").kind == .warn)
    }

    @Test func anInputThatIsGoneFailsWithItsName() {
        let verdict = hearing(after: SoundSourceStatus(isLost: true, failureReason: "unplugged"))
            .inputVerdict(
                named: "room")
        #expect(
            verdict.kind == .fail && verdict.sentence.contains("room")
                && verdict.sentence.contains("unplugged"))
    }

    @Test func missedSamplesFail() {
        #expect(hearing().lostSamplesVerdict.kind == .pass)
        #expect(hearing(after: SoundSourceStatus(overruns: 1)).lostSamplesVerdict.kind == .fail)
        #expect(hearing(after: SoundSourceStatus(deviceLosses: 1)).lostSamplesVerdict.kind == .fail)
    }

    @Test func aPieceThatIsNotRecognisedFailsUnlessNobodyAskedForIt() {
        #expect(hearing(recognised: 5).recognitionVerdict.kind == .pass)
        #expect(hearing(recognised: 4).recognitionVerdict.kind == .fail)
        #expect(hearing(recognised: 4, obstacle: .playing).recognitionVerdict.kind == .warn)
        let locked = hearing(recognised: 0, obstacle: .locked).recognitionVerdict
        #expect(locked.kind == .warn && locked.sentence.contains("unlock"))
    }

    private func run(
        _ stage: ServeStage, input: [SoundSourceStatus], seconds: Double = 0.5
    ) async throws -> [String: PreShowCheckSection.Item] {
        let sections = Mutex<[PreShowCheckSection]>([])
        let check = madeCheck(stage, input: input, seconds: seconds) { section in
            sections.withLock { $0.append(section) }
        }
        #expect(check.start())
        _ = await stage.wait {
            sections.withLock { $0.last.map { !$0.running && $0.progress == 1 } ?? false }
        }
        let all = sections.withLock { $0 }
        #expect(all.first.map { !$0.running && $0.items.isEmpty } == true)
        #expect(all.dropFirst().first?.items.allSatisfy { $0.state == "running" } == true)
        let last = try #require(all.last)
        #expect(!last.running && last.progress == 1)
        #expect(last.items.allSatisfy { $0.state != "running" && $0.sentence.hasSuffix(".") })
        return Dictionary(uniqueKeysWithValues: last.items.map { ($0.id, $0) })
    }

    @Test func theMusicHasStoppedWhenNothingWasFollowedForSomeSeconds() {
        var watch = MusicStopWatch(secondsNeeded: 3)
        var live = 0.0
        func hear(_ state: FollowerState, seconds: Double, isSilent: Bool = false, isStuck: Bool = false)
            -> Bool
        {
            for _ in 0..<Int(seconds * 10) {
                if !isStuck { live += 0.1 }
                watch.takeReport(
                    ConcertReport(
                        pieceIndex: 0, positionReport: madeReport(2, state: state, live: live),
                        isSilent: isSilent),
                    afterSeconds: 0.1)
            }
            return watch.hasMusicStopped
        }
        #expect(!hear(.following, seconds: 60))
        #expect(!hear(.coasting, seconds: 2.5))
        #expect(!hear(.following, seconds: 1))
        #expect(!hear(.lost, seconds: 2.5))
        #expect(hear(.waiting, seconds: 1))
        #expect(!hear(.following, seconds: 1))
        #expect(hear(.following, seconds: 3.2, isSilent: true))
        #expect(!hear(.following, seconds: 1))
        #expect(hear(.following, seconds: 3.2, isStuck: true))
    }

    @Test func allItemsEndWithASentence() async throws {
        let stage = try ServeStage()
        try stage.start()
        stage.lane.newestReport.deliver(
            StampedReport(
                concertReport: ConcertReport(pieceIndex: 0, positionReport: madeReport(2)),
                publishedAt: MonotonicClock.now
            ))
        let items = try await run(stage, input: [SoundSourceStatus(rms: 0.1)])
        #expect(items["input"]?.state == "pass" && items["xruns"]?.state == "pass")
        #expect(items["match"]?.state == "pass" && items["disk"]?.state != "running")
        for id in ["multicast", "osc", "mqtt", "backup"] { #expect(items[id]?.state == "skipped") }
    }

    @Test func cuesThatCannotBeSentAreFoundBeforeTheShow() async throws {
        var lights = madeCue("Lights", at: 3, kind: .osc)
        (lights.target, lights.payload) = ("127.0.0.1:9120", "/baton/blackout 1")
        for (cues, state) in [([lights], "fail"), ([madeCue("Note", at: 1)], "pass"), ([], "skipped")] {
            let stage = try ServeStage(madeCourse(cues))
            try stage.start()
            let items = try await run(stage, input: [SoundSourceStatus(rms: 0.1)])
            #expect(items["cues"]?.state == state, "\(items["cues"]?.sentence ?? "")")
            if state == "fail" { #expect(items["cues"]?.sentence.contains("“Lights”") == true) }
        }
    }

    @Test func aSilentHallFailsTwice() async throws {
        let stage = try ServeStage()
        try stage.start()
        let items = try await run(stage, input: [SoundSourceStatus()])
        #expect(items["input"]?.state == "fail" && items["match"]?.state == "fail")
    }

    @Test func scoresWhoseNumbersAreNotThePiecesWarn() {
        #expect(
            Library.measureNumberVerdict(on: (2, ["“Elise”, 1 to 105.", "More."]))
                == PreShowCheckVerdict(.warn, "“Elise”, 1 to 105. So in 1 more; see the library."))
        #expect(Library.measureNumberVerdict(on: (2, [])).kind == .pass)
        #expect(Library.measureNumberVerdict(on: (0, [])).kind == .skipped)
    }

    @Test func theCheckEndsWhileMusicSoundsAndTheAudienceSeesNothingBeforeTheMusicStops() async throws {
        let stage = try ServeStage()
        try stage.start()
        let isPlaying = Atomic(true)
        async let music: Void = {
            var live = 0.0
            while isPlaying.load(ordering: .relaxed) {
                live += 0.05
                stage.lane.newestReport.deliver(
                    StampedReport(
                        concertReport: ConcertReport(
                            pieceIndex: 0, positionReport: madeReport(2, live: live)),
                        publishedAt: MonotonicClock.now))
                try? await Task.sleep(for: .milliseconds(50))
            }
        }()
        // The second check ends the first one's wait.
        for _ in 0..<2 {
            let items = try await run(stage, input: [SoundSourceStatus(rms: 0.1)])
            #expect(items["state"]?.sentence.contains("Music still sounds") == true)
            #expect(stage.desk.inbox.newestSnapshot.state.check != nil)
        }
        isPlaying.store(false, ordering: .relaxed)
        await music
        #expect(await stage.wait { stage.desk.inbox.newestSnapshot.state.check == nil })
        #expect(stage.desk.inbox.newestSnapshot.state.view != .live)
    }

    /// It lets the follower listen from anywhere, and puts back what it found.
    @Test func theCheckPutsTheShowBackWhereItWas() async throws {
        let stage = try ServeStage()
        try stage.start()
        try await stage.give("piece 2 5").expectDone()
        _ = try await run(stage, input: [SoundSourceStatus(rms: 0.1)])
        // The check is over when its order is obeyed and written.
        #expect(stage.log.contains(#"{"check":true}"#))
        #expect(await stage.wait { stage.log.contains(#"{"check":false}"#) })
        let state = stage.desk.inbox.newestSnapshot.state
        #expect(state.piece == 1 && state.isPlaceKnown && state.position.played == 4)
        #expect(state.check == nil && state.view == .live && state.shown?.played == 4)
    }

    /// A check is green only where nothing that somebody pressed keeps the evening from working.
    @Test(arguments: [
        (["panic"], "fail", "panic"), (["panic", "panic"], "fail", "hard stop"),
        (["blackout on"], "fail", "black"),
        (["freeze on"], "fail", "frozen"), (["pause-all"], "fail", "paused"),
        (["rehearsal on"], "fail", "rehearsal"),
        (["hold"], "fail", "held"), (["lock on"], "warn", "locked"),
        (["intermission on"], "warn", "intermission"),
        (["auto-advance off"], "warn", "by itself"), (["take"], "warn", "baton"), ([], "pass", "Nothing"),
    ])
    func theCheckNamesEveryStateThatKeepsTheEveningFromWorking(
        commands: [String], state: String, word: String
    ) async throws {
        let stage = try ServeStage()
        try stage.start()
        for words in commands { try await stage.give(words).expectDone() }
        let item = try #require(
            try await run(stage, input: [SoundSourceStatus(rms: 0.1)], seconds: 0.1)["state"])
        #expect(item.state == state && item.sentence.lowercased().contains(word.lowercased()), "\(item)")
        #expect(item.sentence.hasSuffix("The show goes on with piece 1, “Made, Melody: 1”."))
    }

    @Test func aLockedShowIsNotTouched() async throws {
        let stage = try ServeStage()
        try stage.start()
        try await stage.give("lock on").expectDone()
        let items = try await run(stage, input: [SoundSourceStatus(rms: 0.1)])
        #expect(items["match"]?.state == "warn")
        #expect(stage.log.contains("locked") && stage.desk.inbox.newestSnapshot.state.check == nil)
    }

    /// The sound that the follower hears during the check does not reach the audience.
    @Test func nothingThatIsHeardInTheCheckGoesToTheAudience() async throws {
        let stage = try ServeStage(madeCourse([madeCue("Lights", at: 2)]))
        try stage.start()
        await stage.desk.inbox.submitEvent(.setPreShowCheck(true)).expectDone()
        for played in 0...3 {
            stage.hear(played)
            #expect(await stage.waitForMeasure(played))
        }
        #expect(stage.desk.inbox.newestSnapshot.state.check != nil)
        await stage.desk.inbox.submitEvent(.setPreShowCheck(false)).expectDone()
        #expect(stage.desk.inbox.newestSnapshot.state.check == nil)
        #expect(
            !stage.output.told.contains {
                switch $0.effect {
                case .showPosition, .fireCue: true
                default: false
                }
            })
        #expect(stage.desk.inbox.newestSnapshot.state.position.played == 0)
    }

    /// The technician begins the concert although the check still runs.
    @Test func aCommandEndsTheCheckAndStays() async throws {
        let stage = try ServeStage()
        try stage.start()
        let check = madeCheck(stage, seconds: 0.4)
        #expect(check.start())
        #expect(await stage.wait { stage.desk.inbox.newestSnapshot.state.check != nil })
        try await stage.give("goto 6").expectDone()
        #expect(await stage.wait { stage.log.contains(#"{"check":false}"#) })
        let state = stage.desk.inbox.newestSnapshot.state
        #expect(state.position.played == 5 && state.view == .live && state.holder == .technician("anna"))
    }
}
