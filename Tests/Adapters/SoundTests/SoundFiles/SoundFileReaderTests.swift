import Basics
import Sound
import Testing

@Suite struct SoundFileReaderTests {
    let folder: SoundFolder

    init() throws { folder = try SoundFolder() }

    @Test(arguments: ["a.wav", "a.flac", "a.FLAC"], [8_000.0, 22_050, 44_100, 48_000, 96_000])
    func losslessFilesComeBackToTheLastBit(name: String, hertz: Double) throws {
        let samples = sine(440, seconds: 0.1, rate: hertz)
        let path = try folder.write(samples, as: name, hertz: hertz)
        let reader = try SoundFileReader(path: path)
        #expect(reader.sampleRate == SampleRate(hertz: hertz))
        #expect(reader.frameCount == samples.count)
        #expect(reader.missingFrameCount == 0)
        #expect(reader.duration == Seconds(Double(samples.count) / hertz))
        let read = try reader.readAll()
        // Sixteen bits: half a step of 1/32768, and the writer's scale of 32767 on top.
        #expect(zip(read, samples).allSatisfy { abs($0 - $1) < 1.5 / 32_768 })
        #expect(reader.framesRead == samples.count)
    }

    @Test func floatsSurviveUnchanged() throws {
        let path = try folder.write([0, 0.25, -1, 1, 1e-9], as: "f.wav", depth: .float32)
        #expect(try SoundFileReader(path: path).readAll() == [0, 0.25, -1, 1, 1e-9])
    }

    @Test func vorbisKeepsLengthAndLoudness() throws {
        let path = try folder.write(sine(440, seconds: 1), as: "v.ogg")
        let reader = try SoundFileReader(path: path)
        #expect(reader.frameCount == 48_000)
        let read = try reader.readAll()
        let power = read.reduce(0) { $0 + $1 * $1 } / Float(read.count)
        #expect(abs(power - 0.125) < 0.01)
    }

    @Test func aChannelIsPickedOrAllAreMixed() throws {
        let stereo: [Float] = (0..<1000).flatMap { [Float($0) / 1024, -0.5] }
        let path = try folder.write(stereo, as: "s.wav", channels: 2, depth: .float32)
        let left = try SoundFileReader(path: path, channel: .singleChannel(1)).readAll()
        let right = try SoundFileReader(path: path, channel: .singleChannel(2)).readAll()
        let mix = try SoundFileReader(path: path, channel: .meanOfAllChannels).readAll()
        #expect(left == (0..<1000).map { Float($0) / 1024 })
        #expect(right == Array(repeating: -0.5, count: 1000))
        #expect(mix == left.map { ($0 - 0.5) / 2 })
    }

    @Test(arguments: [1, 64, 441, 4096, 10_000], [1, 100, 4096])
    func blocksOfAnySizeGiveTheSameSamples(request: Int, blockFrames: Int) throws {
        let samples = (0..<5000).map { Float($0) / 8192 }
        let path = try folder.write(samples, as: "b.wav", depth: .float32)
        let reader = try SoundFileReader(path: path, blockFrames: blockFrames)
        var read: [Float] = []
        var block = [Float](repeating: .nan, count: request)
        while true {
            let count = try block.withUnsafeMutableBufferPointer { try reader.read(into: $0) }
            if count == 0 { break }
            read += block.prefix(count)
        }
        #expect(read == samples)
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, 3e38, -3e38, 2e10])
    func whatIsNoSoundIsRefusedWithItsPlace(value: Float) throws {
        var samples = [Float](repeating: 0.25, count: 30_000)
        samples[20_001] = value
        let path = try folder.write(samples, as: "n.wav", channels: 2, depth: .float32)
        let reader = try SoundFileReader(path: path)
        do throws(SoundFileError) {
            _ = try reader.readAll()
            Issue.record("\(value) passed")
        } catch {
            guard case .invalidSample(path, let seconds, 2, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(abs(seconds - 10_000 / reader.sampleRate.hertz) < 1e-6)
            #expect(error.sentence.contains("channel 2") && error.sentence.hasSuffix("FLAC."))
        }
        // The survey, with which a preparation begins, refuses it too.
        #expect(throws: SoundFileError.self) { try RecordingQuality(path: path) }
    }

    /// Floats over full scale, and in the range of 32-bit integers, are what some programs write.
    @Test func loudFloatsAreStillSound() throws {
        let path = try folder.write([1.5, -32_768, 2_147_483_648], as: "l.wav", depth: .float32)
        #expect(try SoundFileReader(path: path).readAll() == [1.5, -32_768, 2_147_483_648])
    }
}

@Suite struct SoundFileWriterTests {
    let folder: SoundFolder

    init() throws { folder = try SoundFolder() }

    @Test func tooLoudIsClippedNotWrapped() throws {
        let path = try folder.write([2, -2, 0], as: "c.wav")
        let read = try SoundFileReader(path: path).readAll()
        #expect(read[0] > 0.999 && read[1] == -1 && read[2] == 0)
    }

    @Test func whatCannotBeWrittenIsSaidBeforeAnythingIs() throws {
        let rate = SampleRate(hertz: 48_000)
        let odd = folder.path("a.xyz")
        #expect(throws: SoundFileError.unknownFileExtension(path: odd)) {
            try SoundFileWriter(path: odd, rate: rate)
        }
        let flac = folder.path("a.flac")
        #expect(
            throws: SoundFileError.unwritableFormat(path: flac, hertz: 48_000, channels: 1, depth: .float32)
        ) { try SoundFileWriter(path: flac, rate: rate, depth: .float32) }
        #expect(
            throws: SoundFileError.unwritableFormat(path: flac, hertz: 48_000, channels: 0, depth: .integer16)
        ) { try SoundFileWriter(path: flac, rate: rate, channels: 0) }
        let nowhere = folder.path("missing/a.wav")
        #expect(
            throws: SoundFileError.notWritten(
                path: nowhere, reason: "System error : No such file or directory")
        ) {
            try SoundFileWriter(path: nowhere, rate: rate)
        }
    }

    @Test func closingTwiceIsHarmlessAndWritingAfterwardsIsAnError() throws {
        let path = folder.path("d.wav")
        let writer = try SoundFileWriter(path: path, rate: SampleRate(hertz: 8000))
        try writer.write([0, 0])
        try writer.close()
        try writer.close()
        #expect(throws: SoundFileError.notWritten(path: path, reason: "it is already closed")) {
            try writer.write([0])
        }
    }
}
