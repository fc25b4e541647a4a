import Basics
import Foundation
import Sound
import Testing

@testable import TestHelpers

/// Complete sound whose header gives no length or a wrong one.
@Suite struct WrongLengthTests {
    let folder: SoundFolder

    init() throws { folder = try SoundFolder() }

    @Test(arguments: [8, 16, 44, 1_024])
    func aHeaderThatPromisesALittleTooMuchIsBelievedOnlyAsFarAsTheFileGoes(
        tooMany: Int
    ) throws {
        try folder.write(sine(440, seconds: 3, rate: 22_050), as: "a.wav", hertz: 22_050)
        var bytes = try folder.bytes(of: "a.wav")
        let length = bytes.count - 44 + tooMany
        bytes[40..<44] = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }[...]
        let path = try folder.write(bytes: bytes, as: "b.wav")
        #expect(try SoundFileReader(path: path).readAll().count == 66_150)
        #expect(try RecordingQuality(path: path).truncationSentence == nil)
    }

    @Test func aStreamedFLACIsReadToItsLastFrame() throws {
        try folder.write(sine(440, seconds: 3, rate: 22_050), as: "a.flac", hertz: 22_050)
        var bytes = try folder.bytes(of: "a.flac")
        bytes[21] &= 0xF0
        bytes[22..<26] = [0, 0, 0, 0]
        let reader = try SoundFileReader(path: folder.write(bytes: bytes, as: "streamed.flac"))
        #expect(reader.frameCount == 66_150)
        #expect(try reader.readAll().count == 66_150)
        try reader.seek(toFrame: 60_000)
        #expect(try reader.readAll().count == 6_150)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")))
    func aRecordingWithoutALengthIsConverted() async throws {
        try folder.write(sine(440, seconds: 3, rate: 22_050), as: "a.wav", hertz: 22_050)
        var bytes = try folder.bytes(of: "a.wav")
        bytes[40..<44] = [0, 0, 0, 0]
        let path = try folder.write(bytes: bytes, as: "b.wav")
        let readable = try await SoundConversion.makeReadable(path, in: URL(filePath: folder.path("")))
        #expect(readable != path)
        #expect(try SoundFileReader(path: readable).readAll().count == 66_150)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")))
    func whatWasConvertedGoesWithItsUser() async throws {
        try folder.write(sine(440, seconds: 1, rate: 22_050), as: "a.wav", hertz: 22_050)
        var bytes = try folder.bytes(of: "a.wav")
        bytes[40..<44] = [0, 0, 0, 0]
        let path = try folder.write(bytes: bytes, as: "b.wav")
        var readable: ReadableRecordings? = ReadableRecordings()
        #expect(try await readable?.path(of: folder.path("a.wav")) == folder.path("a.wav"))
        let made = try #require(try await readable?.path(of: path))
        #expect(try SoundFileReader(path: made).readAll().count == 22_050)
        #expect(try await readable?.path(of: path) == made)
        readable = nil
        #expect(!FileManager.default.fileExists(atPath: made))
    }

    @Test func whatNoReaderUnderstandsKeepsItsSentence() async throws {
        let path = try folder.write(bytes: "measure,time\n1,0.5\n".utf8, as: "table.wav")
        let found = await #expect(throws: SoundFileError.self) {
            try await SoundConversion.makeReadable(path, in: URL(filePath: folder.path("")))
        }
        #expect(found == .notAudio(path: path, reason: "Format not recognised"))
    }

    @Test func channelsThatCancelEachOtherAreHeardFromOne() throws {
        let stereo = sine(440, seconds: 0.5).flatMap { [$0, -$0] }
        let path = try folder.write(stereo, as: "twisted.wav", channels: 2)
        #expect(try SoundFileReader(path: path).readAll().contains { $0 > 0.4 })
        let quality = try RecordingQuality(path: path)
        #expect(quality.isHeardFromChannel1)
        #expect(quality.problemSentences.first?.hasSuffix("Channel 1 is used instead of the mix.") == true)
    }
}
