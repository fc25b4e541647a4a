import Catalogue
import Foundation
import Hosting
import Rehearsal
import ScorePages
import WebServer

/// Routes that give stands a score and the images of its pages, for users with a right to the score.
struct ScoreRoutes {
    let library: Library

    var routes: [WebRoute] {
        [
            makeScoreGetRoute("/api/scores/:score") { library, entry, _ in
                .json(
                    ScoreDetail(
                        entry, laid: await library.laidScore(entry), music: library.musicOfParts(entry)))
            },
            makeScoreGetRoute("/api/scores/:score/weight") { library, entry, request in
                .json(await library.weight(of: entry, size: try Self.imageSize(request)))
            },
            makeScoreGetRoute("/api/scores/:score/parts/:part/pages/:page") { library, entry, request in
                try await Self.pageResponse(library, entry, request)
            },
            makeScoreGetRoute("/api/scores/:score/parts/:part/written/:interval") { library, entry, request in
                .json(
                    try await library.writtenPart(
                        entry.score.id, part: try LibraryRoutes.parsePartIndex(request),
                        try Self.interval(request)))
            },
            makeScoreGetRoute("/api/scores/:score/parts/:part/written/:interval/pages/:page") {
                library, entry, request in
                try await Self.writtenPageResponse(library, entry, request)
            },
        ]
    }

    private func makeScoreGetRoute(
        _ path: String,
        _ answer: @escaping @Sendable (Library, LibraryEntry, WebRequest) async throws -> WebResponse
    ) -> WebRoute {
        WebRoute(.get, path, .signedIn) { [library] request in
            let id = try LibraryRoutes.parseScoreID(request)
            return try await answer(library, try await library.openEntry(id, for: request.person), request)
        }
    }

    private static func imageSize(_ request: WebRequest) throws -> PageImageSize {
        guard
            let size = PageImageSize(
                rawValue: request.queryParameters["size"] ?? PageImageSize.medium.rawValue)
        else { throw LibraryRefusal.badRequest("The size is thumbnail, small, medium or large.") }
        return size
    }

    private static func interval(_ request: WebRequest) throws -> WrittenInterval {
        try parseInterval(request.pathParameters["interval"] ?? "")
    }

    static func parseInterval(_ text: String) throws -> WrittenInterval {
        guard let interval = WrittenInterval(text) else {
            throw LibraryRefusal.badRequest(
                "The interval is written as M2 (a tone higher) or -m3 (a minor third lower).")
        }
        return interval
    }

    private static func writtenPageResponse(
        _ library: Library, _ entry: LibraryEntry, _ request: WebRequest
    ) async throws -> WebResponse {
        let part = try LibraryRoutes.parsePartIndex(request)
        guard entry.sources.indices.contains(part) else { throw LibraryRefusal.noSuchPart(part) }
        let source = entry.sources[part]
        let (interval, page) = (try interval(request), Int(request.pathParameters["page"] ?? "") ?? -1)
        guard (0..<source.pageCount).contains(page) else {
            throw ScorePagesError.noSuchPage(page: page, pages: source.pageCount)
        }
        // Pages that were deleted to save space are engraved again.
        if await library.writtenPage(of: source, page: page, interval) == nil {
            _ = try await library.writtenPart(entry.score.id, part: part, interval)
        }
        guard let path = await library.writtenPage(of: source, page: page, interval) else {
            throw ScorePagesError.cannotRead(path: "The page", reason: "its file is missing")
        }
        return scoreImage(
            .file(path, contentType: "image/svg+xml", tag: "\(source.imageTag)-\(interval)-\(page)"))
    }

    /// A page of engraved music. No script in an SVG may run, whoever wrote the score.
    private static func scoreImage(_ answer: WebResponse) -> WebResponse {
        answer.forOnePerson
            .withHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    }

    private static func pageResponse(
        _ library: Library, _ entry: LibraryEntry, _ request: WebRequest
    ) async throws -> WebResponse {
        let part = try LibraryRoutes.parsePartIndex(request)
        guard entry.sources.indices.contains(part) else { throw LibraryRefusal.noSuchPart(part) }
        let pages = entry.score.parts[part].pages.count
        let page = Int(request.pathParameters["page"] ?? "") ?? -1
        guard (0..<pages).contains(page) else {
            throw ScorePagesError.noSuchPage(page: page, pages: pages)
        }
        let size = try imageSize(request)
        switch entry.sources[part] {
        case .engraved(let files, _):
            let file = files[page]
            guard let path = library.assetStore.path(of: file.digest) else {
                throw ScorePagesError.cannotRead(path: "The page", reason: "its file is missing")
            }
            let answer = scoreImage(
                .file(path, contentType: "image/svg+xml", tag: String(file.digest.prefix(32))))
            return file.isCompressed ? answer.withHeader("Content-Encoding", "gzip") : answer
        case .pdf(let summary):
            let image = try await library.pageImages.pageImage(of: summary, page: page, size: size)
            return WebResponse(contentType: image.mediaType, body: image.bytes)
                .withHeader("ETag", "\"\(summary.digest.prefix(32))-\(page)-\(size.rawValue)\"")
                .forOnePerson
        }
    }
}

extension Library {
    /// Makes the routes of librarians and of stands.
    /// - Parameter quota: limits what librarians may upload; nil for no limit.
    package nonisolated func routes(within quota: UploadQuota?) -> [WebRoute] {
        (LibraryRoutes(library: self, uploadQuota: quota).routes + ScoreRoutes(library: self).routes
            + ScoreReferenceRoutes(library: self).routes).explaining { LibraryRefusal($0) }
    }

    /// True if the user may see the score. Librarians see all scores, other users only scores that were granted to
    /// them.
    /// - Throws: if the right cannot be looked up.
    func maySee(_ id: Rehearsal.Score.ID, to person: WebPerson) async throws -> Bool {
        if person.role == .editor || person.role == .administrator { return true }
        guard let user = Rehearsal.User.ID(person.id) else { return false }
        return try await isScoreGranted(user, id)
    }
}
