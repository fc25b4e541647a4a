import Foundation
import Platform
import Podium
import Synchronization
import Testing

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

@Suite(.ownThreads) struct ShowDeskTests {
    @Test func aCommandIsInTheLogBeforeItsEffectsReachAnOutput() async throws {
        let stage = try ServeStage()
        try stage.start()
        try await stage.give("goto 3")
        try await stage.give("message Hello everybody")
        let told = stage.output.told
        #expect(told.contains { if case .showPosition = $0.effect { true } else { false } })
        #expect(told.contains { if case .showMessage = $0.effect { true } else { false } })
        for told in told {
            let effect = try json(told.effect)
            #expect(told.log.contains(effect), "\(effect) left before it was written")
        }
    }

    @Test func aRefusedCommandAnswersWithItsSentenceAndChangesNothing() async throws {
        let stage = try ServeStage()
        try stage.start()
        let before = stage.desk.inbox.newestSnapshot.state
        guard case .refused(let refusal, let epoch) = try await stage.give("choose 1") else {
            Issue.record("“choose 1” was obeyed without candidates")
            return
        }
        #expect(refusal.code == .noCandidate && refusal.sentence.hasSuffix(".") && epoch == before.epoch)
        #expect(stage.desk.inbox.newestSnapshot.state == before)
        #expect(stage.log.contains(refusal.sentence))
    }

    @Test func aCommandWithAnOldEpochIsRefused() async throws {
        let stage = try ServeStage()
        try stage.start()
        let old = stage.desk.inbox.newestSnapshot.state.epoch
        await stage.desk.inbox.submitEvent(
            .command(.takeBaton, by: CommandSender(name: "bert", role: .technician), epoch: nil)
        ).expectDone()
        guard case .refused(let refusal, _) = try await stage.give("take", epoch: old) else {
            Issue.record("an old epoch was obeyed")
            return
        }
        #expect(refusal.code == .oldEpoch)
    }

    @Test func whoeverIsAnsweredReadsTheNewState() async throws {
        let stage = try ServeStage()
        try stage.start()
        for measure in [2, 7, 1, 5, 3, 8] {
            try await stage.give("goto \(measure)").expectDone()
            #expect(stage.desk.inbox.newestSnapshot.state.position.played == measure - 1)
            #expect(stage.output.shownStates.last?.position.played == measure - 1)
        }
    }

    @Test func reportsAndCommandsAreTakenInTheOrderTheyCome() async throws {
        let stage = try ServeStage()
        try stage.start()
        // Under way, so that the end of the hold does not look for the beginning.
        try await stage.give("begin").expectDone()
        stage.hear(1)
        #expect(await stage.waitForMeasure(1))
        try await stage.give("hold").expectDone()
        stage.hear(2)
        #expect(await stage.wait { stage.desk.inbox.newestSnapshot.state.follower?.position?.played == 2 })
        #expect(stage.desk.inbox.newestSnapshot.state.position.played == 1)
        try await stage.give("resume").expectDone()
        #expect(await stage.waitForMeasure(2))
        let events = stage.log.split(separator: "\n").compactMap { line in
            ["\"report\"", "\"hold\"", "\"resume\""].first { line.contains("\"e\":") && line.contains($0) }
        }
        #expect(events == ["\"report\"", "\"hold\"", "\"report\"", "\"resume\""])
    }

    @Test func manyCommandsAtOnceAreAllObeyedAndWrittenOnce() async throws {
        let stage = try ServeStage()
        try stage.start()
        let done = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...200 {
                group.addTask {
                    if case .done = try await stage.give("note number-\(number)-") { true } else { false }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(done == 200)
        let log = stage.log
        for number in 1...200 {
            #expect(log.components(separatedBy: "number-\(number)-").count == 2)
        }
    }

    @Test func wordsMadeBeforeAnOrderAreIgnored() async throws {
        let stage = try ServeStage()
        try stage.start()
        stage.hear(1)
        #expect(await stage.waitForMeasure(1))
        let old = stage.desk.inbox.newestSnapshot.state.order
        try await stage.give("bar-is-now p:5").expectDone()
        let new = stage.desk.inbox.newestSnapshot.state.order
        #expect(new > old)
        stage.hear(2, order: old)
        stage.hear(6, order: new)
        #expect(await stage.waitForMeasure(6))
        #expect(!stage.output.shownStates.contains { $0.position.played == 2 })
    }

    /// The lane itself: what it says after an order carries the order's number, and the desk believes it.
    @Test func aLaneThatWasAnchoredIsBelievedAgain() async throws {
        let stage = try ServeStage()
        try stage.start()
        try await stage.give("piece 2 unknown").expectDone()
        let order = stage.desk.inbox.newestSnapshot.state.order
        let lane = stage.lane
        let follow = try RealTimeThread(name: "follow", priority: nil) { lane.run(until: $0) }
        let samples = LiveFolder.melody(seed: 2, seconds: 0.2)
        samples.withUnsafeBufferPointer { _ = lane.ring.write($0, capturedAt: MonotonicClock.now) }
        lane.samplesArrived.ring()
        #expect(await stage.wait { lane.newestReport.latestValue()?.newestCompletedOrderNumber == order })
        #expect(await stage.wait { stage.desk.inbox.newestSnapshot.state.follower?.piece == 1 })
        follow.stop()
    }

    @Test func aServerThatDoesNotLeadTakesNothing() async throws {
        let stage = try ServeStage(isActiveServer: false)
        try stage.start()
        let log = stage.log
        guard case .notActiveServer = try await stage.give("take") else {
            Issue.record("a backup took a command")
            return
        }
        stage.desk.inbox.post(.fault(TechnicalFault(id: "input", sentence: "Gone.")))
        stage.hear(3)
        #expect(await stage.wait { stage.desk.inbox.newestSnapshot.newestReport != nil })
        #expect(stage.log == log && stage.output.told.isEmpty)
        #expect(stage.desk.inbox.newestSnapshot.state.faults.isEmpty)
    }

    /// A server that stepped down may not act any more, and has to learn that it does not lead.
    @Test func theLeadEndsEvenWhereNothingMayLeave() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let flag = Flag()
            let stage = try ServeStage(mayAct: { flag.isOn })
            try stage.start()
            try await stage.give("goto 2").expectDone()
            flag.isOn = false
            group.addTask {
                guard case .notActiveServer = try await stage.give("goto 5") else {
                    Issue.record("a command was obeyed after it had stepped down")
                    return
                }
            }
            #expect(await stage.wait { stage.desk.inbox.waitingCount == 1 })
            stage.desk.queueStateChange { $0.isActiveServer = false }
            #expect(await stage.wait { !stage.desk.inbox.newestSnapshot.isActiveServer })
            #expect(stage.desk.inbox.newestSnapshot.state.position.played == 1)
            try await group.waitForAll()
        }
    }

    @Test func whatIsWantedWhileNothingIsCertainIsDoneAfterwards() async throws {
        let flag = Flag()
        flag.isOn = false
        let stage = try ServeStage(mayAct: { flag.isOn })
        try stage.start()
        async let answer = stage.give("goto 4")
        #expect(await stage.wait { stage.desk.inbox.waitingCount == 1 })
        // The desk turns twice with the command before it.
        let looks = flag.looks
        #expect(await stage.wait { flag.looks >= looks + 2 })
        #expect(stage.output.told.isEmpty)
        flag.isOn = true
        try await answer.expectDone()
        #expect(stage.desk.inbox.newestSnapshot.state.position.played == 3)
    }

    @Test func nobodyIsLeftWaitingWhenTheDeskEnds() async throws {
        let flag = Flag()
        flag.isOn = false
        let stage = try ServeStage(mayAct: { flag.isOn })
        try stage.start()
        async let answer = stage.give("goto 4")
        #expect(await stage.wait { stage.desk.inbox.waitingCount == 1 })
        stage.stop()
        for answer in [try await answer, try await stage.give("goto 5")] {
            guard case .notActiveServer = answer else {
                Issue.record("a command was obeyed by a desk that had ended")
                return
            }
        }
    }

    @Test func twoEditsOfTwoPiecesAreBothKept() async throws {
        let stage = try ServeStage()
        try stage.start()
        let lists = try (0..<2).map { try CueList([madeCue("of \($0)", at: 1)], measureCount: 8) }
        async let first = stage.desk.inbox.submitCueList(lists[0], ofPiece: 0)
        async let second = stage.desk.inbox.submitCueList(lists[1], ofPiece: 1)
        await first.expectDone()
        await second.expectDone()
        let course = stage.desk.inbox.newestSnapshot.programme
        #expect(course.pieces.map { $0.cues.cues.map(\.name) } == [["of 0"], ["of 1"]])
    }

    /// A log fault of an earlier server does not concern this one.
    @Test func aLogFaultOfAnEarlierLeaderIsOver() async throws {
        let stage = try ServeStage(isActiveServer: false)
        try stage.start()
        let clock = stage.show.clock
        stage.desk.queueStateChange { engineState in
            engineState.isActiveServer = true
            engineState.applyEvent(
                .fault(TechnicalFault(id: ShowEngine.logFaultID, sentence: "The disk is full.")),
                at: clock.now)
        }
        #expect(
            await stage.wait {
                stage.desk.inbox.newestSnapshot.state.faults.first { $0.id == ShowEngine.logFaultID }?.isOver
                    == true
            })
    }
}

/// A switch between a test and the threads it tests.
final class Flag: Sendable {
    private let held = Mutex((isOn: true, looks: 0))

    var isOn: Bool {
        get {
            held.withLock { held in
                held.looks += 1
                return held.isOn
            }
        }
        set { held.withLock { $0.isOn = newValue } }
    }

    /// The number of times that somebody has looked.
    var looks: Int { held.withLock(\.looks) }
}

extension ShowInbox {
    fileprivate var waitingCount: Int { waitingJobs.withLock(\.jobs.count) }
}
