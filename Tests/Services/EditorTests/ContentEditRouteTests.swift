import Concert
import Foundation
import Hummingbird
import RouterTesting
import Testing

@testable import Audience
@testable import Catalogue
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers
@testable import WebServer

/// Editing over HTTP, as the editors' pages do.
@Suite(.ownThreads) struct ContentEditRouteTests {
    let stage: ContentStage

    init() async throws { stage = try await ContentStage() }

    private struct Edited: Decodable {
        var revision: Int
        var ids: [String]
    }

    private struct Refused: Decodable {
        struct Conflict: Decodable {
            var field: String?
            var mine: String?
            var theirs: String?
            var author: String?
        }

        var error: String
        var code: String
        var conflicts: [Conflict]?
    }

    private struct Concert: Decodable {
        struct Piece: Decodable {
            struct Track: Decodable {
                struct Slide: Decodable {
                    struct Part: Decodable {
                        var text: String?
                        var image: String?
                    }

                    var played: Int?
                    var measure: Int
                    var parts: [Part]
                }

                var name: String
                var slides: [Slide]
            }

            var name: String
            var tracks: [Track]
            var measures: [Measure]
        }

        struct Measure: Decodable { var printed: Int }

        var revision: String
        var pieces: [Piece]
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ response: TestResponse) throws -> Value {
        try JSONDecoder().decode(type, from: Data(Array(buffer: response.body)))
    }

    private func concert() async throws -> Concert {
        try decode(Concert.self, try await stage.ask("/api/audience/concert"))
    }

    @Test func onlyEditorsGetIn() async throws {
        for path in [
            "/api/edit/concerts", "/api/edit/concerts/1", "/api/edit/concerts/1/history", "/api/edit/audio/x",
        ] {
            #expect(try await stage.ask(path).status == .unauthorized)
            #expect(try await stage.ask(path, as: "ines").status == .forbidden)
        }
        #expect(try await stage.ask("/api/edit/concerts/1", as: "ed").status == .ok)
        // Another site's page cannot add the header that a change needs.
        let forged = try await stage.ask(
            "/api/edit/concerts/1/undo", .post, as: "ed", body: [], ["X-Baton": "0"])
        #expect(forged.status == .forbidden)
    }

    @Test func aLateEditReachesTheAudienceWithANewTagAndAnEvent() async throws {
        let old = try await stage.ask("/api/audience/concert")
        let tag = try #require(old.headers[.eTag])
        #expect(try await stage.ask("/api/audience/concert", ["If-None-Match": tag]).status == .notModified)
        let slide = try stage.first(.slide)
        let response = try await stage.edit(
            #"{"base":1,"label":"typo","changes":[{"set":"\#(slide)","field":"text","to":"Late word"}]}"#)
        #expect(try decode(Edited.self, response).revision == 2)
        let new = try await stage.ask("/api/audience/concert", ["If-None-Match": tag])
        #expect(new.status == .ok)
        #expect(try decode(Concert.self, new).pieces[0].tracks[0].slides[0].parts.first?.text == "Late word")
        #expect(
            stage.desk.publisher.audienceEventHub.newestValue("content").map {
                String(decoding: $0, as: UTF8.self)
            }?
            .hasPrefix(
                #"{"pieces":["Bach, Well-Tempered Clavier I: Prelude in C"],"revision":"1.2","versions":{"#
            )
                == true)
        // The apps that know XML only get it too.
        #expect(
            try await stage.text("/getData.php?database1=Bach,Well-TemperedClavierI:PreludeinC").contains(
                "Late word"))
    }

    @Test func twoEditorsAtOnceKeepEachOthersWork() async throws {
        let slide = try stage.first(.slide)
        let track = try stage.first(.track)
        #expect(
            try await stage.edit(
                #"{"base":1,"changes":[{"set":"\#(slide)","field":"text","to":"Ed"}]}"#, as: "ed"
            ).status
                == .ok)
        #expect(
            try await stage.edit(
                #"{"base":1,"changes":[{"set":"\#(track)","field":"name","to":"Flo"}]}"#, as: "flo"
            ).status
                == .ok)
        let response = try await stage.edit(
            #"{"base":1,"changes":[{"set":"\#(slide)","field":"text","to":"Flo"}]}"#, as: "flo")
        #expect(response.status == .conflict)
        let refused = try decode(Refused.self, response)
        #expect(refused.code == "conflict")
        #expect(refused.conflicts?.first?.mine == "Flo")
        #expect(refused.conflicts?.first?.theirs == "Ed")
        #expect(refused.conflicts?.first?.author == "ed")
        let seen = try await concert().pieces[0].tracks[0]
        #expect(seen.name == "Flo")
        #expect(seen.slides[0].parts.first?.text == "Ed")
    }

    @Test func manyEditorsAtOnceLoseNothing() async throws {
        let track = try stage.first(.track)
        let before = try await concert().pieces[0].tracks[0].slides.count
        try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await stage.edit(
                        #"{"base":1,"changes":[{"insert":"slide","in":"\#(track)","fields":{"text":"n\#(number)","played":"3"}}]}"#,
                        as: number.isMultiple(of: 2) ? "ed" : "flo"
                    ).status
                }
            }
            for try await status in group { #expect(status == .ok) }
        }
        let slides = try await concert().pieces[0].tracks[0].slides
        #expect(slides.count == before + 20)
        let texts = Set(slides.compactMap { $0.parts.first?.text })
        #expect(texts.isSuperset(of: (0..<20).map { "n\($0)" }))
        #expect(slides.last?.played == 3)
    }

    @Test func undoAndRedoGoByPerson() async throws {
        let slide = try stage.first(.slide)
        let old = try await concert().pieces[0].tracks[0].slides[0].parts.first?.text
        _ = try await stage.edit(
            #"{"base":1,"changes":[{"set":"\#(slide)","field":"text","to":"new"}]}"#, as: "ed")
        #expect(
            try await stage.ask("/api/edit/concerts/1/undo", .post, as: "flo", body: []).status == .conflict)
        #expect(try await stage.ask("/api/edit/concerts/1/undo", .post, as: "ed", body: []).status == .ok)
        #expect(try await concert().pieces[0].tracks[0].slides[0].parts.first?.text == old)
        #expect(try await stage.ask("/api/edit/concerts/1/redo", .post, as: "ed", body: []).status == .ok)
        #expect(try await concert().pieces[0].tracks[0].slides[0].parts.first?.text == "new")
        #expect(try await stage.text("/api/edit/concerts/1/history", as: "flo").contains(#""course":"redo""#))
    }

    @Test func aPieceIsMadeFromNothing() async throws {
        let made = try await stage.edit(
            """
            {"base":1,"changes":[
              {"insert":"piece","id":"p1","in":"concert","fields":{"name":"Ives, The Unanswered Question: All","measures":"1 0.5\\n2 4\\n3 8.25","endPrinted":"3","endTime":"12"}},
              {"insert":"track","id":"t1","in":"p1","fields":{"name":"The Music","language":"en","level":"listener"}},
              {"insert":"slide","in":"t1","fields":{"text":"Strings,   very soft.","played":"0"}},
              {"insert":"slide","in":"t1","fields":{"text":"The trumpet asks.","played":"2"}},
              {"insert":"section","in":"p1","fields":{"label":"Silence","colour":"255,127,50","key":"G major","played":"0"}},
              {"move":"p1","in":"concert","before":"\(try stage.first(.piece))"}]}
            """)
        #expect(try decode(Edited.self, made).ids.count == 5)
        let piece = try await concert().pieces[0]
        #expect(piece.name == "Ives, The Unanswered Question: All")
        #expect(piece.tracks[0].slides.map(\.measure) == [1, 3])
        #expect(piece.tracks[0].slides[0].parts[0].text == "Strings, very soft.")
        let xml = try await stage.text("/getData.php?database1=Ives,%20The%20Unanswered%20Question:%20All")
        #expect(xml.contains("<text>Silence,255,127,50</text>") && xml.contains("<text>END</text>"))
        #expect(try await stage.text("/getPieces.php").hasPrefix("Ives, The Unanswered Question: All;"))
    }

    @Test func whatPhonesCouldNotTakeIsRefusedInASentence() async throws {
        let (piece, slide, track) = (
            try stage.first(.piece), try stage.first(.slide), try stage.first(.track)
        )
        for (change, word) in [
            (#"{"set":"\#(piece)","field":"name","to":"Bach; Prelude"}"#, "semicolon"),
            (#"{"set":"\#(piece)","field":"name","to":""}"#, "empty"),
            (#"{"set":"\#(piece)","field":"measures","to":"1 5\n2 4"}"#, "not after"),
            (#"{"set":"\#(slide)","field":"played","to":"999"}"#, "played measures"),
            (#"{"set":"\#(slide)","field":"printed","to":"-1"}"#, "measure number"),
            (#"{"set":"\#(slide)","field":"time","to":"nan"}"#, "time"),
            (#"{"set":"\#(track)","field":"name","to":"Structure"}"#, "format"),
            (#"{"set":"\#(track)","field":"language","to":"klingon language"}"#, "language"),
            (#"{"set":"\#(track)","field":"level","to":"boss"}"#, "level"),
            (#"{"set":"concert","field":"link","to":"javascript:alert(1)"}"#, "http"),
            (#"{"set":"concert","field":"programNotes","to":"../../x"}"#, "starts with a dot"),
            (#"{"insert":"asset","in":"concert","fields":{}}"#, "upload"),
            (#"{"insert":"message","in":"concert","fields":{"title":"a|b","body":"c","style":"AUTO"}}"#, "|"),
            (#"{"insert":"slide","in":"concert","fields":{}}"#, "track"),
            (#"{"nonsense":1}"#, "insert"),
        ] {
            let response = try await stage.edit(#"{"base":1,"changes":[\#(change)]}"#)
            #expect(response.status == .unprocessableContent, "\(change): \(response.status)")
            #expect(
                try decode(Refused.self, response).error.contains(word),
                "\(change): \(String(buffer: response.body))")
        }
        #expect(try await stage.edit("{").status == .badRequest)
        #expect(try await stage.edit(String(repeating: "[", count: 100_000)).status == .badRequest)
        #expect(try await stage.edit(#"{"base":1,"changes":[]}"#, concert: 77).status == .notFound)
        #expect(stage.desk.servedConcert?.catalogueConcert.contentTree.revision == 1)
    }

    @Test func textIsNeverMarkup() async throws {
        let evil = "<script>alert(1)</script> & \\\"quotes\\\" ]]> $x.png\\\" onerror=alert(1)"
        let slide = try stage.first(.slide)
        #expect(
            try await stage.edit(
                #"{"base":1,"changes":[{"set":"\#(slide)","field":"text","to":"\#(evil)"}]}"#
            ).status == .ok)
        let xml = try await stage.text("/getData.php?database1=Bach,Well-TemperedClavierI:PreludeinC")
        #expect(xml.contains("&lt;script&gt;") && !xml.contains("<script>"))
        let json = try await stage.ask("/api/audience/concert")
        #expect(
            json.headers[.contentType] == "application/json"
                && json.headers[.xContentTypeOptions] == "nosniff")
    }

    @Test func findingsNameTheNodeTheyAreAbout() async throws {
        let slide = try stage.first(.slide)
        let text = String(repeating: "long ", count: 200) + "$missing.png, gone"
        _ = try await stage.edit(
            #"{"base":1,"changes":[{"set":"\#(slide)","field":"text","to":"\#(text)"}]}"#)
        let found = try await stage.text(
            "/api/edit/concerts/1/findings?piece=\(try stage.first(.piece))", as: "ed")
        #expect(found.contains(#""node":"\#(slide)","rule":"missingImage""#))
        #expect(found.contains("slideTooLong"))
    }

    @Test func xmlGoesInAsOneEditThatCanBeUndone() async throws {
        let file = try Data(
            contentsOf: URL(
                fileURLWithPath: "\(ContentStage.recordings)/\(ContentStage.folders[1])/content/data.xml"))
        let changed = String(decoding: file, as: UTF8.self).replacing(
            "<name>The Music</name>", with: "<name>Anew</name>")
        let path = "/api/edit/concerts/1/import"
        #expect(try await stage.ask(path, .post, as: "ed", body: Array(changed.utf8)).status == .ok)
        #expect(try await concert().pieces.map(\.tracks[0].name)[1] == "Anew")
        #expect(try await concert().pieces.count == 5)
        #expect(try await stage.ask("/api/edit/concerts/1/undo", .post, as: "ed", body: []).status == .ok)
        #expect(try await concert().pieces[1].tracks[0].name == "The Music")
        let hostile =
            "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><concert>&a;</concert>"
        let refused = try await stage.ask(path, .post, as: "ed", body: Array(hostile.utf8))
        #expect(refused.status == .unprocessableContent)
        #expect(String(buffer: refused.body).contains("DOCTYPE"))
    }

    @Test func anXMLOfAHundredThousandSlidesIsRefusedWithItsLimit() async throws {
        var xml = "<?xml version=\"1.0\"?><concert><piece><name>A, B: C</name><measures>1</measures>"
        xml +=
            "<track><name>NumSeconds</name><page><time>0</time><measure>1</measure><text>0</text></page></track><track><name>T</name>"
        for _ in 0..<100_000 { xml += "<page><time>0</time><measure>1</measure><text>x</text></page>" }
        xml += "</track></piece></concert>"
        let response = try await stage.ask(
            "/api/edit/concerts/1/import", .post, as: "ed", body: Array(xml.utf8))
        #expect(response.status == .unprocessableContent)
        #expect(
            String(buffer: response.body).contains("may have 20000. Divide the concert"),
            "\(String(buffer: response.body))")
        #expect(stage.desk.servedConcert?.catalogueConcert.contentTree.revision == 1)
    }

    // MARK: Files

    /// A PNG of 9 × 9 pixels; its pixels are these bytes.
    private func png(_ pixels: [UInt8]) -> [UInt8] {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            let length = withUnsafeBytes(of: UInt32(content.count).bigEndian, Array.init)
            return length + Array(type.utf8) + content + [0, 0, 0, 0]
        }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", [0, 0, 0, 9, 0, 0, 0, 9, 8, 0, 0, 0, 0])
        file += chunk("IDAT", pixels)
        file += chunk("IEND", [])
        return file
    }

    private func upload(_ name: String, _ bytes: [UInt8], _ place: String = "images") async throws
        -> TestResponse
    {
        try await stage.ask("/api/edit/concerts/1/assets/\(place)/\(name)", .put, as: "ed", body: bytes)
    }

    @Test func anUploadedImageIsServedAndAnUndoneOneIsTheOldOne() async throws {
        #expect(try await upload("new.png", png([7])).status == .ok)
        #expect(Array(buffer: try await stage.ask("/images/new.png").body) == png([7]))
        #expect(try await upload("new.png", png([7, 1])).status == .ok)
        #expect(Array(buffer: try await stage.ask("/images/new.png").body) == png([7, 1]))
        _ = try await stage.ask("/api/edit/concerts/1/undo", .post, as: "ed", body: [])
        #expect(Array(buffer: try await stage.ask("/images/new.png").body) == png([7]))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: stage.desk.assetStore.uploadFolder).isEmpty)
    }

    @Test func fiftyMegabytesGoInAndOneByteMoreDoesNot() async throws {
        let large = png(
            [UInt8](repeating: 7, count: AssetStore.mostAssetBytes - png([]).count))
        #expect(try await upload("large.png", large).status == .ok)
        let end = try await stage.ask("/images/large.png", ["Range": "bytes=-19"])
        #expect(Array(buffer: end.body) == [7, 7, 7] + large.suffix(16))
        let refused = try await upload("larger.png", large + [7])
        #expect(refused.status == .contentTooLarge)
        #expect(String(buffer: refused.body).contains("50 MB"))
        #expect(try await stage.ask("/images/larger.png").status == .notFound)
    }

    @Test func whatAFileIsItsBytesSayAndNotItsName() async throws {
        let svg = { (inner: String) in Array("<svg xmlns='http://www.w3.org/2000/svg'>\(inner)</svg>".utf8) }
        for (name, bytes, place) in [
            ("page.png", Array("<html><script>alert(1)</script>".utf8), "images"),
            ("page.html", Array("<html>".utf8), "images"),
            ("photo.jpg", png([7]), "images"), ("program.png", [0x7F, 0x45, 0x4C, 0x46, 0, 0], "images"),
            ("empty.png", [], "images"),
            ("notes.pdf", Array("%PDF-1.4".utf8), "images"), ("a.svg", svg("<script>x</script>"), "images"),
            ("b.svg", svg("<rect onclick = 'x()'/>"), "images"),
            ("c.svg", svg("<a href='javascript:x'/>"), "images"),
            ("d.svg", Array("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>".utf8), "images"),
            (".png", png([7]), "images"),
            ("a%3Bb.png", png([7]), "images"), ("x.png", png([7]), "secrets"),
        ] {
            let response = try await upload(name, bytes, place)
            #expect(
                [.unprocessableContent, .badRequest, .notFound].contains(response.status),
                "\(name): \(response.status)")
        }
        #expect(try await upload("notes.pdf", Array("%PDF-1.4".utf8), "AppAssets").status == .ok)
        #expect(try await upload("fine.svg", svg("<rect width='1'/>")).status == .ok)
        #expect(stage.desk.servedConcert?.catalogueConcert.contentTree.revision == 3)
    }

    @Test func theEditorHearsTheReferenceInParts() async throws {
        let path = "/api/edit/audio/\(ContentStage.folders[0])"
        let response = try await stage.ask(path, .get, as: "ed", ["Range": "bytes=0-3"])
        #expect(response.status == .partialContent)
        #expect(String(buffer: response.body) == "OggS")
        #expect(response.headers[.contentType] == "audio/ogg")
        for folder in ["..", "%2e%2e", "nothing", "content"] {
            #expect(
                [.notFound, .badRequest].contains(
                    try await stage.ask("/api/edit/audio/\(folder)", as: "ed").status))
        }
    }
}
