import Basics
import Foundation
import MIDILinks
import Platform
import Podium
import Score
import Synchronization
import Testing
import TimeCode
import WebServer

@testable import Hosting
@testable import ShowStages
@testable import TestHelpers
@testable import TimeCodeSending

/// The outputs of time code, and who switches them.
@Suite(.ownThreads) struct CodeSendingTests {
    private let folder: ServeFolder

    init() throws { folder = try ServeFolder() }

    /// The messages that an output of MIDI time code sends for stretches of code at an even speed.
    private func sentMIDI(_ settings: TimeCodeSettings, seconds: ClosedRange<Double>, runs: [Int]) throws
        -> [[UInt8]]
    {
        try sent(MessageCodeOutput.midiMessages(settings), seconds: seconds, runs: runs)
    }

    private func sent(
        _ messages: MessageCodeOutput.Messages, seconds: ClosedRange<Double>, runs: [Int], then: Bool = true
    ) throws -> [[UInt8]] {
        let sent = Mutex<[[UInt8]]>([])
        let output = MessageCodeOutput("MTC", messages) { bytes in
            sent.withLock { $0.append(bytes) }
        }
        let length = (seconds.upperBound - seconds.lowerBound) / Double(runs.count)
        for (index, run) in runs.enumerated() {
            let start = seconds.lowerBound + length * Double(index)
            try output.take(
                CodeClock.Segment(
                    piece: 0, run: run, times: start...start + length, seconds: start...start + length),
                beginning: start, at: start - 0.1)
            for step in 0..<1_000 { try output.sendDue(at: start + length * Double(step + 1) / 1_000) }
        }
        if !then { output.leave() }
        try output.take(nil, beginning: seconds.upperBound, at: seconds.upperBound)
        try output.sendDue(at: seconds.upperBound)
        return sent.withLock { $0 }
    }

    @Test func midiTimeCodeBeginsWithAWholeLabelThenSendsWholeSetsOfQuarterFrames() throws {
        let sent = try sentMIDI(TimeCodeSettings(), seconds: 10.03...11.03, runs: [1])
        #expect(sent.first == [0xF0, 0x7F, 0x7F, 1, 1, 0x21, 0, 10, 0, 0xF7])
        let parts = sent.dropFirst().map { Int($0[1] >> 4) }
        #expect(parts.count >= 90)
        #expect(parts == (0..<parts.count).map { $0 % 8 })
        // The first set is that of frame 2, the next even one.
        #expect(sent[1] == [0xF1, 0x02])
    }

    /// Half a second to a beat: 48 pulses in a second.
    private let clock = MessageCodeOutput.clockMessages { segment in
        segment.seconds.lowerBound * 2...segment.seconds.upperBound * 2
    }

    @Test func midiClockStartsAtTheBeginningAndStopsWithTheCode() throws {
        let sent = try sent(clock, seconds: 0...2, runs: [1])
        #expect(sent.first == [0xFA] && sent.last == [0xFC])
        #expect(sent.dropFirst().dropLast().allSatisfy { $0 == [0xF8] } && sent.count == 96 + 2)
    }

    @Test func aJumpStopsTheClockTellsThePlaceAndGoesOnAtASixteenth() throws {
        let sent = try sent(clock, seconds: 100.03...102.03, runs: [1, 2])
        // 100.03 s are 200.06 beats; the next sixteenth is 801, 6 · 128 + 33.
        #expect(sent.first == [0xF2, 33, 6, 0xFB])
        let next = try #require(sent.firstIndex(of: [0xFC]))
        #expect(sent[next + 1] == [0xF2, 41, 6, 0xFB])
        // From 200.25 beats to 202.06: 44 pulses.
        #expect(sent[1..<next].count == 44)
    }

    @Test func whoeverLeavesTheCodeToTheOtherServerStopsNoClock() throws {
        #expect(try !sent(clock, seconds: 0...1, runs: [1], then: false).contains([0xFC]))
    }

    @Test func aPieceWhoseBeatsAreNotKnownHasNoClockAndSaysSo() async throws {
        let device = try PortDevice()
        var settings = TimeCodeSettings()
        settings.clockPort = device.path
        let sender = CodeSender(settings) { true }
        let thread = try RealTimeThread(name: "code", priority: nil) { sender.run(until: $0) }
        defer { thread.stop() }
        let start = MonotonicClock.now.seconds
        func play(_ beats: BarLineConversion?, until isEnough: () -> Bool) async -> Bool {
            await eventually {
                let now = MonotonicClock.now.seconds
                sender.takeObservation(
                    .init(piece: 1, time: now, music: .playing(at: now - start, tempo: 1)), beats: beats)
                return isEnough()
            }
        }
        #expect(await play(nil) { sender.status.outputs.first?.trouble?.contains("/prepare") == true })
        #expect(device.read(100).isEmpty)
        let beats = BarLineConversion(seconds: [0, 1], values: [0, 4])
        #expect(await play(beats) { device.read(100).contains(0xF8) })
    }

    @Test func theCodeMayBeTheTimeOfAnotherRecordingOfThePiece() throws {
        let marks = [1.0, 3, 5].enumerated().map {
            PlayedMeasure(printed: $0.offset + 1, onset: ReferenceTime(seconds: $0.element))
        }
        let map = try MeasureMap(marks: marks, end: ReferenceTime(seconds: 6))
        let line = RecordingTimeLine(
            of: map, name: "Film", beatsPerBar: 4, recording: [10, 14, 15], source: "It")
        let playing = CodeClock.Observation(piece: 0, time: 7, music: .playing(at: 2, tempo: 1.5))
        #expect(line.convert(playing).music == .playing(at: 12, tempo: 3))
        #expect(line.beats?.value(at: 12) == 2 && line.beats?.value(at: 15.5) == 10)
        let plain = RecordingTimeLine(of: map, name: "Film", recording: nil, source: "It")
        #expect(plain.convert(playing) == playing && plain.beats == nil)
        let wrong = RecordingTimeLine(of: map, name: "Film", recording: [1, 2], source: "It")
        #expect(wrong.convert(playing).music == .awaited)
        #expect(wrong.trouble?.contains("2 bars as played, and “Film” has 3") == true)
    }

    @Test func aNewRunSendsAWholeLabelAgain() throws {
        let sent = try sentMIDI(TimeCodeSettings(), seconds: 10...12, runs: [1, 2])
        #expect(sent.filter { $0[0] == 0xF0 }.map { $0[7] } == [10, 11])
    }

    @Test func aPieceBeginsAtTheHourOfItsNumberOrWhereTheSettingsSay() {
        var settings = TimeCodeSettings()
        settings.rate = .dropFrame
        #expect("\(settings.label(ofPiece: 0, second: 0))" == "01:00:00:00")
        #expect("\(settings.label(ofPiece: 4, second: 60.06))" == "05:01:00:02")
        #expect("\(settings.label(ofPiece: 23, second: 0))" == "00:00:00:00")
        settings.starts[5] = TimeCodeLabel("10:30:00:00", rate: .dropFrame)
        #expect("\(settings.label(ofPiece: 4, second: 1.001))" == "10:30:01:00")
    }

    @Test func theNetworkGetsEachFrameOnceAndNothingWhileAnotherServerSends() async throws {
        let receiver = try CodeReceiver()
        var settings = TimeCodeSettings()
        settings.artNetAddress = receiver.address
        let sender = CodeSender(settings) { true }
        let thread = try RealTimeThread(name: "code", priority: nil) { sender.run(until: $0) }
        defer { thread.stop() }
        let start = MonotonicClock.now.seconds
        func play(isSending: Bool, until isEnough: () -> Bool) async -> Bool {
            await eventually {
                let now = MonotonicClock.now.seconds
                sender.takeObservation(
                    .init(piece: 1, time: now, music: .playing(at: now - start, tempo: 1)),
                    isSwitchedOn: isSending)
                return isEnough()
            }
        }
        #expect(
            await play(isSending: false) {
                sender.status.isRunning && (sender.status.label?.frames ?? 0) > 12
            })
        #expect(receiver.frames.isEmpty)
        #expect(await play(isSending: true) { receiver.frames.count > 20 })
        let frames = receiver.frames
        #expect(frames.first.map { $0 >= 2 * 90_000 + 12 } == true)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 > $0 })
    }

    @Test func anOutputThatCannotBeOpenedSaysSoAndLeavesTheOthersAlone() async throws {
        let receiver = try CodeReceiver()
        var settings = TimeCodeSettings()
        (settings.artNetAddress, settings.midiPort) = (receiver.address, folder.path + "/no-such-port")
        let sender = CodeSender(settings) { true }
        let thread = try RealTimeThread(name: "code", priority: nil) { sender.run(until: $0) }
        defer { thread.stop() }
        sender.takeObservation(
            .init(piece: 0, time: MonotonicClock.now.seconds, music: .playing(at: 0, tempo: 1)))
        #expect(await eventually { !receiver.frames.isEmpty })
        let troubles = sender.status.outputs.compactMap(\.trouble)
        #expect(troubles.count == 1)
        #expect(troubles.first?.contains("/no-such-port cannot be opened") == true)
    }

    @Test func nothingIsWrittenIntoAFileThatIsNoPort() throws {
        let file = folder.path + "/titles.csv"
        try "bar,text\n".write(toFile: file, atomically: true, encoding: .utf8)
        let error = #expect(throws: ExplainedError.self) { try MIDIPort(path: file).send([0xF8]) }
        #expect(error?.sentence.contains("is no MIDI port") == true)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "bar,text\n")
    }

    @Test func testCodeIsSentWhileNoMusicPlays() async throws {
        let receiver = try CodeReceiver()
        var settings = TimeCodeSettings()
        settings.artNetAddress = receiver.address
        let sender = CodeSender(settings) { true }
        let thread = try RealTimeThread(name: "code", priority: nil) { sender.run(until: $0) }
        defer { thread.stop() }
        sender.takeObservation(.init(piece: 0, time: 0, music: .awaited))
        #expect(sender.beginTest())
        #expect(await eventually { receiver.frames.count > 5 })
        #expect(receiver.frames.allSatisfy { $0 < 10 * 25 + 5 })
        #expect(!sender.beginTest())
    }

    private func service(_ settings: TimeCodeSettings, snapshot: ShowEngineSnapshot) throws -> TimeCodeService
    {
        TimeCodeService(
            settings, show: try ShowInbox(wakeSignal: WakeSignal(), snapshot: snapshot),
            consoles: ConsoleStream(EventHub()), data: folder.path
        ) { true }
    }

    private func refusal(_ work: () throws -> Void) -> String? {
        do { try work() } catch { return (error as? Refusal)?.code ?? "\(error)" }
        return nil
    }

    @Test func nothingIsSentWatchedOrCheckedUnlessAnOutputIsNamed() throws {
        let service = try service(TimeCodeSettings(), snapshot: madeSnapshot())
        #expect(service.showOutputs.isEmpty)
        #expect(service.watchedFaults.isEmpty)
        #expect(service.preShowCheckItems.isEmpty)
        #expect(refusal { try service.turn(.init(on: true)) } == "no-time-code")
    }

    @Test func aSwitchIsKeptOverARestartAndRefusedWhileTheShowIsLocked() throws {
        var settings = TimeCodeSettings()
        settings.artNetAddress = "127.0.0.1"
        let service = try service(settings, snapshot: madeSnapshot())
        #expect(service.isSwitchedOn)
        #expect(refusal { try service.turn(.init(on: false)) } == nil)
        #expect(!service.isSwitchedOn)
        #expect(try !self.service(settings, snapshot: madeSnapshot()).isSwitchedOn)
        var locked = try madeSnapshot()
        var podium = Podium(course: locked.programme)
        _ = podium.process(
            .command(.setShowLock(true), by: CommandSender(name: "anna", role: .technician)), at: .zero)
        locked.state = podium.state
        #expect(
            try refusal { try self.service(settings, snapshot: locked).turn(.init(on: true)) } == "locked")
    }
}

/// A socket that gets Art-Net time code at 25 frames a second: frames since midnight.
private final class CodeReceiver: Sendable {
    private let descriptor: Int32
    let address: String
    private let heard = Mutex<[Int]>([])

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "127.0.0.1", &place.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length)
                getsockname(descriptor, $0, &length)
            }
        }
        address = "127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
    }

    deinit { close(descriptor) }

    var frames: [Int] {
        heard.withLock { heard in
            var packet = [UInt8](repeating: 0, count: 64)
            while recv(descriptor, &packet, packet.count, 0) == 19 {
                let (frames, seconds) = (Int(packet[14]), Int(packet[15]))
                heard.append(((Int(packet[17]) * 60 + Int(packet[16])) * 60 + seconds) * 25 + frames)
            }
            return heard
        }
    }
}
