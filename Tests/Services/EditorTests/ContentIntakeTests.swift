import Basics
import Foundation
import Platform
import Podium
import Score
import Testing

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
            return await taking.response(
                to: WebRequest(
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
        let revision = try #require(stage.desk.servedConcert).catalogueConcert.contentTree.revision
        let slide = try stage.first(.slide)
        let track = try stage.first(.track)
        func send(_ changes: String) async -> WebResponse {
            let body = #"{"base":\#(revision),"label":"x","changes":[\#(changes)]}"#
            return await edit.response(
                to: WebRequest(
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

    /// Of three pieces, one has a name that phones cannot list, one has files that cannot be read, and the concert's
    /// own files break rules: listeners find all three, and the operator is told.
    @Test func oneBadPieceHidesNoOtherAtTheFirstStart() async throws {
        let stage = try await ContentStage(isFilled: false)
        let folders = Array(ContentStage.folders.prefix(3))
        let recordings = stage.folder + "/recordings"
        for folder in folders {
            try FileManager.default.createDirectory(
                atPath: "\(recordings)/\(folder)", withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: "\(ContentStage.recordings)/\(folder)/content",
                toPath: "\(recordings)/\(folder)/content")
        }
        func write(_ text: String, _ name: String) throws {
            let url = URL(fileURLWithPath: "\(recordings)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let good = ContentFiles(recordings: recordings, folders: folders, title: "x").pieces.map(\.content)
        let renamed = "Verdi; Aida: March"
        let first = "\(folders[0])/content/data.xml"
        let xml = try String(contentsOfFile: "\(recordings)/\(first)", encoding: .utf8)
        let start = try #require(xml.firstRange(of: "<name>"))
        let end = try #require(xml.firstRange(of: "</name>"))
        try write(xml[..<start.upperBound] + renamed + xml[end.lowerBound...], first)
        try write("<concert><piece>", "\(folders[1])/content/data.xml")
        try write(#"{"title": "Gala", "date": "next week", "credits": []}"#, "content/concert.json")
        try write(
            "<glossary><item name=\"\"><description>x</description></item></glossary>",
            "content/glossary.xml")
        try write("no picture", "content/images/a.png")

        let names = [renamed, good[1].name.text, good[2].name.text]
        let programme = try ShowProgramme(
            title: "Evening",
            pieces: zip(names, zip(folders, good)).map { name, piece in
                try ShowPiece(
                    name: PieceName(name).withoutSemicolons, folder: piece.0,
                    measures: MeasureMap(
                        marks: piece.1.measures, end: .init(seconds: piece.1.musicEndSeconds ?? 9_999)))
            })
        let notes = try await InitialContent(
            recordingsFolderPath: recordings, modelsFolderPath: stage.folder, programme: programme
        ).createIfEmptyAndPublish(stage.desk)
        let served = try #require(stage.desk.servedConcert).catalogueConcert.concert
        #expect(served.title == "Gala" && served.date == nil && served.glossary.items.isEmpty)
        #expect(
            try await stage.text("/getPieces.php")
                == ["Verdi, Aida: March", names[1], names[2]].joined(separator: ";"))
        #expect(served.pieces[0].tracks == good[0].tracks && served.pieces[2].tracks == good[2].tracks)
        for word in ["next week", "a.png", folders[1], "without a word"] {
            #expect(notes.contains { $0.contains(word) }, "\(word): \(notes)")
        }
    }
}
