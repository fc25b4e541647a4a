import Catalogue
import Foundation
import Hosting
import Rehearsal
import ScorePages
import WebServer

/// Routes of the librarian's page, for editors and administrators only.
struct LibraryRoutes {
    static let librarianAccess = RouteAccess.roles([.editor, .administrator])
    /// Largest request body for marking measures, in bytes: enough for the most measures that a part may have.
    static let mostMarkingBytes = 8 << 20
    /// Largest request body for laying pages, in bytes: enough for the most pages that a part may have.
    static let mostLayoutBytes = 1 << 20

    let library: Library
    /// Limits what librarians may upload; nil for no limit.
    let uploadQuota: UploadQuota?

    var routes: [WebRoute] {
        let scores = "/api/library/scores"
        return [
            makeGetRoute(scores) { library, _ in .json(await library.allEntries.map(LibraryListEntry.init)) },
            .upload(
                .post, scores, Self.librarianAccess, limitBytes: Library.mostUploadBytes,
                folder: library.assetStore.uploadFolder, answer: receiveScoreUpload
            ).limitingUploads(.scores, within: uploadQuota),
            makeGetRoute(scores + "/:score") { library, request in
                let entry = try await library.entry(try Self.parseScoreID(request))
                return .json(ScoreDetail(entry, music: library.musicOfParts(entry)))
            },
            makeGetRoute(scores + "/:score/progress") { library, request in
                .json(try await library.importProgress(of: try Self.parseScoreID(request)))
            },
            makeGetRoute(scores + "/:score/music") { library, request in
                let entry = try await library.entry(try Self.parseScoreID(request))
                guard let path = library.musicPath(of: entry) else { throw LibraryRefusal.noMusic }
                return .file(path, contentType: "application/octet-stream", tag: "\(entry.revision)")
            },
            makeChangeRoute(.put, scores + "/:score") { library, request in
                let id = try Self.parseScoreID(request)
                return .json(try await library.changeScore(id, try Self.decodeBody(request)))
            },
            makeChangeRoute(.delete, scores + "/:score") { library, request in
                try await library.removeScore(try Self.parseScoreID(request))
                return .succeeded
            },
            .upload(
                .post, scores + "/:score/parts", Self.librarianAccess, limitBytes: Library.mostUploadBytes,
                folder: library.assetStore.uploadFolder, answer: receivePartUpload
            ).limitingUploads(.scores, within: uploadQuota),
            makeChangeRoute(.put, scores + "/:score/parts/:part", bodyLimitBytes: Self.mostMarkingBytes) {
                library, request in
                let (id, part) = (try Self.parseScoreID(request), try Self.parsePartIndex(request))
                return .json(try await library.changePart(id, part: part, try Self.decodeBody(request)))
            },
            makeChangeRoute(.delete, scores + "/:score/parts/:part") { library, request in
                .json(
                    try await library.removePart(
                        try Self.parsePartIndex(request), of: try Self.parseScoreID(request)))
            },
            makeChangeRoute(
                .put, scores + "/:score/parts/:part/layout", bodyLimitBytes: Self.mostLayoutBytes
            ) { library, request in
                let (id, part) = (try Self.parseScoreID(request), try Self.parsePartIndex(request))
                return .json(try await library.changeLayout(id, part: part, try Self.decodeBody(request)))
            },
            makeChangeRoute(.put, scores + "/:score/crop") { library, request in
                .json(
                    try await library.changeCrop(try Self.parseScoreID(request), try Self.decodeBody(request))
                )
            },
            makeGetRoute(scores + "/:score/parts/:part/found") { library, request in
                .json(
                    try await library.findPages(
                        try Self.parseScoreID(request), part: try Self.parsePartIndex(request)))
            },
            makeGetRoute(scores + "/:score/parts/:part/proposals") { library, request in
                let page = Int(request.queryParameters["page"] ?? "") ?? -1
                return .json(
                    try await library.proposeMeasureFrames(
                        try Self.parseScoreID(request), part: try Self.parsePartIndex(request), page: page
                    ).map(MeasureProposalAnswer.init))
            },
            makeGetRoute(scores + "/:score/parts/:part/pdf") { library, request in
                await library.makePrintResponse(
                    printing: try Self.parseScoreID(request), part: try Self.parsePartIndex(request),
                    in: PrintedForm(query: ["margins": request.queryParameters["margins"] ?? ""]),
                    remarks: [])
            },
            makeGetRoute("/api/library/bundles") { library, request in
                let wanted = request.queryParameters["score"]
                let id = wanted.flatMap { Rehearsal.Score.ID($0) }
                if wanted != nil, id == nil { throw LibraryRefusal.noSuchScore }
                return .json(try await library.scoreGrants(of: id).map(ScoreGrantAnswer.init))
            },
            makeChangeRoute(.post, "/api/library/bundles") { library, request in
                let new: GrantRequest = try Self.decodeBody(request)
                return .json(["bundle": try await library.grantScore(new.score, to: new.user)])
            },
            makeChangeRoute(.delete, "/api/library/bundles/:bundle") { library, request in
                try await library.revokeGrant(bundle: request.pathParameters["bundle"] ?? "")
                return .succeeded
            },
            makeChangeRoute(.post, "/api/library/midi-marks", bodyLimitBytes: MIDIMarksRoute.mostBytes) {
                _, request in .json(try MIDIMarksRoute.find(in: request.body))
            },
            makeGetRoute("/api/library/users") { library, _ in .json(try await library.grantableUsers()) },
            makeGetRoute("/api/library/pieces") { library, _ in .json(library.followablePieces) },
        ] + binRoutes
    }

    private struct GrantRequest: Decodable {
        var user: Rehearsal.User.ID
        var score: Rehearsal.Score.ID
    }

    // MARK: Uploads

    @Sendable private func receiveScoreUpload(_ request: WebRequest) async throws -> WebResponse {
        guard let file = request.uploadedFile else { throw LibraryRefusal.notScoreFile }
        let heading = Library.ScoreHeading(
            title: request.queryParameters["title"] ?? "",
            composer: request.queryParameters["composer"] ?? "",
            lyricist: request.queryParameters["lyricist"] ?? "",
            arranger: request.queryParameters["arranger"] ?? "",
            file: request.queryParameters["file"].flatMap { $0.isEmpty ? nil : String($0.prefix(200)) })
        return .json(["score": try await library.addScore(file: file.path, heading).description])
    }

    @Sendable private func receivePartUpload(_ request: WebRequest) async throws -> WebResponse {
        guard let file = request.uploadedFile else { throw LibraryRefusal.notScoreFile }
        let id = try Self.parseScoreID(request)
        let wanted = request.queryParameters["transpose"] ?? ""
        let interval = WrittenInterval(wanted)
        guard wanted.isEmpty || interval != nil else {
            throw LibraryRefusal.badRequest(
                "“\(wanted.prefix(20))” is no interval; write one such as M2 or -m3, or leave it out.")
        }
        try await library.addPart(
            file: file.path, named: request.queryParameters["name"] ?? "Part", transposition: interval,
            to: id)
        return .json(["score": id.description])
    }

    // MARK: Helpers

    func makeGetRoute(
        _ path: String, _ answer: @escaping @Sendable (Library, WebRequest) async throws -> WebResponse
    ) -> WebRoute {
        WebRoute(.get, path, Self.librarianAccess) { [library] request in
            try await answer(library, request)
        }
    }

    func makeChangeRoute(
        _ method: WebRoute.Method, _ path: String, bodyLimitBytes: Int? = nil,
        _ answer: @escaping @Sendable (Library, WebRequest) async throws -> WebResponse
    ) -> WebRoute {
        WebRoute(method, path, Self.librarianAccess, bodyLimitBytes: bodyLimitBytes) { [library] request in
            try await answer(library, request)
        }
    }

    static func parseScoreID(_ request: WebRequest) throws -> Rehearsal.Score.ID {
        guard let id = Rehearsal.Score.ID(request.pathParameters["score"] ?? "") else {
            throw LibraryRefusal.noSuchScore
        }
        return id
    }

    static func parsePartIndex(_ request: WebRequest) throws -> Int {
        guard let part = Int(request.pathParameters["part"] ?? ""), part >= 0 else {
            throw LibraryRefusal.noSuchPart(-1)
        }
        return part
    }

    private static func decodeBody<Value: Decodable>(_ request: WebRequest) throws -> Value {
        try decodeBody(request.body)
    }

    static func decodeBody<Value: Decodable>(_ body: [UInt8]) throws -> Value {
        do { return try JSONDecoder().decode(Value.self, from: Data(body)) } catch {
            if error is RehearsalFault { throw error }
            throw LibraryRefusal.badRequest(
                JSONBody.fault(for: error, decoding: Value.self, from: body).sentence)
        }
    }
}
