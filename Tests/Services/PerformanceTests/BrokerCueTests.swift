import Foundation
import NetworkLinks
import Podium
import Synchronization
import Testing

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

/// Cues that are messages to a broker, while there is one and while there is none.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct BrokerCueTests {
    private static let mosquitto = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/usr/local/sbin/mosquitto"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(.enabled(if: mosquitto != nil, "mosquitto is not installed; run Tools/setup"))
    func aCueThatFiresWhileTheBrokerIsAwayHasFailedUntilItIsSent() async throws {
        let folder = try ServeFolder()
        let port = try Self.freePort()
        let faults = Mutex<[PodiumEvent]>([])
        let trouble = FailedCueReporter(cueTargets: CueTargets(brokerName: "hall")) { event in
            faults.withLock { $0.append(event) }
        }
        let output = try BrokerOutput(
            MQTTSettings(host: "127.0.0.1", port: port, name: "test"), sendsCues: true,
            failedCueReporter: trouble)
        var cue = madeCue("lights", at: 2, kind: .mqtt)
        (cue.target, cue.payload) = ("lights/main", "on")
        let course = try madeCourse([cue])
        let fired = PodiumEffect.fireCue(cue, CueFiringDetails(isAutomatic: false))
        let isFailed = FailedCue(piece: 0, cue: cue.id).faultID

        var broker = try Self.start(port: port, in: folder)
        defer { broker.kill() }
        try await Self.until { output.client?.status.isConnected == true }
        output.performEffect(fired, of: course)
        #expect(faults.withLock { $0 }.isEmpty)

        broker.kill()
        try await Self.until { output.client?.status.isConnected == false }
        output.performEffect(fired, of: course)
        guard case .fault(let fault)? = faults.withLock({ $0 }).last else {
            Issue.record("the cue fired into nothing, and nobody was told")
            return
        }
        #expect(fault.id == isFailed)
        #expect(fault.sentence.contains("“lights” was not sent: The broker does not answer"))
        var podium = Podium(course: course)
        _ = podium.process(.fault(fault), at: .zero)
        #expect(podium.state.hasFailed(FailedCue(piece: 0, cue: cue.id)))

        broker = try Self.start(port: port, in: folder)
        try await Self.until { output.client?.status.isConnected == true }
        output.performEffect(fired, of: course)
        #expect(faults.withLock { $0 }.last == .faultEnded(isFailed))
        await output.close()
    }

    private struct Broker {
        let process: Process

        /// As a power cut would.
        func kill() {
            guard process.isRunning else { return }
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    private static func start(port: Int, in folder: ServeFolder) throws -> Broker {
        // It runs as whoever runs the test; otherwise it gives up root and cannot read its folder.
        try folder.write(
            "user \(NSUserName())\nlistener \(port) 127.0.0.1\nallow_anonymous true\n", to: "mosquitto.conf")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: mosquitto ?? "")
        process.arguments = ["-c", folder.path + "/mosquitto.conf"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return Broker(process: process)
    }

    /// Polls what the client's own thread brings about.
    private static func until(_ condition: () -> Bool) async throws {
        try #require(await eventually(condition))
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, length)
                _ = getsockname(descriptor, $0, &length)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
        try #require(port > 0)
        return port
    }
}
