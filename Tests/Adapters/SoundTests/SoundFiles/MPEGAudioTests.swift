import Basics
import Sound
import Testing

/// MP3 files as people bring them: without a header that says their length, or with a wrong one.
@Suite struct MPEGAudioTests {
    let folder: SoundFolder

    init() throws { folder = try SoundFolder() }

    /// Silent frames of 44.1 kHz in stereo. Frames of 128 kbit/s have 417 bytes, or 418 with padding.
    private static func frame(kilobitsCode: UInt8 = 9, isPadded: Bool = false) -> [UInt8] {
        let kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][Int(kilobitsCode)]
        let head: [UInt8] = [0xFF, 0xFB, kilobitsCode << 4 | (isPadded ? 2 : 0), 0x00]
        return head + [UInt8](repeating: 0, count: 144_000 * kilobits / 44_100 + (isPadded ? 1 : 0) - 4)
    }

    private static func frames(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { frame(isPadded: $0 % 25 != 0) }
    }

    private static func info(promising count: Int) -> [UInt8] {
        var info = frame(isPadded: true)
        info.replaceSubrange(36..<44, with: Array("Info".utf8) + [0, 0, 0, 1])
        info.replaceSubrange(44..<48, with: [0, 0, UInt8(count >> 8), UInt8(count & 0xFF)])
        return info
    }

    /// 100 frames are 2.61 s.
    private static let complete: [(name: String, bytes: [UInt8])] = [
        ("without-info", frames(100)),
        (
            "picture",
            Array("ID3".utf8) + [3, 0, 0, 0, 3, 0x50, 0] + [UInt8](repeating: 0xFF, count: 59_392)
                + frames(100)
        ),
        (
            "tags-after",
            frames(100) + Array("APETAGEX".utf8) + [UInt8](repeating: 1, count: 30_000) + Array("TAG".utf8)
                + [UInt8](repeating: 0x20, count: 125)
        ),
        ("thin-beginning", (0..<10).flatMap { _ in frame(kilobitsCode: 1) } + frames(90)),
        ("thick-beginning", (0..<10).flatMap { _ in frame(kilobitsCode: 14) } + frames(90)),
        ("cut-by-an-editor", info(promising: 400) + frames(100)),
        ("joined", info(promising: 50) + frames(50) + frames(50)),
    ]

    @Test(arguments: complete.indices) func aCompleteFileIsReadToItsEnd(index: Int) throws {
        let (name, bytes) = Self.complete[index]
        let path = try folder.write(bytes: bytes, as: name + ".mp3")
        let reader = try SoundFileReader(path: path)
        #expect(reader.missingFrameCount == 0, "\(name)")
        #expect(abs(reader.duration.value - 2.61) < 0.04, "\(name): \(reader.duration.value)")
        #expect(try reader.readAll().count == reader.frameCount, "\(name)")
        let quality = try RecordingQuality(path: path)
        #expect(quality.truncationSentence == nil, "\(name)")
    }

    @Test func everyPartOfACompletedFileIsReached() throws {
        let reader = try SoundFileReader(path: folder.write(bytes: Self.complete[3].bytes, as: "a.mp3"))
        let last = reader.frameCount - 1_000
        try reader.seek(toFrame: last)
        #expect(try reader.readAll().count == 1_000)
        try reader.seek(toFrame: 0)
        #expect(try reader.readAll().count == reader.frameCount)
    }

    @Test func aFileThatEndsBeforeItsInfoHeaderSaysIsCutShort() throws {
        let bytes = Self.info(promising: 400) + Self.frames(100).dropLast(200)
        let path = try folder.write(bytes: bytes, as: "cut.mp3")
        let said = try RecordingQuality(path: path).truncationSentence
        #expect(said?.contains("s of 10.4 s. Copy it again.") == true, "\(said ?? "")")
    }
}
