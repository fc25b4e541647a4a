import Foundation
import Sound
import Testing

@testable import Listening
@testable import Preparation

@Suite struct SoundPictureTests {
    private func resampled(_ rate: Int, frequency: Double, seconds: Double = 1) -> [Float] {
        var resampler = Resampler(from: rate, to: SoundPictures.hertz)
        let input = (0..<Int(seconds * Double(rate))).map {
            Float(sin(2 * Double.pi * frequency * Double($0) / Double(rate)))
        }
        var output: [Float] = []
        // In uneven blocks: they must not show.
        var start = 0
        for length in [1, 7, 1_000, 333, Int.max] where start < input.count {
            let end = length == .max ? input.count : min(input.count, start + length)
            input[start..<end].withUnsafeBufferPointer { resampler.process($0, into: &output) }
            start = end
        }
        resampler.finish(into: &output)
        return output
    }

    @Test(arguments: [8_000, 11_025, 22_050, 32_000, 44_100, 48_000, 96_000])
    func theListeningCopyHasTheSameToneAtTheSameTime(rate: Int) {
        let output = resampled(rate, frequency: 1_000)
        #expect(abs(output.count - SoundPictures.hertz) <= 4)
        let wanted = (0..<SoundPictures.hertz).map {
            Float(sin(2 * Double.pi * 1_000 * Double($0) / Double(SoundPictures.hertz)))
        }
        let errors = zip(output, wanted).dropFirst(400).dropLast(400).map { abs($0 - $1) }
        #expect(errors.max() ?? 1 < 0.01)
    }

    @Test func whatTheCopyCannotHoldIsNotHeardInIt() {
        let output = resampled(96_000, frequency: 20_000)
        #expect(output.dropFirst(400).dropLast(400).map(abs).max() ?? 1 < 0.01)
    }

    @Test func aToneIsBrightInItsBandOnly() throws {
        var spectrum = SpectrumColumns()
        // A4 is three octaves above the lowest band.
        let tone = (0..<SoundPictures.hertz).map {
            Float(sin(2 * Double.pi * 440 * Double($0) / Double(SoundPictures.hertz)))
        }
        for start in stride(from: 0, to: tone.count, by: 1_000) { spectrum.add(tone[start..<start + 1_000]) }
        spectrum.finish()
        #expect(spectrum.bytes.count == 50 * SoundPictures.bandCount)
        let column = Array(spectrum.bytes[(25 * SoundPictures.bandCount)...].prefix(SoundPictures.bandCount))
        #expect(column[36] > 245)
        #expect(column[60] < 60)
    }

    @Test func everyLevelOfTheWaveFormKeepsItsExtremes() {
        var peaks = PeakColumns()
        var samples = [Float](repeating: 0.1, count: 100 * SoundPictures.samplesPerPeak + 5)
        samples[50 * SoundPictures.samplesPerPeak] = -1
        peaks.add(samples[...])
        peaks.finish()
        #expect(peaks.bytes.count == 2 * 101)
        var level = peaks.bytes
        for _ in 0..<3 { level = SoundPictures.coarserPeaks(level) }
        #expect(level.count == 2 * 2)
        #expect(Int8(bitPattern: level[0]) == -127)
    }

    @Test func theRecordingsFolderHasEveryLevelOfThePictures() async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePiece()
        _ = try await stage.upload(
            try stage.sound(seconds: 30, rate: 22_050), as: "a.wav", "recording", to: piece)
        await stage.service.queue.waitUntilDone()
        let recording = try #require(try await stage.service.library.record(piece).mainRecording)
        let place = "/api/prepare/pieces/\(piece)/recordings/\(recording.id)"
        let peaks = try await stage.respond(.get, place + "/peaks?level=0&tile=0")
        #expect(peaks.status == 200 && peaks.body.count == 2 * 1_024)
        let last = try await stage.respond(.get, place + "/peaks?level=0&tile=7")
        #expect(last.body.count == 2 * (7_500 - 7 * 1_024))
        let spectrum = try await stage.respond(.get, place + "/spectrum?level=1&tile=0")
        #expect(spectrum.body.count == 96 * 375)
        #expect(try await stage.respond(.get, place + "/peaks?level=0&tile=8").status == 404)
        #expect(try await stage.respond(.get, place + "/peaks?level=99&tile=0").status == 404)
        let copy = try SoundFileReader(
            path: stage.store.soundFolder(of: piece, recording.id) + "/listen.wav")
        #expect(copy.sampleRate.hertz == 32_000 && abs(copy.duration.value - 30) < 0.001)
    }
}
