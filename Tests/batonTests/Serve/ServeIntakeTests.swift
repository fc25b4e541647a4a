import Foundation
import Synchronization
import Testing
import ZipFiles

@testable import baton
@testable import Catalogue
@testable import Console
@testable import Editor
@testable import Hosting
@testable import Performance
@testable import ScoreLibrary
@testable import WebServer

/// What people may fill the disk with.
@Suite struct ServeIntakeTests {
    private let editor = WebPerson(id: "1", name: "Ed", role: .editor)
    private let administrator = WebPerson(id: "2", name: "Ada", role: .administrator)
    private let technician = WebPerson(id: "3", name: "Theo", role: .technician)
    private let gigabyte = 1 << 30

    @Test func theLastOfTheDiskIsTheShowLogs() {
        func refused(free: Int, whole: Int, adding bytes: Int) -> Bool {
            DiskReserve(folder: "/", room: { _ in (free, whole) }).refusal(adding: bytes) != nil
        }
        #expect(!refused(free: gigabyte, whole: 100 * gigabyte, adding: 100 << 20))
        #expect(refused(free: gigabyte, whole: 100 * gigabyte, adding: 600 << 20))
        #expect(refused(free: 511 << 20, whole: 100 * gigabyte, adding: 0))
        // A tenth of a small disk.
        #expect(!refused(free: 20 << 20, whole: 100 << 20, adding: 1 << 20))
        #expect(refused(free: 9 << 20, whole: 100 << 20, adding: 0))
        let answer = DiskReserve(folder: "/", room: { _ in (1 << 20, gigabyte) }).refusal(adding: 0)
        #expect(answer?.status == 507)
        #expect(
            answer.map { String(decoding: $0.body, as: UTF8.self) }?.contains("kept for the show") == true)
        #expect(DiskReserve(folder: NSTemporaryDirectory()).room(NSTemporaryDirectory()) != nil)
        #expect(DiskReserve(folder: "/nowhere").refusal(adding: 0) == nil)
    }

    @Test(arguments: UploadQuota.Kind.allCases)
    func eachRoleStopsAtItsQuota(kind: UploadQuota.Kind) async {
        let now = Mutex(UploadQuota.Amount())
        func refused(_ person: WebPerson?, _ amount: UploadQuota.Amount, adding: Int, bytes: Int) async
            -> Bool
        {
            now.withLock { $0 = amount }
            let quota = UploadQuota { _ in now.withLock { $0 } }
            return await quota.refusal(kind, by: person, adding: adding, bytes: bytes) != nil
        }
        let most = UploadQuota.most(kind, for: .editor)
        #expect(most.count > 0 && most.bytes > 0)
        #expect(await refused(editor, .init(), adding: 1, bytes: 1) == false)
        #expect(await refused(editor, .init(count: most.count - 1, bytes: 0), adding: 1, bytes: 0) == false)
        #expect(await refused(editor, .init(count: most.count, bytes: 0), adding: 1, bytes: 0))
        #expect(await refused(editor, .init(count: 0, bytes: most.bytes), adding: 1, bytes: 1))
        // Administrators can go on where editors had to stop, and stop in the end.
        #expect(await refused(administrator, most, adding: 1, bytes: 1) == false)
        #expect(
            await refused(
                administrator, .init(count: most.count * 2, bytes: 0), adding: 1, bytes: 1))
        #expect(await refused(technician, .init(), adding: 1, bytes: 1))
        #expect(await refused(nil, .init(), adding: 1, bytes: 1))
    }

    @Test func whatIsThereIsCounted() async throws {
        let stage = try await ContentStage()
        try stage.desk.shelf.keep(
            Array(repeating: 1, count: 1_000), digest: String(repeating: "a", count: 64))
        let slides = try #require(stage.desk.served).document.concert.pieces.flatMap(\.tracks)
            .reduce(0) { $0 + $1.slides.count }
        let total = try await stage.desk.catalogue.slideTotal()
        #expect(total.count == slides && total.bytes > slides)
        let scores = try AssetStore(folder: stage.folder + "/scores")
        let quota = UploadQuota(catalogue: stage.desk.catalogue, assets: stage.desk.shelf, scores: scores)
        let refusal = try #require(
            await quota.refusal(.slides, by: technician, adding: 1, bytes: 0))
        #expect(String(decoding: refusal.body, as: UTF8.self).contains("\(slides) slides"))
    }

    @Test func everyRouteThatBringsSomethingIsBoundedAndNoOtherRefused() async throws {
        let stage = try await ContentStage()
        let content = ContentEditRoutes(desk: stage.desk).routes
        let full = DiskReserve(folder: "/", room: { _ in (0, 1 << 30) })
        let routes = ServeRun.intake(content, full)
        for route in routes {
            let refusal = await route.intake?(editor, 0)
            let brings = route.method == .post || route.method == .put
            #expect((refusal?.status == 507) == brings, "\(route.method) \(route.path)")
        }
    }

    /// A route that should be bounded and is not is missing here.
    @Test func routesThatBringOneMoreThingStopAtTheirOwnQuota() async throws {
        let (content, library) = (try await ContentStage(), try await LibraryStage())
        for kind in UploadQuota.Kind.allCases {
            let quota = UploadQuota { $0 == kind ? UploadQuota.most(kind, for: .editor) : .init() }
            let routes =
                ContentEditRoutes(desk: content.desk, quota: quota).routes
                + library.library.routes(within: quota)
            var bounded: Set<String> = []
            for route in routes where await route.intake?(editor, 0)?.status == 507 {
                bounded.insert("\(route.method.rawValue) \(route.path)")
            }
            let expected: Set<String> =
                switch kind {
                case .assets: ["PUT /api/edit/concerts/:concert/assets/:place/:name"]
                case .scores: ["POST /api/library/scores", "POST /api/library/scores/:score/parts"]
                case .slides:
                    [
                        "POST /api/edit/concerts", "POST /api/edit/concerts/:concert/import",
                        "POST /api/edit/concerts/:concert/recording",
                    ]
                }
            #expect(bounded == expected)
        }
    }

    @Test func thePicturesInAZipCountAsIfTheyCameAlone() async throws {
        let stage = try await ContentStage(isFilled: false)
        let most = UploadQuota.most(.assets, for: .editor)
        let quota = UploadQuota { kind in
            kind == .assets ? .init(count: most.count - 1, bytes: 0) : .init()
        }
        let taking = try #require(
            ContentEditRoutes(desk: stage.desk, quota: quota).routes.first {
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
            let path = "\(stage.desk.shelf.arrivals)/\(UUID().uuidString)"
            let zip = try ZipWriter(path: path)
            try zip.add("concert.json", Array(#"{"title":"Packed","credits":[]}"#.utf8), packs: true)
            for (name, bytes) in pictures { try zip.add("images/\(name)", bytes, packs: true) }
            try zip.finish()
            return await answer(
                WebRequest(
                    path: "/api/edit/zip", parameters: [:], query: [:], rawQuery: "", person: editor,
                    token: nil, device: nil, address: "", isOwnMachine: false, contentType: "", origin: "",
                    body: [], upload: UploadedFile(path: path, byteCount: 1)))
        }
        let two = try await send([("a.svg", picture("red")), ("b.svg", picture("blue"))])
        #expect(two.status == 507, "\(String(decoding: two.body, as: UTF8.self))")
        #expect(String(decoding: two.body, as: UTF8.self).contains("assets"))
        #expect(try await stage.desk.catalogue.concerts().isEmpty)
        let one = try await send([("a.svg", picture("red"))])
        #expect(one.status == 200, "\(String(decoding: one.body, as: UTF8.self))")
        // What lies there already takes no more room.
        let again = try await send([("a.svg", picture("red")), ("b.svg", picture("blue"))])
        #expect(again.status == 200, "\(String(decoding: again.body, as: UTF8.self))")
    }

    @Test func anEditorsCuesStayOutOfTheReserveAndATechniciansDoNot() async throws {
        let stage = try ServeStage()
        defer { stage.stop() }
        try stage.start()
        let full = DiskReserve(folder: "/", room: { _ in (0, 1 << 30) })
        let desk = stage.consoleDesk(reserve: full)
        let cues = Array(#"[{"place":"p:1","name":"Look up","kind":"note"}]"#.utf8)
        let refused = await desk.setCues(piece: 0, cues, asCSV: false, by: editor)
        #expect(refused.status == 507)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("kept for the show"))
        for person in [technician, administrator] {
            #expect(await desk.setCues(piece: 0, cues, asCSV: false, by: person).status == 200)
        }
    }

    @Test(.enabled(if: hasPoppler, "poppler-utils is not installed"))
    func aPrintStaysOutOfTheReserve() async throws {
        let stage = try await LibraryStage()
        let id = try await stage.library.add(
            file: try stage.arrived(smallPDF(pages: 1)), Library.Heading(title: "Trio"))
        #expect(await stage.library.answer(printing: id, part: 0, remarks: []).status == 200)
        await stage.library.take(DiskReserve(folder: "/", room: { _ in (0, 1 << 30) }))
        let answer = await stage.library.answer(printing: id, part: 0, remarks: [])
        #expect(answer.status == 507)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("kept for the show"))
    }

    @Test func slidesAboveTheQuotaAreRefusedAndRemovingSomeIsNot() async throws {
        let stage = try await ContentStage()
        let quota = UploadQuota { _ in UploadQuota.most(.slides, for: .editor) }
        let edit = try #require(
            ContentEditRoutes(desk: stage.desk, quota: quota).routes.first { $0.path.hasSuffix("/edits") })
        guard case .answer(let answer) = edit.handler else { return }
        let revision = try #require(stage.desk.served).document.tree.revision
        let slide = try stage.first(.slide)
        let track = try stage.first(.track)
        func send(_ changes: String) async -> WebResponse {
            let body = #"{"base":\#(revision),"label":"x","changes":[\#(changes)]}"#
            return await answer(
                WebRequest(
                    path: "", parameters: ["concert": "1"], query: [:], rawQuery: "", person: editor,
                    token: nil, device: nil, address: "", isOwnMachine: false, contentType: "", origin: "",
                    body: Array(body.utf8), upload: nil))
        }
        let more = await send(
            #"{"insert":"slide","in":"\#(track.rawValue)","fields":{"played":"0","text":"x"}}"#)
        #expect(more.status == 507, "\(String(decoding: more.body, as: UTF8.self))")
        let fewer = await send(#"{"remove":"\#(slide.rawValue)"}"#)
        #expect(fewer.status == 200, "\(String(decoding: fewer.body, as: UTF8.self))")
    }
}

extension Library {
    fileprivate func take(_ other: DiskReserve) { reserve = other }
}
