import MusicalTime
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

    @Test func recordingsOfTwoRatesAreRefused() throws {
        let first = try folder.melody("1.wav", seed: 1, seconds: 1)
        let second = try folder.melody("2.wav", seed: 2, seconds: 1, rate: SampleRate(hertz: 8000))
        #expect(throws: ExplainedError.self) {
            try RecordingPlaylist(paths: [first, second], channel: .meanOfAllChannels, repetitions: 1)
        }
    }

    @Test func aMissingRecordingIsNamed() {
        let failure = #expect(throws: ExplainedError.self) {
            try RecordingPlaylist(paths: ["nowhere.ogg"], channel: .meanOfAllChannels, repetitions: 1)
        }
        #expect(failure?.sentence.contains("nowhere.ogg") == true)
    }
}
