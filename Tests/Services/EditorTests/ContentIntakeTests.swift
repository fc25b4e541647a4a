import Foundation
import Testing
import ZipFiles

@testable import Catalogue
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers
@testable import WebServer

/// Files that editors bring count towards their quota, however they come.
@Suite(.ownThreads) struct ContentIntakeTests {
    private let editor = WebPerson(id: "1", name: "Ed", role: .editor)

    @Test func thePicturesInAZipCountAsIfTheyCameAlone() async throws {
        let stage = try await ContentStage(isFilled: false)
        let most = UploadQuota.limit(.assets, for: .editor)
        let quota = UploadQuota { kind in
            kind == .assets ? .init(count: most.count - 1, bytes: 0) : .init()
        }
        let taking = try #require(
            ContentEditRoutes(concertEditor: stage.desk, uploadQuota: quota).routes.first {
                $0.path == "/api/edit/zip" && $0.method == .post
            })
        guard case .upload(_, let answer) = taking.handler else {
            Issue.record("a ZIP is no upload")
            return
        }
        let picture = { (colour: String) in
            Array(
                #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect fill="\#(colour)"/></svg>"#
                    .utf8)
        }
        func send(_ pictures: [(name: String, bytes: [UInt8])]) async throws -> WebResponse {
            let path = "\(stage.desk.assetStore.uploadFolder)/\(UUID().uuidString)"
            let zip = try ZipWriter(path: path)
            try zip.addFile("concert.json", Array(#"{"title":"Packed","credits":[]}"#.utf8), packs: true)
            for (name, bytes) in pictures { try zip.addFile("images/\(name)", bytes, packs: true) }
            try zip.finish()
            return await answer(
                WebRequest(
                    path: "/api/edit/zip", pathParameters: [:], queryParameters: [:], rawQuery: "",
                    person: editor,
                    sessionToken: nil, deviceMark: nil, visitorAddress: "", isOwnMachine: false,
                    contentType: "",
                    origin: "",
                    body: [], uploadedFile: UploadedFile(path: path, byteCount: 1)))
        }
        let two = try await send([("a.svg", picture("red")), ("b.svg", picture("blue"))])
        #expect(two.status == 507, "\(String(decoding: two.body, as: UTF8.self))")
        #expect(String(decoding: two.body, as: UTF8.self).contains("assets"))
        #expect(try await stage.desk.catalogue.concerts().isEmpty)
        let one = try await send([("a.svg", picture("red"))])
        #expect(one.status == 200, "\(String(decoding: one.body, as: UTF8.self))")
        // A file that already lies there takes no more space.
        let again = try await send([("a.svg", picture("red")), ("b.svg", picture("blue"))])
        #expect(again.status == 200, "\(String(decoding: again.body, as: UTF8.self))")
    }

    @Test func slidesAboveTheQuotaAreRefusedAndRemovingSomeIsNot() async throws {
        let stage = try await ContentStage()
        let quota = UploadQuota { _ in UploadQuota.limit(.slides, for: .editor) }
        let edit = try #require(
            ContentEditRoutes(concertEditor: stage.desk, uploadQuota: quota).routes.first {
                $0.path.hasSuffix("/edits")
            })
        guard case .answer(let answer) = edit.handler else { return }
        let revision = try #require(stage.desk.servedConcert).catalogueConcert.contentTree.revision
        let slide = try stage.first(.slide)
        let track = try stage.first(.track)
        func send(_ changes: String) async -> WebResponse {
            let body = #"{"base":\#(revision),"label":"x","changes":[\#(changes)]}"#
            return await answer(
                WebRequest(
                    path: "", pathParameters: ["concert": "1"], queryParameters: [:], rawQuery: "",
                    person: editor,
                    sessionToken: nil, deviceMark: nil, visitorAddress: "", isOwnMachine: false,
                    contentType: "",
                    origin: "",
                    body: Array(body.utf8), uploadedFile: nil))
        }
        let more = await send(
            #"{"insert":"slide","in":"\#(track.rawValue)","fields":{"played":"0","text":"x"}}"#)
        #expect(more.status == 507, "\(String(decoding: more.body, as: UTF8.self))")
        let fewer = await send(#"{"remove":"\#(slide.rawValue)"}"#)
        #expect(fewer.status == 200, "\(String(decoding: fewer.body, as: UTF8.self))")
    }
}
