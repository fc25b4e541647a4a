import Concert
import Foundation
import Glibc
import NetworkLinks
import Podium
import Repository
import Synchronization
import Testing

@testable import Audience
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import Performance
@testable import TestHelpers
@testable import WebServer

/// The hall as a client sees it that shares no code with the server: packets, XML and the page's stream agree.
@Suite(.ownThreads, .serialized, .timeLimit(.minutes(10))) struct ContentPhoneTests {
    private static let script = Repository.root.appending(path: "Tests/System/phone.py").path

    private static let hasPython =
        FileManager.default.fileExists(atPath: "/usr/bin/env")
        && FileManager.default.fileExists(atPath: script)

    /// Plays a piece quickly for a phone.
    /// - Parameter spoil: may bring disagreement; gets a wait for words of the phone.
    private func judge(
        spoil: (ContentStage, _ said: (String) async throws -> Void) async throws -> Void = { _, _ in }
    ) async throws -> (status: Int32, said: String) {
        let stage = try await ContentStage()
        let served = try #require(stage.desk.servedConcert)
        let course = try served.course()
        let port = Self.freePort()
        let endpoint = try MulticastEndpoint(
            group: "239.255.255.251", port: port, interface: "127.0.0.1")
        let air = try await PhonePacketSender(
            endpoint: endpoint, timeToLive: 0, rate: .standard)
        let started = ContinuousClock.now
        let output = AudienceOutput(
            hub: stage.desk.publisher.audienceEventHub, show: "evening",
            content: { stage.desk.servedConcert },
            clock: { Int64((ContinuousClock.now - started) / .milliseconds(1)) })
        let serving = Task { try await stage.server.run() }
        let sending = Task { await air.sendPacketsUntilCancelled() }
        _ = await eventually { stage.server.boundPort != nil }
        let web = "http://127.0.0.1:\(stage.server.boundPort!)"

        let phone = Process()
        phone.executableURL = URL(filePath: "/usr/bin/env")
        phone.arguments = [
            "python3", "-u", Self.script, "--server", web, "--port", "\(port)", "--seconds", "100",
            "--changes", "45",
            "--compare-stream", web + "/api/audience/events",
        ]
        let pipe = Pipe()
        phone.standardOutput = pipe
        phone.standardError = pipe
        let said = Mutex("")
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let text = String(decoding: handle.availableData, as: UTF8.self)
            said.withLock { $0 += text }
        }
        try phone.run()
        func until(_ isSo: () -> Bool) async throws {
            _ = await eventually { isSo() || !phone.isRunning }
        }
        try await until { said.withLock { $0.contains("listening") } }
        try await spoil(stage) { words in try await until { said.withLock { $0.contains(words) } } }
        var podium = Podium(course: course)
        var shown: LivePosition?
        var changes = 0
        let outputs: [any ShowOutput] = [PhonePacketOutput(air), output]
        func obey(_ words: [String]) throws {
            let now = ShowTime(milliseconds: Int64((ContinuousClock.now - started) / .milliseconds(1)))
            let command = try PodiumCommand(words: words)
            let effects = podium.process(
                .command(command, by: CommandSender(name: "Ines", role: .technician), epoch: nil), at: now)
            for effect in effects {
                for output in outputs { output.performEffect(effect, of: podium.course) }
            }
            for case .showPosition(let place) in effects {
                guard let new = podium.course.livePositionForPhones(place), new != shown else { continue }
                (shown, changes) = (new, changes + 1)
            }
            let picture = ShowEngineSnapshot(
                now: now, programme: podium.course, state: podium.state, measureFraction: 0,
                newestReport: nil,
                isActiveServer: true,
                nextCueCountdown: nil)
            for output in outputs { output.receiveSnapshot(picture) }
        }
        /// By packet and by stream: of what changes sooner than it is sent on, the stream brings the newest only.
        func isHeard() async throws {
            try await until {
                let lines = said.withLock { $0.split(separator: "\n") }
                let packets = lines.filter { $0.contains(": slide ") }
                guard packets.count >= changes, let newest = packets.last else { return false }
                let streamed = lines.last { $0.hasPrefix("stream: ") }?.dropFirst("stream: ".count)
                return streamed.map { newest.hasPrefix($0 + ": slide ") } ?? false
            }
        }
        // Für Elise: a pickup, first and second endings; then back by a person's word.
        try obey(["piece", "3", "p:0"])
        try obey(["goto", "p:0"])
        for step in 1...42 {
            try await isHeard()
            try obey(["goto", "p:\(step)"])
            if step == 20 { try obey(["message", "iNotes", "The live stream has begun!", "AUTO", ""]) }
        }
        for _ in 0..<4 {
            try await isHeard()
            try obey(["nudge", "-1"])
        }
        try await until { false }
        if phone.isRunning { phone.terminate() }
        phone.waitUntilExit()
        pipe.fileHandleForReading.readabilityHandler = nil
        await air.close()
        sending.cancel()
        _ = await sending.result
        await stage.server.stop()
        _ = try? await serving.value
        return (phone.terminationStatus, said.withLock { $0 })
    }

    /// One that nobody used a moment ago, for datagrams.
    private static func freePort() -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, length)
                _ = getsockname(descriptor, $0, &length)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
    }

    @Test(.enabled(if: hasPython)) func packetsContentAndStreamAgree() async throws {
        let (status, said) = try await judge()
        #expect(status == 0, "\(said)")
        #expect(said.contains("positions agree"), "\(said)")
        #expect(said.contains("message: iNotes"), "\(said)")
    }

    @Test(.enabled(if: hasPython)) func thePhoneNoticesAStreamThatSaysSomethingElse() async throws {
        let (status, said) = try await judge { stage, hasSaid in
            // Another concert takes the place of the one the phone has loaded.
            stage.desk.publisher.audienceEventHub.publishStateSection(
                "live",
                Array(
                    #"{"show":"evening","epoch":"1.0","sequence":1,"piece":0,"pieceName":"X","measure":1,"played":0,"view":"live"}"#
                        .utf8))
            // Of a section only the newest value goes out: this one has to have gone.
            try await hasSaid("stream: X; 1")
        }
        #expect(status == 1, "\(said)")
        #expect(said.contains("DISAGREES"), "\(said)")
    }
}
