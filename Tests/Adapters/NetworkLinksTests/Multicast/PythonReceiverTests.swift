import Concert
import Dispatch
import Foundation
import NetworkLinks
import Repository
import Testing

@testable import TestHelpers

/// The stream, as heard by a receiver that shares no code with the sender.
@Suite(.ownThreads, .serialized, .timeLimit(.minutes(10))) struct PythonReceiverTests {
    private static let script = Repository.root.appending(path: "Tests/System/receive-packets.py")

    private static let hasPython: Bool = {
        let probe = Process()
        probe.executableURL = URL(filePath: "/usr/bin/env")
        probe.arguments = ["python3", "--version"]
        probe.standardOutput = FileHandle.nullDevice
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    private struct Summary: Decodable {
        let measurePackets: Int
        let messagePackets: Int
        let pieces: [String]
        let measures: [Int]
        let messages: [String]
        let missing: Int
        let longestGapSeconds: Double
        let firstPacketDelaysMs: [Double]
        let violations: [String]
    }

    /// Starts the receiver, lets `send` send once the group is joined, and reads the verdict.
    private func judge(
        _ endpoint: MulticastEndpoint, _ arguments: [String], while send: () async throws -> Void
    ) async throws -> (status: Int32, summary: Summary) {
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", Self.script.path, "--port", "\(endpoint.port)"] + arguments
        let output = Pipe()
        let progress = Pipe()
        python.standardOutput = output
        python.standardError = progress
        try python.run()
        defer { if python.isRunning { python.terminate() } }
        let ready = await read(progress.fileHandleForReading) { $0.availableData }
        try #require(String(decoding: ready, as: UTF8.self).hasPrefix("ready"))
        try await send()
        let json = await read(output.fileHandleForReading) { handle in
            let json = handle.readDataToEndOfFile()
            python.waitUntilExit()
            return json
        }
        return (python.terminationStatus, try JSONDecoder().decode(Summary.self, from: json))
    }

    /// Reading blocks, so it is done outside the tasks' threads.
    private func read(_ handle: FileHandle, _ how: @escaping @Sendable (FileHandle) -> Data) async -> Data {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: how(handle)) }
        }
    }

    @Test(.enabled(if: hasPython, "python3 is not installed"))
    func theStreamOfAConcertIsFlawless() async throws {
        let endpoint = try await freshEndpoint()
        let sender = try await MulticastSender(endpoint: endpoint, timeToLive: 0)
        let pump = PositionPacketTransmitter(sink: sender)
        let running = Task { await pump.run() }
        let changes = FileManager.default.temporaryDirectory.appending(
            path: "changes-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: changes) }
        try Data().write(to: changes)

        // The judge ends with this one: more than a slow machine sends while it is told ten measures.
        let packets: UInt64 = 100
        let arguments = [
            "--seconds", "60", "--packets", "\(packets)", "--expect-piece", donJuan,
            "--changes", changes.path,
        ]
        let verdict = try await judge(endpoint, arguments) {
            var told = ""
            pump.sendPushMessage(
                try PushMessage(title: "Welcome", body: "Enjoy.", style: .button, buttonText: "Will do!"))
            for measure in 35...44 {
                told += "\(measure),\(Date().timeIntervalSince1970)\n"
                pump.setLivePosition(try place(measure))
                // A measure's length: the receiver judges the beats between two changes.
                try await Task.sleep(for: .milliseconds(250))
            }
            try Data(told.utf8).write(to: changes)
            pump.removeLivePosition()
            pump.withdrawPushMessage()
            #expect(await becomesTrue { pump.counters.sent == pump.newestPacketNumber })
            // Those that are left, at once.
            var count = pump.newestPacketNumber
            while count < packets {
                count += 1
                try await sender.send(Array("\(donJuan); 44 : \(count)".utf8))
            }
        }
        running.cancel()
        await running.value
        await sender.close()

        #expect(verdict.status == 0)
        #expect(verdict.summary.violations.isEmpty)
        #expect(verdict.summary.pieces == [donJuan])
        #expect(verdict.summary.measures == Array(35...44))
        #expect(verdict.summary.messages == ["PUSH|Welcome|Enjoy.|BUTTON|Will do!|"])
        #expect(verdict.summary.missing == 0)
        try #require(verdict.summary.firstPacketDelaysMs.count == 10)
        #expect(pump.counters.failed == 0)
        let delays = verdict.summary.firstPacketDelaysMs.sorted()
        print(
            "first packets after \(delays[5]) ms (median), \(delays[9]) ms (slowest); call to network",
            "\(pump.counters.longestSendDelay) at most; longest gap \(verdict.summary.longestGapSeconds) s")
    }

    @Test(
        .enabled(if: hasPython, "python3 is not installed"),
        arguments: [
            ["\(donJuan); 2 : 2", "\(donJuan); 2 : 2"],
            ["\(donJuan); 2 : 2", "\(donJuan); 1 : 1"],
            ["\(donJuan); two : 2"],
            ["\(donJuan), 2 : 2"],
            ["Brahms, Symphony 4: Mvt 1; 2 : 2"],
            ["\(donJuan); 2 : 2", "PUSH|a|b|LOUD||"],
            ["\(donJuan); 2 : 2", "PUSH|Link|b|AUTO|ftp://a|"],
        ])
    func anIndependentReceiverNoticesABrokenStream(lines: [String]) async throws {
        let endpoint = try await freshEndpoint()
        let sender = try await MulticastSender(endpoint: endpoint, timeToLive: 0)
        let verdict = try await judge(
            endpoint, ["--seconds", "30", "--packets", "\(lines.count)", "--expect-piece", donJuan]
        ) {
            for line in lines { try await sender.send(Array(line.utf8)) }
        }
        await sender.close()
        #expect(verdict.status == 1)
        #expect(verdict.summary.violations.isEmpty == false)
    }
}
