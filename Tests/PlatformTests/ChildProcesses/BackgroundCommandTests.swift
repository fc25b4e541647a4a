import Foundation
import Synchronization
import Testing

@testable import Platform

@Suite struct BackgroundCommandTests {
    private final class Lines: Sendable {
        private let held = Mutex<[String]>([])
        var all: [String] { held.withLock { $0 } }
        func add(_ line: String) { held.withLock { $0.append(line) } }
    }

    private func run(_ script: String) async throws -> (BackgroundCommand.End, [String]) {
        let folder = try ScratchFolder(prefix: "baton-background", or: NoScratch.init)
        let lines = Lines()
        let command = BackgroundCommand(
            program: URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script])
        let end = await command.run(in: folder.url.path) { lines.add($0) }
        return (end, lines.all)
    }

    @Test func eachCompleteLineIsReceivedOnceAndInOrder() async throws {
        let (end, lines) = try await run("echo one; echo two; sleep 0.5; echo three; printf unfinished")
        #expect(end.outcome == .finished(status: 0))
        #expect(lines == ["one", "two", "three"])
    }

    @Test func aLineIsReceivedWhileTheCommandWorks() async throws {
        let folder = try ScratchFolder(prefix: "baton-background", or: NoScratch.init)
        let path = folder.url.path
        // The command ends only when its line has arrived.
        let command = BackgroundCommand(
            program: URL(fileURLWithPath: "/bin/sh"),
            arguments: ["-c", "echo half; while [ ! -e \(path)/heard ]; do sleep 0.05; done"])
        let end = await command.run(in: path) { _ in
            _ = FileManager.default.createFile(atPath: path + "/heard", contents: nil)
        }
        #expect(end.outcome == .finished(status: 0))
    }

    @Test func itHasTheLowestPriorityAndLimitedMemory() async throws {
        let (_, lines) = try await run("nice; ulimit -v; pwd; echo $TMPDIR")
        #expect(lines.prefix(2) == ["19", "\(8 << 20)"])
        #expect(lines.count == 4 && lines[2] == lines[3])
    }

    @Test func itSaysWhyItFailed() async throws {
        let (end, _) = try await run("echo The disk is full. >&2; exit 3")
        #expect(end.outcome == .finished(status: 3))
        #expect(end.failureReason == "The disk is full.")
    }

    @Test func cancellingEndsIt() async throws {
        let folder = try ScratchFolder(prefix: "baton-background", or: NoScratch.init)
        let path = folder.url.path
        let (begun, begins) = AsyncStream.makeStream(of: String.self)
        let work = Task {
            await BackgroundCommand(
                program: URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "echo begun; exec sleep 1000"]
            ).run(in: path) { begins.yield($0) }
        }
        for await _ in begun { break }
        work.cancel()
        #expect(await work.value.outcome == .timedOut)
    }
}
