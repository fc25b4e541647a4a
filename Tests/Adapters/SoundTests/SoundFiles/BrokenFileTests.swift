import Basics
import Sound
import Testing

@testable import TestHelpers

@Suite struct BrokenFileTests {
    let folder: SoundFolder

    init() throws { folder = try SoundFolder() }

    @Test func aMissingFileIsNamed() {
        let path = folder.path("nowhere.wav")
        #expect(error(path) == .missing(path: path))
        #expect(error(path + "/below.wav") == .missing(path: path + "/below.wav"))
    }

    @Test func aFolderIsNoRecording() {
        let path = folder.path("")
        #expect(error(path) == .unreadable(path: path, reason: "it is a folder"))
    }

    @Test func junkIsNotAudio() throws {
        let path = try folder.write(bytes: "measure,time\n1,0.5\n".utf8, as: "table.wav")
        #expect(error(path) == .notAudio(path: path, reason: "Format not recognised"))
    }

    @Test func nothingAtAllIsEmpty() throws {
        let none = try folder.write(bytes: [], as: "zero.flac")
        #expect(error(none) == .empty(path: none))
        let headerOnly = try folder.write([], as: "header.wav")
        #expect(error(headerOnly) == .empty(path: headerOnly))
    }

    @Test(arguments: ["movement.m4a", "movement.wav"])
    func aacIsRecognisedWhateverItIsCalled(name: String) throws {
        let path = try folder.write(bytes: MPEG4File.bytes([("vide", "avc1"), ("soun", "mp4a")]), as: name)
        let found = try #require(error(path))
        #expect(found == .compressedUnsupported(path: path, sound: .aac))
        let output = path.dropLast(4) + ".flac"
        #expect(found.sentence.hasSuffix("ffmpeg -i '\(path)' '\(output)'"))
        let bare = try folder.write(bytes: [0xFF, 0xF1] + [UInt8](repeating: 0, count: 64), as: "bare.aac")
        #expect(error(bare) == .compressedUnsupported(path: bare, sound: .aac))
    }

    @Test func aMemoIsCalledWhatItIs() throws {
        let cases: [(entry: String, sound: CompressedSound, words: String)] = [
            (
                "alac", .appleLossless,
                "is Apple Lossless audio (ALAC), which cannot be read here. Convert it first"
            ),
            ("drms", .protected, "is protected against copying"),
            (
                "ac-3", .other(letters: "ac-3"),
                "is audio of the kind “ac-3” in an MPEG-4 file, which cannot be read"
            ),
            ("a\n\"b", .other(letters: "a?\"b"), "is audio of the kind “a?\"b”"),
        ]
        for (entry, sound, words) in cases {
            let path = try folder.write(bytes: MPEG4File.bytes([("soun", entry)]), as: "memo.m4a")
            let found = error(path)
            #expect(found == .compressedUnsupported(path: path, sound: sound))
            #expect(found?.sentence.contains("“\(path)” " + words) == true, "\(found?.sentence ?? "")")
        }
        let silent = try folder.write(bytes: MPEG4File.bytes([("vide", "avc1")]), as: "silent.m4a")
        #expect(error(silent) == .compressedUnsupported(path: silent, sound: .silent))
    }

    /// Wherever a memo is cut off, and whatever lengths its boxes claim: a sentence, and soon.
    @Test func aBrokenMemoIsIncompleteOrWithoutSound() throws {
        let bytes = MPEG4File.bytes([("soun", "alac")])
        let cut = try folder.write(bytes: bytes.prefix(1_500), as: "cut.m4a")
        #expect(error(cut) == .compressedUnsupported(path: cut, sound: .incomplete))
        #expect(error(cut)?.sentence.contains("the recording or the copy was broken off") == true)
        for length in stride(from: 8, to: bytes.count, by: 7) {
            let path = try folder.write(bytes: bytes.prefix(length), as: "cut.m4a")
            guard case .compressedUnsupported = error(path) else {
                Issue.record("at \(length): \(String(describing: error(path)))")
                continue
            }
        }
        for size in [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 7], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]] {
            for at in stride(from: 0, to: bytes.count - 4, by: 4) where at < 32 || at > 2_000 {
                var wrong = bytes
                wrong.replaceSubrange(at..<(at + 4), with: size)
                let path = try folder.write(bytes: wrong, as: "wrong.m4a")
                #expect(error(path) != nil)
            }
        }
        let start = ContinuousClock.now
        let boxes = Array(repeating: [0, 0, 0, 8] + Array("trak".utf8), count: 1 << 18).flatMap(\.self)
        let many = [0, 0, 0, 8] + Array("ftyp".utf8) + [0, 0x20, 0, 8] + Array("moov".utf8) + boxes
        let path = try folder.write(bytes: many, as: "many.m4a")
        #expect(error(path) == .compressedUnsupported(path: path, sound: .silent))
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test func aMissingChannelIsRefused() throws {
        let path = try folder.write([0, 0], as: "s.wav", channels: 2)
        #expect(error(path, channel: .singleChannel(3)) == .noSuchChannel(path: path, wanted: 3, channels: 2))
        #expect(error(path, channel: .singleChannel(0)) == .noSuchChannel(path: path, wanted: 0, channels: 2))
    }

    @Test func absurdHeadersAreRefused() throws {
        try folder.write(Array(repeating: 0, count: 2000), as: "good.wav")
        var bytes = try folder.bytes(of: "good.wav")
        bytes[24..<28] = [0xFF, 0xFF, 0xFF, 0x7F]
        let fast = try folder.write(bytes: bytes, as: "fast.wav")
        #expect(error(fast) == .absurdSampleRate(path: fast, hertz: 2_147_483_647, allowed: 4_000...768_000))

        bytes = try folder.bytes(of: "good.wav")
        bytes[22..<24] = [100, 0]
        bytes[32..<34] = [200, 0]
        let wide = try folder.write(bytes: bytes, as: "wide.wav")
        #expect(error(wide) == .tooManyChannels(path: wide, channels: 100, limit: 64))
    }

    @Test func aShortWAVSaysHowMuchIsMissing() throws {
        try folder.write(Array(repeating: 0.5, count: 1000), as: "w.wav")
        let cut = try folder.write(bytes: folder.bytes(of: "w.wav").dropLast(500), as: "cut.wav")
        let reader = try SoundFileReader(path: cut)
        #expect(reader.frameCount == 750)
        #expect(reader.missingFrameCount == 250)
    }

    @Test func aShortWAVDeliversWhatItHasAndThenSaysWhereItEnds() throws {
        try folder.write(Array(repeating: 0.5, count: 24_000), as: "w.wav", hertz: 8_000)
        let cut = try folder.write(bytes: folder.bytes(of: "w.wav").dropLast(24_000), as: "cut.wav")
        let reader = try SoundFileReader(path: cut)
        let all = UnsafeMutableBufferPointer<Float>.allocate(capacity: 24_000)
        defer { all.deallocate() }
        #expect(try reader.read(into: all) == 12_000)
        for _ in 1...2 {
            let found = #expect(throws: SoundFileError.self) { try reader.read(into: all) }
            #expect(
                found?.sentence.contains("is cut short: it ends at 1.5 s of 3.0 s (the file ends there)")
                    == true)
        }
    }

    /// Recorders that write into a pipe cannot know the length, and write the longest.
    @Test(arguments: [0x7FFF_F000, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
    func aLengthThatNobodyKnewIsNoPromise(length: UInt32) throws {
        try folder.write(Array(repeating: 0.5, count: 1000), as: "w.wav")
        var bytes = try folder.bytes(of: "w.wav")
        bytes[40..<44] = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }[...]
        let reader = try SoundFileReader(path: try folder.write(bytes: bytes, as: "pipe.wav"))
        #expect(reader.missingFrameCount == 0)
        #expect(try reader.readAll().count == 1000)
    }

    @Test func aShortFLACDeliversWhatItHasAndThenSaysSo() throws {
        let noise = (0..<96_000).map { Float(($0 &* 7919) % 2001 - 1000) / 2000 }
        try folder.write(noise, as: "n.flac")
        let bytes = try folder.bytes(of: "n.flac")
        let cut = try folder.write(bytes: bytes.prefix(bytes.count / 2), as: "cut.flac")
        let reader = try SoundFileReader(path: cut)
        let found = #expect(throws: SoundFileError.self) { try reader.readAll() }
        guard case .truncated(cut, let read, 96_000, _, _) = found else {
            Issue.record("not truncated: \(String(describing: found))")
            return
        }
        #expect((1..<96_000).contains(read))
    }

    /// Whatever is cut off: an error or fewer samples, never a crash or an endless read.
    @Test(arguments: ["t.wav", "t.flac", "t.ogg"])
    func everyTruncationEndsInOrder(name: String) throws {
        try folder.write(sine(300, seconds: 0.1, rate: 8000), as: name, hertz: 8000)
        let bytes = try folder.bytes(of: name)
        for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 300)) {
            let path = try folder.write(bytes: bytes.prefix(length), as: "cut-\(name)")
            do throws(SoundFileError) {
                let read = try SoundFileReader(path: path).readAll()
                #expect(read.count <= 800)
            } catch {
                #expect(error.sentence.contains(path))
            }
        }
    }

    private func error(_ path: String, channel: AudioChannelChoice = .meanOfAllChannels) -> SoundFileError? {
        do throws(SoundFileError) {
            _ = try SoundFileReader(path: path, channel: channel)
            return nil
        } catch {
            return error
        }
    }
}
