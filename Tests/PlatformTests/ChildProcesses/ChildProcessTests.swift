import Foundation
import Platform
import Testing

@Suite struct ChildProcessTests {
    private func run(_ program: String, _ arguments: [String], limit: Double) async throws -> (
        ChildProcess.Outcome, String
    ) {
        let folder = try ScratchFolder(prefix: "baton-child", or: NoScratch.init)
        let child = ChildProcess(
            executable: URL(fileURLWithPath: program), arguments: arguments, timeLimitSeconds: limit)
        let outcome = await child.run(output: folder.fileURL("out"), errors: folder.fileURL("err"))
        return (outcome, ChildProcess.lastLine(of: folder.fileURL("err")))
    }

    @Test func theStatusAndTheLastLineAreKept() async throws {
        let (outcome, line) = try await run(
            "/bin/sh", ["-c", "echo one >&2; echo two >&2; exit 3"], limit: 60)
        #expect(outcome == .finished(status: 3))
        #expect(line == "two")
    }

    @Test func aProgramThatNeverEndsIsStopped() async throws {
        let (outcome, _) = try await run("/bin/sleep", ["1000"], limit: 0.05)
        #expect(outcome == .timedOut)
    }

    @Test func workThatIsNotAsynchronousWaitsForAProgramInTheSameWay() throws {
        let folder = try ScratchFolder(prefix: "baton-child", or: NoScratch.init)
        func run(_ script: String, limit: Double) -> ChildProcess.Outcome {
            ChildProcess(
                executable: URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script],
                timeLimitSeconds: limit
            ).runBlocking(output: folder.fileURL("out"), errors: folder.fileURL("err"))
        }
        #expect(run("echo two >&2; exit 3", limit: 60) == .finished(status: 3))
        #expect(ChildProcess.lastLine(of: folder.fileURL("err")) == "two")
        #expect(run("kill -9 $$", limit: 60) == .killed(signal: 9))
        #expect(run("exec sleep 1000", limit: 0.05) == .timedOut)
    }

    @Test func theProgramsThatAStoppedProgramRunsEndWithIt() async throws {
        let folder = try ScratchFolder(prefix: "baton-child", or: NoScratch.init)
        let ids = folder.fileURL("ids")
        // The grandchild has a session of its own, as a program has that this one runs through Foundation.
        let child = ChildProcess(
            executable: URL(fileURLWithPath: "/bin/sh"),
            arguments: ["-c", "setsid -w sh -c 'echo $$ > \(ids.path); exec sleep 1000' & wait"],
            timeLimitSeconds: 600)
        let run = Task { await child.run(output: folder.fileURL("out"), errors: folder.fileURL("err")) }
        var grandchild: pid_t?
        while grandchild == nil {
            await Task.yield()
            grandchild = pid_t(
                ChildProcess.outputText(of: ids).trimmingCharacters(in: .whitespacesAndNewlines))
        }
        run.cancel()
        _ = await run.value
        // Nobody may have waited for it yet; then it is a zombie.
        func isAlive() -> Bool {
            let status = try? String(contentsOfFile: "/proc/\(grandchild ?? 0)/stat", encoding: .utf8)
            return status.map { !$0.contains(") Z") && !$0.contains(") X") } ?? false
        }
        while isAlive() { await Task.yield() }
        #expect(!isAlive())
    }

    @Test func aMissingProgramIsAnOutcome() async throws {
        let (outcome, _) = try await run("/nowhere/program", [], limit: 1)
        guard case .notStarted = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test func theReasonIsTheLastLineElseTheStatus() async throws {
        let folder = try ScratchFolder(prefix: "baton-child", or: NoScratch.init)
        func reason(_ script: String) async -> String {
            let child = ChildProcess(
                executable: URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script], timeLimitSeconds: 60)
            let errors = folder.fileURL("err")
            return await child.run(output: folder.fileURL("out"), errors: errors).failureReason(
                errors: errors)
        }
        #expect(await reason("echo no such file >&2; exit 3") == "no such file")
        #expect(await reason("exit 3") == "exit status 3")
        #expect(await reason("kill -9 $$") == "exit status 137")
    }
}

struct NoScratch: Error {
    let path: String
    let reason: String
}
