import Foundation
import Testing

@testable import Concert
@testable import Preparation
@testable import TestHelpers

/// Files arrive in chunks and continue after a cut; what cannot be used is refused with a sentence that helps.
@Suite struct UploadTests {
    private struct New: Encodable { var name: String, bytes: Int, purpose: String }

    @Test func anUploadContinuesAfterACutAndARestart() async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePiece()
        let sound = try stage.sound(seconds: 2)
        let place = "/api/prepare/pieces/\(piece)/uploads"
        let begun = try await stage.ask(
            .post, place, New(name: "a.wav", bytes: sound.count, purpose: "recording"))
        let upload = place + "/" + (try #require(begun.json["upload"] as? String))
        #expect(try await stage.ask(.put, upload + "?offset=0", bytes: Array(sound[..<9_000])).status == 200)
        try stage.restartAfterKill()
        #expect(try await stage.ask(.get, upload).json["received"] as? Int == 9_000)
        let wrong = try await stage.ask(.put, upload + "?offset=4000", bytes: Array(sound[4_000...]))
        #expect(wrong.status == 409 && wrong.json["received"] as? Int == 9_000)
        let last = try await stage.ask(.put, upload + "?offset=9000", bytes: Array(sound[9_000...]))
        #expect(last.status == 200 && last.json["done"] as? Bool == true)
        await stage.service.queue.waitUntilDone()
        let record = try await stage.service.library.record(piece)
        #expect(record.mainRecording?.seconds == 2)
        #expect(try await stage.ask(.get, upload).status == 404)
    }

    @Test func anUploadThatIsGivenUpIsGone() async throws {
        let stage = try PreparationStage()
        let place = "/api/prepare/pieces/\(try await stage.makePiece())/uploads"
        let begun = try await stage.ask(.post, place, New(name: "a.wav", bytes: 100, purpose: "recording"))
        let upload = place + "/" + (try #require(begun.json["upload"] as? String))
        #expect(try await stage.ask(.delete, upload).status == 200)
        #expect(try await stage.ask(.put, upload + "?offset=0", bytes: [1]).status == 404)
    }

    @Test func theUploadThatRestedLongestMakesRoomForAnotherOne() async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePiece()
        let place = "/api/prepare/pieces/\(piece)/uploads"
        let file = New(name: "a.wav", bytes: 100, purpose: "recording")
        for _ in 0..<DraftUploads.mostUploadsOfPiece {
            #expect(try await stage.ask(.post, place, file).status == 200)
        }
        // All of them were continued a moment ago.
        let folder = stage.store.uploadsFolder(of: piece)
        let ids = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let now = Double(PreparationStage.now) / 1_000
        func rest(_ id: String, seconds: Double) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: now - seconds)],
                ofItemAtPath: "\(folder)/\(id)/a.wav")
        }
        for id in ids { try rest(id, seconds: 599) }
        let refused = try await stage.ask(.post, place, file)
        #expect(refused.status == 422 && refused.json["code"] as? String == "too-many")
        try rest(ids[7], seconds: 700)
        try rest(ids[9], seconds: 800)
        #expect(try await stage.ask(.post, place, file).status == 200)
        #expect(try await stage.ask(.get, place + "/" + ids[9]).status == 404)
        #expect(try await stage.ask(.get, place + "/" + ids[7]).status == 200)
    }

    @Test func theSameRecordingTwiceIsTakenWithAWarning() async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePiece()
        let sound = try stage.sound(seconds: 2)
        for _ in 0..<2 {
            #expect(try await stage.upload(sound, as: "a.wav", "recording", to: piece).status == 200)
            await stage.service.queue.waitUntilDone()
        }
        let json = try await stage.ask(.get, "/api/prepare/pieces/\(piece)").json
        let recordings = json["recordings"] as? [[String: Any]] ?? []
        let saysTwice = recordings.map { recording in
            (recording["warnings"] as? [String] ?? []).contains {
                $0.contains("the name and the length of another")
            }
        }
        #expect(saysTwice == [false, true])
    }

    @Test func filesThatAreNoRecordingsAreRefusedWithAdvice() async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePiece()
        let mp4 = MPEG4File.bytes([("vide", "avc1"), ("soun", "mp4a")], brand: "isom")
        let lossless = MPEG4File.bytes([("soun", "alac")])
        let pdf = Array("%PDF-1.4".utf8) + [UInt8](repeating: 7, count: 3_000)
        let partwise = Array("<?xml version='1.0'?>\n<score-partwise version='4.0'/>".utf8)
        let cases: [(String, [UInt8], String)] = [
            ("film.mp4", mp4, "is a video. Take its sound out first, with VLC"),
            ("song.m4a", mp4, "is AAC audio, which cannot be read here. Convert it first, with VLC"),
            (
                "memo.m4a", lossless,
                "is Apple Lossless audio (ALAC), which cannot be read here. Convert it first, with VLC"
            ),
            ("broken.mp4", Array(mp4.prefix(1_000)), "is an incomplete MPEG-4 file"),
            ("bought.m4p", mp4, "is protected against copying"),
            ("page.mp3", pdf, "is a PDF, not a recording. If it is a score for the stands, add it on"),
            ("empty.mp3", [UInt8](repeating: 7, count: 3_000), "(its content is of another kind)"),
            ("score.musicxml", partwise, "is a score (MusicXML), not a recording. Give it under “Score” of"),
            ("score.xml", partwise, "is a score (MusicXML), not a recording"),
            ("score.flac", Array("MThd".utf8) + pdf, "is a score (MIDI), not a recording"),
            ("score.mxl", Array("PK".utf8) + pdf, "or by “Add the score” on the page of the piece"),
            ("score.mei", Array("<?xml version='1.0'?><mei/>".utf8), "MEI cannot be read here. Export it as"),
            ("score.mscz", Array("PK".utf8) + pdf, "is a score (MuseScore), not a recording. Export it"),
            ("notes.txt", Array("hello, hello".utf8), "is not audio that can be read here"),
            ("nothing.wav", Array(try stage.sound(seconds: 0)), "holds no audio"),
        ]
        for (name, bytes, sentence) in cases {
            let answer = try await stage.upload(bytes, as: name, "recording", to: piece)
            #expect(answer.status == 422, "\(name)")
            let said = answer.json["error"] as? String ?? ""
            #expect(said.contains(sentence) && said.contains("“\(name)”"), "\(said)")
        }
        #expect(try await stage.service.library.record(piece).recordings.isEmpty)
        let empty = try await stage.ask(
            .post, "/api/prepare/pieces/\(piece)/uploads", New(name: "a.wav", bytes: 0, purpose: "recording"))
        #expect(empty.status == 422 && empty.json["code"] as? String == "empty")
        let huge = try await stage.ask(
            .post, "/api/prepare/pieces/\(piece)/uploads",
            New(name: "a.wav", bytes: 3 << 30, purpose: "recording"))
        #expect(huge.status == 422 && huge.json["code"] as? String == "too-large")
    }

    @Test(arguments: [#""yes""#, "1", "[]"]) func isForFileOfAWrongTypeIsRefused(_ value: String) async throws
    {
        let stage = try PreparationStage()
        let body = Array(#"{"name":"Minuet","isForFile":\#(value)}"#.utf8)
        let answer = try await stage.ask(.post, "/api/prepare/pieces", bytes: body)
        #expect(answer.status != 200 && answer.json["code"] as? String == "bad-json", "\(answer.json)")
        #expect(stage.store.pieceIDs().isEmpty)
    }

    @Test func aPieceThatWasMadeForARefusedFileIsRemovedAgain() async throws {
        struct Wanted: Encodable { var name = "Minuet", isForFile: Bool? }
        let stage = try PreparationStage()
        let pieces = "/api/prepare/pieces"
        func make(_ wanted: Wanted) async throws -> String {
            try #require(try await stage.ask(.post, pieces, wanted).json["id"] as? String)
        }
        func remove(_ piece: String) async throws -> (Int, String?) {
            let answer = try await stage.ask(.delete, "\(pieces)/\(piece)?unused=true")
            return (answer.status, answer.json["code"] as? String)
        }
        let piece = try await make(Wanted(isForFile: true))
        let refused = try await stage.upload(Array("no sound".utf8), as: "a.wav", "recording", to: piece)
        #expect(refused.status == 422)
        // A restart changes nothing.
        try stage.restartAfterKill()
        #expect(try await remove(piece) == (200, nil))
        #expect(stage.store.pieceIDs().isEmpty)
        #expect(try await remove(piece) == (404, "no-piece"))

        // Kept are a piece that somebody made as it is, one with an edit, with an upload that can go on, with a file.
        #expect(try await remove(try await make(Wanted())) == (409, "in-use"))
        let edited = try await make(Wanted(isForFile: true))
        try await stage.service.library.change(edited) { record in
            record.draft.apply([.beatsPerBar(beats: 3)]).applied
        }
        #expect(try await remove(edited) == (409, "in-use"))
        let begun = try await make(Wanted(isForFile: true))
        let file = New(name: "a.wav", bytes: 100, purpose: "recording")
        #expect(try await stage.ask(.post, "\(pieces)/\(begun)/uploads", file).status == 200)
        #expect(try await remove(begun) == (409, "in-use"))
        let filled = try await make(Wanted(isForFile: true))
        let sound = try stage.sound(seconds: 2)
        #expect(try await stage.upload(sound, as: "a.wav", "recording", to: filled).status == 200)
        #expect(try await remove(filled) == (409, "in-use"))
        await stage.service.queue.waitUntilDone()
        #expect(stage.store.pieceIDs().count == 4)
    }

    @Test func theListNamesTheRecordingsTheMainOneFirst() async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePieceWithTwoBars()
        try await stage.service.library.change(piece) { record in
            record.recordings.append(
                DraftRecording(
                    id: "r2", name: "b.flac", file: "b.flac", seconds: 21, sampleRate: 44_100, channels: 2))
            record.main = "r2"
            return nil
        }
        let answer = try await stage.respond(.get, "/api/prepare/pieces")
        let list = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]]
        #expect(list?.first?["recordings"] as? [String] == ["b.flac", "a.flac"])
    }

    @Test func aRecordingOfSevenHoursIsRefusedByItsHeader() async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePiece()
        // 4,000 samples a second of one byte are 100 MB; a header that says so is enough.
        var file = try stage.sound(seconds: 1, rate: 4_000)
        let bytes = 7 * 3_600 * 4_000 * 2
        func put(_ value: Int, at index: Int) {
            for byte in 0..<4 { file[index + byte] = UInt8(value >> (8 * byte) & 0xFF) }
        }
        put(bytes + 36, at: 4)
        put(bytes, at: 40)
        let sparse = stage.folder + "/seven.wav"
        try Data(file[..<44]).write(to: URL(fileURLWithPath: sparse))
        truncate(sparse, off_t(bytes + 44))
        #expect {
            _ = try UploadedRecordingCheck.check(sparse)
        } throws: { error in
            (error as? PreparationError)?.sentences.first?.contains("lasts 420 minutes") == true
        }
        _ = piece
    }

    @Test func aVoiceMemoIsTakenInWithAWarning() async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePiece()
        let answer = try await stage.upload(
            try stage.sound(seconds: 3), as: "memo.wav", "recording", to: piece)
        #expect(answer.status == 200)
        await stage.service.queue.waitUntilDone()
        let recording = try #require(try await stage.service.library.record(piece).mainRecording)
        #expect(recording.isReady)
        #expect(recording.warnings.contains { $0.contains("8000 samples a second, like a voice memo") })
    }

    @Test func aSilentRecordingIsSaidToBeSilent() async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePiece()
        _ = try await stage.upload(
            try stage.sound(seconds: 3, gain: 0), as: "mute.wav", "recording", to: piece)
        await stage.service.queue.waitUntilDone()
        let recording = try #require(try await stage.service.library.record(piece).mainRecording)
        #expect(!recording.isReady)
        #expect(recording.warnings.contains { $0.contains("There is nothing to hear") })
    }

    @Test func measureTimesReplaceTheBarsAsOneEditAndGoOutInEveryFormat() async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePiece()
        let place = "/api/prepare/pieces/\(piece)"
        let csv = "measure,time\n1,0.5\n2,2.5\n1,4.5\n2,6.5\nend,8.5\n"
        let imported = try await stage.ask(
            .post, place + "/bars/import?name=bars.csv", bytes: Array(csv.utf8))
        #expect(imported.status == 200 && imported.json["revision"] as? Int == 1)
        for format in ["csv", "audacity", "content"] {
            let text = try await stage.respond(.get, place + "/bars/export?format=\(format)")
            #expect(text.status == 200)
            let again = try await stage.ask(.post, place + "/bars/import?name=again", bytes: text.body)
            #expect(again.status == 200, "\(format): \(again.json)")
            let draft = try await stage.service.library.record(piece).draft
            #expect(draft.bars.map(\.printed) == [1, 2, 1, 2])
            #expect(draft.bars.map(\.seconds) == [0.5, 2.5, 4.5, 6.5])
        }
        let bad = try await stage.ask(
            .post, place + "/bars/import", bytes: Array("measure,time\n1,5\n2,3\n".utf8))
        #expect(bad.status == 422)
        let words = try await stage.ask(
            .post, place + "/bars/import?name=a.txt", bytes: Array("1,2\n2,4\n".utf8))
        #expect(
            words.status == 422 && !(words.json["error"] as? String ?? "--").contains("--"), "\(words.json)")
        #expect(try await stage.ask(.get, place + "/bars/export?format=doc").status == 422)
    }
}
