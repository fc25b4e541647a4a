import Foundation
import Platform
import Testing

@Suite struct LimitedProcessTests {
    private func run(
        _ script: String, cpu: Int = 5, wall: Double = 120, memory: Int = 1_000_000_000,
        file: Int = 1_000_000, openFiles: Int? = 64
    ) async throws -> (ChildProcess.Outcome, String, Int) {
        let folder = try ScratchFolder(prefix: "baton-limited", or: NoScratch.init)
        let process = LimitedProcess(
            executable: URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script],
            resourceLimits: .init(
                cpuSeconds: cpu, wallSeconds: wall, memoryBytes: memory, largestFileBytes: file, niceness: 1,
                openFileCount: openFiles))
        let output = folder.fileURL("out")
        let outcome = await process.run(in: folder.url, output: output, errors: folder.fileURL("err"))
        let bytes = (try? Data(contentsOf: output))?.count ?? 0
        return (outcome, ChildProcess.outputText(of: output), bytes)
    }

    @Test func statusAndOutputAreKept() async throws {
        let (outcome, text, _) = try await run("echo '*  a b'; exit 7")
        #expect(outcome == .finished(status: 7))
        #expect(text == "*  a b\n")
    }

    @Test func endlessWorkIsEndedByTheKernel() async throws {
        let (outcome, _, _) = try await run("while :; do :; done", cpu: 1)
        #expect(outcome.wasKilledByKernel)
    }

    @Test func waitingTakesNoProcessorTime() async throws {
        let (outcome, text, _) = try await run("sleep 1.5; echo done", cpu: 1)
        #expect(outcome == .finished(status: 0))
        #expect(text == "done\n")
    }

    @Test func endlessWaitingIsEndedByTheClock() async throws {
        let (outcome, _, _) = try await run("exec sleep 1000", wall: 0.1)
        #expect(outcome == .timedOut)
    }

    @Test func aFileThatGrowsWithoutEndIsStopped() async throws {
        let (outcome, _, bytes) = try await run("exec yes", file: 100_352)
        #expect(outcome != .finished(status: 0) && outcome != .timedOut)
        #expect(bytes <= 100_352)
    }

    @Test func nothingOfTheEnvironmentIsHandedOn() async throws {
        setenv("BATON_TEST_SECRET", "secret", 1)
        let (_, text, _) = try await run("env; ulimit -c; pwd")
        #expect(!text.contains("secret"))
        #expect(text.contains("baton-limited-"))
    }

    @Test func onlyAProgramThatStartsOthersMayOpenAsManyFilesAsThisProcess() async throws {
        var own = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &own)
        #expect(try await run("ulimit -n").1 == "64\n")
        #expect(try await run("ulimit -n", openFiles: nil).1 == "\(own.rlim_cur)\n")
    }

    @Test func aMissingProgramIsAnOutcome() async throws {
        let folder = try ScratchFolder(prefix: "baton-limited", or: NoScratch.init)
        let missing = LimitedProcess(
            executable: URL(fileURLWithPath: "/nowhere/program"), arguments: [],
            resourceLimits: .init(
                cpuSeconds: 5, wallSeconds: 20, memoryBytes: 1_000_000_000, largestFileBytes: 1_000,
                niceness: 1))
        let outcome = await missing.run(
            in: folder.url, output: folder.fileURL("out"), errors: folder.fileURL("err"))
        #expect(outcome == .finished(status: 127))
    }
}
