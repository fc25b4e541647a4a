import Foundation
import Listening
import Synchronization
import Testing

@testable import Hosting
@testable import Recordings

/// Work on references: in order, one at a time, and nothing that was said is forgotten by a restart.
@Suite struct ReferenceJobTests {
    private func list(_ count: Int) -> ReferenceJobList {
        var list = ReferenceJobList()
        for number in 0..<count {
            _ = list.add(recording: "2026-\(number)", title: "Evening", pieces: ["bach"], by: "Ada", at: 0)
        }
        return list
    }

    private static let result = EveningReferenceResult(
        piece: "bach", name: "Bach: Prelude", reference: "2026", isWritten: true, measures: 35,
        begins: .init(part: 1, seconds: 11), segments: [],
        doubtful: [.init(played: 3, printed: 3, place: .init(part: 1, seconds: 12.5), reasons: ["held"])],
        sentences: ["It was played."])

    @Test func oneJobRunsAndTheOthersWait() {
        var jobs = list(2)
        let first = jobs.beginNext()
        let second = jobs.beginNext()
        #expect(first?.id == "1" && second == nil)
        jobs.finish(trouble: nil)
        let next = jobs.beginNext()
        #expect(next?.id == "2")
    }

    @Test func aJobThatAddedAReferenceIsDone() {
        var jobs = list(1)
        _ = jobs.beginNext()
        jobs.add(.progress(stage: "Listening", share: 0.5))
        #expect(jobs.jobs[0].stage == "Listening" && jobs.jobs[0].share == 0.5)
        jobs.add(.failed(piece: "grieg", sentence: "It was not played."))
        jobs.add(.made(Self.result))
        jobs.finish(trouble: nil)
        #expect(jobs.jobs[0].state == .done && jobs.jobs[0].stage == nil)
        #expect(jobs.jobs[0].results == [Self.result] && jobs.jobs[0].refusals.count == 1)
    }

    @Test func aJobWithoutAResultHasFailed() {
        var jobs = list(1)
        _ = jobs.beginNext()
        jobs.finish(trouble: "It was killed.")
        #expect(jobs.jobs[0].state == .failed && jobs.jobs[0].sentence == "It was killed.")
    }

    @Test func aRunningJobIsInterruptedAndAFinishedOneRemoved() {
        var jobs = list(2)
        _ = jobs.beginNext()
        var wasThere = jobs.interruptOrRemove("1")
        #expect(wasThere && jobs.jobs[0].state == .interrupted)
        wasThere = jobs.interruptOrRemove("1")
        #expect(wasThere && jobs.jobs.map(\.id) == ["2"])
        wasThere = jobs.interruptOrRemove("1")
        #expect(!wasThere)
    }

    @Test func theListIsBounded() {
        var jobs = list(ReferenceJobList.mostWaiting)
        let refused = jobs.add(recording: "x", title: "", pieces: [], by: "", at: 0)
        #expect(refused == nil)
        for _ in 0..<2 * ReferenceJobList.mostFinished {
            _ = jobs.beginNext()
            jobs.finish(trouble: nil)
            _ = jobs.add(recording: "x", title: "", pieces: [], by: "", at: 0)
        }
        #expect(jobs.jobs.filter(\.isOver).count <= ReferenceJobList.mostFinished)
    }

    @Test func eachLineOfTheProgramIsReadAgain() throws {
        for line in [
            ReferenceJobLine.progress(stage: "Searching “Été”", share: nil), .made(Self.result),
            .failed(piece: "bach", sentence: "No."),
        ] {
            let text = String(decoding: try JSONEncoder().encode(line), as: UTF8.self)
            #expect(ReferenceJobLine(text) == line)
        }
        #expect(ReferenceJobLine("warning: something") == nil)
    }
}

/// The runner of a server, with work that the test ends.
@Suite struct ReferenceJobRunnerTests {
    private let folder: String
    private let workshop: ReferenceJobRunner.Workshop

    init() throws {
        folder = NSTemporaryDirectory() + "baton-references-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        workshop = .init(
            program: URL(fileURLWithPath: "/bin/false"), dataFolder: folder, modelsFolder: folder + "/Models")
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// Waits for the next state of the first job that is not one of these.
    private func state(
        of runner: ReferenceJobRunner, after before: Set<ReferenceJob.State>
    ) async -> ReferenceJob.State? {
        while let state = await runner.jobs.first?.state {
            guard before.contains(state) else { return state }
            await Task.yield()
        }
        return nil
    }

    @Test func aJobRunsToItsEndAndItsLinesAreKept() async throws {
        defer { remove() }
        let runner = ReferenceJobRunner(workshop) { job, _, take in
            await take(.failed(piece: job.pieces[0], sentence: "It was not played."))
            return nil
        }
        let run = Task { await runner.run() }
        _ = try await runner.add(recording: "2026", title: "Evening", pieces: ["bach"], by: "Ada")
        #expect(await state(of: runner, after: [.waiting, .running]) == .failed)
        run.cancel()
        await run.value
        let next = ReferenceJobRunner(workshop)
        #expect(await next.jobs.first?.refusals.first?.sentence == "It was not played.")
    }

    @Test func anInterruptedJobIsCancelledAndTheNextBegins() async throws {
        defer { remove() }
        let runner = ReferenceJobRunner(workshop) { job, _, _ in
            if job.recording == "first" { try? await Task.sleep(for: .seconds(600)) }
            return "It has ended."
        }
        let run = Task { await runner.run() }
        let first = try await runner.add(recording: "first", title: "", pieces: ["bach"], by: "Ada")
        #expect(await state(of: runner, after: [.waiting]) == .running)
        _ = try await runner.add(recording: "second", title: "", pieces: ["bach"], by: "Ada")
        #expect(try await runner.interruptOrRemove(first ?? ""))
        while await runner.jobs.last?.state != .failed { await Task.yield() }
        #expect(await runner.jobs.map(\.state) == [.interrupted, .failed])
        run.cancel()
        await run.value
    }

    @Test func aServerThatEndsSaysSoAfterItsNextStart() async throws {
        defer { remove() }
        let runner = ReferenceJobRunner(workshop) { _, _, _ in
            try? await Task.sleep(for: .seconds(600))
            return nil
        }
        let run = Task { await runner.run() }
        _ = try await runner.add(recording: "2026", title: "", pieces: ["bach"], by: "Ada")
        #expect(await state(of: runner, after: [.waiting]) == .running)
        // As after kill -9: the file says that the job runs.
        let next = ReferenceJobRunner(workshop)
        #expect(await next.jobs.first?.state == .interrupted)
        #expect(await next.jobs.first?.sentence == ReferenceJobList.restartSentence)
        run.cancel()
        await run.value
    }

    @Test func aProgramThatCannotWorkIsAFailureWithItsSentence() async throws {
        defer { remove() }
        let missing = ReferenceJobRunner.Workshop(
            program: URL(fileURLWithPath: "/nowhere/baton"), dataFolder: folder, modelsFolder: folder)
        let runner = ReferenceJobRunner(missing)
        let run = Task { await runner.run() }
        _ = try await runner.add(recording: "2026", title: "", pieces: ["bach"], by: "Ada")
        #expect(await state(of: runner, after: [.waiting, .running]) == .failed)
        #expect(await runner.jobs.first?.sentence?.hasPrefix("The work ended before its end") == true)
        #expect(!FileManager.default.fileExists(atPath: folder + "/recordings/references-unfinished"))
        run.cancel()
        await run.value
    }

    @Test func aJobThatCannotBeWrittenToTheDiskIsRefused() async throws {
        defer { remove() }
        let runner = ReferenceJobRunner(workshop) { _, _, _ in nil }
        let id = try await runner.add(recording: "first", title: "", pieces: ["bach"], by: "Ada")
        // A folder in the place of the file: nothing can be written there, whoever asks.
        let file = folder + "/recordings/references.json"
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file + "/x", withIntermediateDirectories: true)
        await #expect(throws: ReferenceJobFile.Fault.self) {
            try await runner.add(recording: "second", title: "", pieces: ["bach"], by: "Ada")
        }
        await #expect(throws: ReferenceJobFile.Fault.self) { try await runner.interruptOrRemove(id ?? "") }
        #expect(await runner.jobs.map(\.recording) == ["first"])
        #expect(await runner.jobs.map(\.state) == [.waiting])
    }

    @Test func theWorkHasTheFolderAsItsOwnAndLimitedMemory() async throws {
        defer { remove() }
        let program = folder + "/program"
        try "#!/bin/sh\necho $(pwd) $(ulimit -v) $HOME >&2\nexit 3\n".write(
            toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let runner = ReferenceJobRunner(
            .init(program: URL(fileURLWithPath: program), dataFolder: folder, modelsFolder: folder))
        let run = Task { await runner.run() }
        _ = try await runner.add(recording: "2026", title: "", pieces: ["bach"], by: "Ada")
        #expect(await state(of: runner, after: [.waiting, .running]) == .failed)
        let sentence = await runner.jobs.first?.sentence ?? ""
        #expect(sentence.contains("references-unfinished \(8 << 20) "), "\(sentence)")
        run.cancel()
        await run.value
    }
}
