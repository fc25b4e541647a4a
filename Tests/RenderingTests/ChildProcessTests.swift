import Foundation
import Testing

@testable import Rendering

@Suite struct ChildProcessTests {
    private func run(_ program: String, _ arguments: [String], limit: Double) async throws -> (
        ChildProcess.Outcome, String
    ) {
        let folder = try ScratchFolder()
        let child = ChildProcess(
            executable: URL(fileURLWithPath: program), arguments: arguments, timeLimitSeconds: limit)
        let outcome = await child.run(output: folder.file("out"), errors: folder.file("err"))
        return (outcome, ChildProcess.lastLine(of: folder.file("err")))
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

    @Test func aMissingProgramIsAnOutcome() async throws {
        let (outcome, _) = try await run("/nowhere/program", [], limit: 1)
        guard case .notStarted = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }
}
