import Foundation
import Testing

@testable import Pictures

/// What a video says about its maker does not leave the house; picture and sound stay where they are.
@Suite struct CleanVideoTests {
    private static let place = "+52.5163+013.3777/"

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let size = UInt32(content.count + 8)
        return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8) + content
    }

    private static func track(_ handler: String, _ more: [UInt8] = []) -> [UInt8] {
        let head = box(
            "hdlr", Array(repeating: 0, count: 8) + Array(handler.utf8) + Array(repeating: 0, count: 12))
        let times = box(
            "mdhd", Array(repeating: 0, count: 4) + Array(repeating: 0xD5, count: 8) + [0, 0, 3, 0xE8])
        return box("trak", box("mdia", times + head) + more)
    }

    private static let pixels = box(
        "mdat", Array("udta is only a word here \(place)".utf8.dropLast(place.utf8.count)))
    private static let brought =
        box("ftyp", Array("isom".utf8)) + pixels
        + box(
            "moov",
            box("mvhd", Array(repeating: 0, count: 4) + Array(repeating: 0xD5, count: 8) + [0, 0, 3, 0xE8])
                + track("vide", box("udta", Array(place.utf8))) + track("soun")
                + track("meta", Array("gpmd \(place)".utf8))
                + box("meta", Array("location \(place)".utf8)))
        + box("uuid", Array("XMP \(place)".utf8))

    private func clean(_ bytes: [UInt8]) throws -> [UInt8] {
        let path = FileManager.default.temporaryDirectory.appending(path: "video-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try CleanVideo.removeNotes(fromMP4: path)
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func placeTimesAndTracksOfAJourneyBecomeFreeSpaceAndNothingMoves() throws {
        let clean = try clean(Self.brought)
        #expect(clean.count == Self.brought.count)
        #expect(text(Self.brought).contains(Self.place) && !text(clean).contains(Self.place))
        #expect(!clean.contains(0xD5), "the times of making are gone")
        #expect(text(clean).contains("vide") && text(clean).contains("soun") && !text(clean).contains("gpmd"))
        #expect(text(clean).contains("udta is only a word here"), "sound and picture are not looked at")
        #expect(try self.clean(clean) == clean)
    }

    @Test func aFileThatEndsTooEarlyOrLiesAboutItsSizesKeepsItsLength() throws {
        for count in 0..<Self.brought.count {
            #expect(try clean(Array(Self.brought.prefix(count))).count == count)
        }
        for at in Self.brought.indices {
            var wrong = Self.brought
            wrong[at] ^= 0xFF
            #expect(try clean(wrong).count == wrong.count)
        }
    }

    private static let ffmpeg = "/usr/bin/ffmpeg"

    private func run(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.ffmpeg)
        process.arguments = ["-nostdin", "-v", "error", "-xerror", "-y"] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: ffmpeg)),
        arguments: ["", "+faststart", "+frag_keyframe"])
    func aRealVideoPlaysAsBeforeAndSaysNothing(flags: String) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "video-\(UUID().uuidString).mp4")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let made = try run(
            ["-f", "lavfi", "-i", "testsrc=d=1:s=64x48", "-f", "lavfi", "-i", "sine=d=1"]
                + ["-metadata", "location=" + Self.place, "-metadata", "title=Our kitchen", "-c:v", "mpeg4"]
                + ["-c:a", "aac", "-movflags", "+use_metadata_tags" + flags, path])
        try #require(made == 0)
        #expect(text(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).contains("Our kitchen"))
        try CleanVideo.removeNotes(fromMP4: path)
        let clean = text(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(!clean.contains("Our kitchen") && !clean.contains(Self.place))
        #expect(try run(["-i", path, "-map", "0:v", "-map", "0:a", "-f", "null", "-"]) == 0)
    }
}
