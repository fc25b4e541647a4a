import Basics
import Foundation
import Platform
import Sound
import Testing

@testable import Hosting
@testable import Performance
@testable import ShowStages

@Suite struct LivePlaylistTests {
    private let folder: LiveFolder

    init() throws { folder = try LiveFolder() }

    private func samples(_ playlist: RecordingPlaylist, block: Int) throws -> [Float] {
        let reader = RecordingPlaylistReader(playlist)
        var all: [Float] = []
        var buffer = [Float](repeating: 0, count: block)
        while true {
            let count = try buffer.withUnsafeMutableBufferPointer { try reader.read(into: $0) }
            if count == 0 { return all }
            all += buffer[..<count]
        }
    }

    @Test func aRoomLiesBetweenRecordings() throws {
        let first = try folder.melody("1.wav", seed: 1, seconds: 1)
        let second = try folder.melody("2.wav", seed: 2, seconds: 2)
        let playlist = try RecordingPlaylist(
            paths: [first, second], channel: .meanOfAllChannels, repetitions: 1)
        #expect(playlist.segments.map(\.frameCount) == [11_025, 33_075, 22_050])
        let heard = try samples(playlist, block: 1000)
        #expect(heard.count == playlist.samplesPerRepetition)
        let room = heard[11_025..<44_100]
        #expect(room.allSatisfy { abs($0) <= 1e-4 } && room.contains { $0 != 0 })
    }

    @Test func turnsAreOfOneLength() throws {
        let path = try folder.melody("1.wav", seed: 1, seconds: 1)
        let playlist = try RecordingPlaylist(paths: [path], channel: .meanOfAllChannels, repetitions: 2)
        let heard = try samples(playlist, block: 777)
        #expect(heard.count == 2 * playlist.samplesPerRepetition)
        #expect(
            heard[0..<11_025] == heard[playlist.samplesPerRepetition..<playlist.samplesPerRepetition + 11_025]
        )
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")))
    func whatOnlyFFmpegReadsIsPlayed() async throws {
        let path = try folder.melody("cut-off.wav", seed: 1, seconds: 1)
        let file = URL(fileURLWithPath: path)
        var bytes = try Data(contentsOf: file)
        let length = try #require(bytes.range(of: Data("data".utf8))).upperBound
        // The recorder lost its power before it wrote the length.
        bytes[length..<(length + 4)] = Data(count: 4)
        try bytes.write(to: file)
        #expect(throws: SoundFileError.self) {
            try RecordingPlaylist(paths: [path], channel: .meanOfAllChannels, repetitions: 1)
        }
        let playlist = try await RecordingPlaylist.open(
            paths: [path, path], channel: .meanOfAllChannels, repetitions: 1)
        #expect(playlist.segments.map(\.frameCount) == [11_025, 33_075, 11_025])
        #expect(try samples(playlist, block: 1_000).count == 55_125)
    }

    @Test func recordingsOfTwoRatesAreRefused() throws {
        let first = try folder.melody("1.wav", seed: 1, seconds: 1)
        let second = try folder.melody("2.wav", seed: 2, seconds: 1, rate: SampleRate(hertz: 8000))
        #expect(throws: ExplainedError.self) {
            try RecordingPlaylist(paths: [first, second], channel: .meanOfAllChannels, repetitions: 1)
        }
    }

    /// A recording of float samples; all from a time on are not a number.
    private func spoiled(_ name: String, seconds: Double, from start: Double) throws -> String {
        let samples = (0..<Int(seconds * 8_000)).map { Double($0) < start * 8_000 ? Float(0.1) : Float.nan }
        func bytes<Number: FixedWidthInteger>(_ value: Number) -> Data {
            withUnsafeBytes(of: value.littleEndian) { Data($0) }
        }
        var file = Data("RIFF".utf8) + bytes(UInt32(36 + 4 * samples.count)) + Data("WAVEfmt ".utf8)
        file += bytes(UInt32(16)) + bytes(UInt16(3)) + bytes(UInt16(1)) + bytes(UInt32(8_000))
        file += bytes(UInt32(32_000)) + bytes(UInt16(4)) + bytes(UInt16(32)) + Data("data".utf8)
        file += bytes(UInt32(4 * samples.count))
        for sample in samples { file += bytes(sample.bitPattern) }
        try file.write(to: URL(fileURLWithPath: folder.path(name)))
        return folder.path(name)
    }

    @Test func aRecordingThatBeginsWithNoSoundIsRefused() throws {
        let path = try spoiled("spoiled.wav", seconds: 1, from: 0)
        let failure = #expect(throws: SoundFileError.self) {
            try RecordingPlaylist(paths: [path], channel: .meanOfAllChannels, repetitions: nil)
        }
        #expect(failure?.sentence.contains("spoiled.wav") == true)
        #expect(failure?.sentence.contains("not a number") == true)
    }

    @Test func soundThatIsNoNumberLaterIsAFaultOfTheInput() throws {
        let path = try spoiled("late.wav", seconds: 2, from: 1.5)
        let source = FileSoundSource(
            try RecordingPlaylist(paths: [path], channel: .meanOfAllChannels, repetitions: nil),
            name: "late.wav",
            playbackSpeed: 100, limitSeconds: nil)
        #expect(!source.status.isLost)
        let lane = try FollowLane(WaitingFollower(title: "Tonight", sampleRate: source.rate))
        source.deliverSamples(to: CapturedSound(for: lane), until: StopRequest())
        let status = source.status
        #expect(status.isLost)
        #expect(status.failureReason?.contains("at 1.5 s, in channel 1") == true)
        #expect(status.remedy.contains("another file"))
    }

    @Test func aMissingRecordingIsNamed() {
        let failure = #expect(throws: SoundFileError.self) {
            try RecordingPlaylist(paths: ["nowhere.ogg"], channel: .meanOfAllChannels, repetitions: 1)
        }
        #expect(failure?.sentence.contains("nowhere.ogg") == true)
    }
}
