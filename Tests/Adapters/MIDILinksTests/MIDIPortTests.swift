import Basics
import Foundation
import Platform
import Synchronization
import Testing

@testable import MIDILinks
@testable import TestHelpers

/// A port over a pseudo terminal, whose other end is the device.
@Suite(.ownThreads) struct MIDIPortTests {
    private let device: PortDevice
    private let port: MIDIPort

    init() throws {
        device = try PortDevice()
        port = MIDIPort(path: device.path)
    }

    @Test func aMessageIsSentWholeAndNothingIntoWhatIsNoPort() throws {
        try port.send([0x90, 60, 100])
        #expect(device.read(3) == [0x90, 60, 100])
        let error = #expect(throws: ExplainedError.self) { try MIDIPort(path: "/etc/hostname").send([0xF8]) }
        #expect(error != nil)
    }

    /// Messages that do not fit are left out whole, and the port says so.
    @Test func aDeviceThatDoesNotKeepUpGetsOnlyWholeMessages() throws {
        let message: [UInt8] = [0xF0] + [UInt8](repeating: 5, count: 98) + [0xF7]
        var refused: ExplainedError?
        for _ in 0..<100_000 where refused == nil {
            do throws(ExplainedError) { try port.send(message) } catch { refused = error }
        }
        #expect(refused?.sentence.contains("left out") == true)
        var decoder = MIDIStreamDecoder()
        var heard: [[UInt8]] = []
        for _ in 0..<50 {
            heard += device.read(4_096).compactMap { decoder.append($0) }
            try? port.send(message)
        }
        heard += device.read(1_000_000).compactMap { decoder.append($0) }
        #expect(heard.count > 60 && heard.allSatisfy { $0 == message })
    }

    @Test func aPortIsHeardAgainWhenItsDeviceComesBack() async throws {
        let folder = try ServeFolder()
        let path = folder.path + "/port"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: device.path)
        let port = MIDIPort(path: path)
        let heard = Mutex<[[UInt8]]>([])
        let thread = try RealTimeThread(name: "midi", priority: nil) { stop in
            port.listen(until: stop) { message in heard.withLock { $0.append(message) } }
        }
        defer { thread.stop() }
        device.write([0x90, 60])
        device.write([1, 0xC0])
        #expect(await eventually { heard.withLock { $0 == [[0x90, 60, 1]] } })
        device.unplug()
        #expect(await eventually { port.inputTrouble?.contains("has gone") == true })
        let other = try PortDevice()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other.path)
        #expect(
            await eventually {
                other.write([9, 0xC0, 7, 0xF6])
                return heard.withLock { $0.last == [0xC0, 7] }
            })
        // What the first device had begun is forgotten.
        #expect(heard.withLock { !$0.contains([0xC0, 9]) } && port.inputTrouble == nil)
    }

    @Test func aPortThatHasGoneSaysSoUntilItIsBack() throws {
        try port.checkOutput()
        device.unplug()
        let error = #expect(throws: ExplainedError.self) { try port.checkOutput() }
        #expect(error?.sentence.contains("Connect it again") == true)
    }

    @Test func aPortIsOneHoweverManyUseIt() {
        let ports = MIDIPorts()
        #expect(ports.port(at: "/dev/a") === ports.port(at: "/dev/a"))
        #expect(ports.port(at: "/dev/a") !== ports.port(at: "/dev/b"))
    }
}
