import Basics
import Catalogue
import Concert
import Content
import Foundation
import Hosting
import WebServer

/// Routes of the editors' pages: read, edit, undo, check and preview concerts. For editors and administrators.
struct ContentEditRoutes {
    static let editorAccess = RouteAccess.roles([.editor, .administrator])
    /// The largest size of an uploaded XML file, in bytes: the limit of the XML readers plus a margin.
    static let maximumXMLBytes = 9 << 20

    let concertEditor: ConcertEditor
    /// The limits of uploads; nil for no limits, as in tests.
    var uploadQuota: UploadQuota?

    var routes: [WebRoute] {
        let one = "/api/edit/concerts/:concert"
        return [
            .stream("/api/edit/events", Self.editorAccess, concertEditor.editorEventHub),
            WebRoute(.get, "/api/edit/concerts", Self.editorAccess, answer: listConcerts),
            WebRoute(.post, "/api/edit/concerts", Self.editorAccess, answer: createConcert)
                .limitingUploads(.slides, within: uploadQuota),
            makeConcertRoute(one) { id, tree, _ in
                .json(
                    AudienceConcert.encodeJSON(
                        ConcertAnswer(id, tree, served: concertEditor.servedConcert?.id == id)))
            },
            WebRoute(.delete, one, Self.editorAccess, answer: removeConcert),
            makeConcertRoute(one + "/serve") { id, tree, _ in
                .json(AudienceConcert.encodeJSON(makeConcertSwitchPlan(id, tree)))
            },
            WebRoute(
                .post, one + "/serve", Self.editorAccess, bodyLimitBytes: 4_096,
                answer: handleMakeConcertPublic),
            WebRoute(.delete, one + "/serve", Self.editorAccess, answer: stopServing),
            WebRoute(
                .post, one + "/edits", Self.editorAccess, bodyLimitBytes: EditRequest.maximumBodyBytes,
                answer: handleEditRequest),
            makeUndoRoute(one, .undo), makeUndoRoute(one, .redo),
            WebRoute(.get, one + "/history", Self.editorAccess, answer: handleHistoryRequest),
            WebRoute(.get, one + "/history/:revision", Self.editorAccess, answer: handlePastEditRequest),
            WebRoute(.post, one + "/restore", Self.editorAccess, answer: handleRestoreRequest),
            WebRoute(.post, one + "/copy", Self.editorAccess, answer: copyConcert),
            WebRoute(.post, one + "/pieces", Self.editorAccess, answer: copyPiece),
            WebRoute(.get, one + "/zip", Self.editorAccess, answer: exportZip),
            .upload(
                .post, one + "/zip", Self.editorAccess, limitBytes: ContentZip.maximumUploadBytes,
                folder: concertEditor.assetStore.uploadFolder, answer: importZip),
            .upload(
                .post, "/api/edit/zip", Self.editorAccess, limitBytes: ContentZip.maximumUploadBytes,
                folder: concertEditor.assetStore.uploadFolder, answer: importZip),
            makeConcertRoute(one + "/findings") { _, tree, request in
                // Assets that the store refuses to serve (such as an unsafe SVG) count as missing.
                respondWithFindings(
                    CatalogueConcert(tree).withSafePictures(from: concertEditor.assetStore),
                    request.queryParameters["piece"])
            },
            makeConcertRoute(one + "/preview") { id, tree, _ in
                let document = CatalogueConcert(tree)
                let notes = document.assets.first {
                    $0.folder == .AppAssets && ["pdf", "md"].contains($0.name.fileExtension)
                }
                return .json(
                    AudienceConcert.encodeJSON(
                        AudienceConcert(document, revision: "\(id).\(tree.revision)", notes: notes)))
            },
            makeConcertRoute(one + "/export/:file") { _, tree, request in
                respondWithExportedFile(tree, request.pathParameters["file"] ?? "")
            },
            WebRoute(
                .post, one + "/import", Self.editorAccess, bodyLimitBytes: Self.maximumXMLBytes,
                answer: importXML
            )
            .limitingUploads(.slides, within: uploadQuota),
            makeConcertRoute(one + "/assets/:place/:name") { _, tree, request in
                guard let place = ContentAsset.Folder(rawValue: request.pathParameters["place"] ?? ""),
                    let asset = CatalogueConcert(tree).findAsset(place, request.pathParameters["name"] ?? "")
                else { return .refused(404, "no-asset", "There is no such file in this concert.") }
                return ConcertFileResponses.makeFileResponse(asset, concertEditor.assetStore)
            },
            .upload(
                .put, one + "/assets/:place/:name", Self.editorAccess, limitBytes: AssetStore.mostAssetBytes,
                folder: concertEditor.assetStore.uploadFolder, answer: handleAssetUpload
            ).limitingUploads(.assets, within: uploadQuota),
            WebRoute(.get, "/api/edit/recordings", Self.editorAccess, answer: listRecordingsFolders),
            WebRoute(.post, one + "/recording", Self.editorAccess, answer: assignRecording)
                .limitingUploads(.slides, within: uploadQuota),
            WebRoute(.get, "/api/edit/audio/:folder", Self.editorAccess, answer: previewRecording),
        ].explaining { ($0 as? CatalogueError).map { ConcertEditFault.catalogue($0) } }
    }

    // MARK: Concerts

    private struct ListedConcert: Encodable {
        var id: Int64
        var title: String
        var revision: Int
        var served: Bool
        /// The time of creation, which distinguishes two concerts with the same title.
        var made: String
    }

    @Sendable private func listConcerts(_ request: WebRequest) async throws -> WebResponse {
        .json(
            try await concertEditor.catalogue.concerts().map {
                ListedConcert(
                    id: $0.id, title: $0.title, revision: $0.revision, served: $0.isPublic,
                    made: $0.created.formatted(.iso8601))
            })
    }

    private struct NewConcert: Decodable {
        var title: String
    }

    @Sendable private func createConcert(_ request: WebRequest) async throws -> WebResponse {
        guard let new = try? JSONDecoder().decode(NewConcert.self, from: Data(request.body)) else {
            return .refused(400, "bad-json", "Send {\"title\": \"…\"}.")
        }
        var builder = ContentEditBuilder()
        let title = try ContentRules.checkField("title", new.title, of: .concert)
        guard !title.isEmpty else {
            return .refused(422, "bad-content", "The title is empty; give the concert one.")
        }
        builder.setConcertDetails(ConcertDetails(title: title))
        let id = try await concertEditor.createConcert(
            builder.changes, by: authorName(request), label: "made")
        return .json(["concert": id])
    }

    @Sendable private func removeConcert(_ request: WebRequest) async throws -> WebResponse {
        let id = try parseConcertID(request)
        guard concertEditor.servedConcert?.id != id else {
            return .refused(
                409, "served",
                "Listeners find this concert; stop serving it, or serve another one, before you remove it."
            )
        }
        try await concertEditor.removeConcert(id, by: authorName(request))
        return .succeeded
    }

    private struct ConcertSwitchConfirmation: Decodable {
        var confirm: String?
    }

    private func makeConcertSwitchPlan(_ id: Int64, _ tree: ConcertTree) -> ConcertSwitchPlan {
        ConcertSwitchPlan(
            id, CatalogueConcert(tree).withSafePictures(from: concertEditor.assetStore),
            served: concertEditor.servedConcert,
            listeners: concertEditor.publisher.audienceEventHub.listenerCount,
            isLocked: concertEditor.isShowLocked())
    }

    @Sendable private func handleMakeConcertPublic(_ request: WebRequest) async throws -> WebResponse {
        let id = try parseConcertID(request)
        let plan = makeConcertSwitchPlan(id, try await loadContentTree(id))
        if let refused = plan.refused {
            return .refused(refused.code == "empty" ? 422 : 409, refused.code, refused.sentence)
        }
        let confirmed = try? JSONDecoder().decode(
            ConcertSwitchConfirmation.self, from: Data(request.body))
        guard confirmed?.confirm == plan.confirm else {
            // Listeners get only what an editor has seen.
            throw Refusal(409, "confirm", plan.sentence + " Confirm it to go on.", with: ["plan": plan])
        }
        try await concertEditor.makeConcertPublic(id, by: authorName(request))
        return .succeeded
    }

    /// Stops serving a concert, so that listeners find none.
    @Sendable private func stopServing(_ request: WebRequest) async throws -> WebResponse {
        let id = try parseConcertID(request)
        guard concertEditor.servedConcert?.id == id else {
            return .refused(409, "not-served", "Listeners do not find this concert; nothing was changed.")
        }
        try await concertEditor.stopServing(id, by: authorName(request))
        return .succeeded
    }

    // MARK: Edits

    struct EditAnswer: Encodable {
        var revision: Int
        var ids: [ConcertNodeID] = []
        var notes: [String] = []
        /// A summary of the imported contents, in a few words.
        var brought: String?
    }

    @Sendable private func handleEditRequest(_ request: WebRequest) async throws -> WebResponse {
        let order = try EditRequest.decode(request.body)
        let id = try parseConcertID(request)
        let tree = try await loadContentTree(id)
        let made = try order.makeEdit(by: authorName(request), on: tree)
        let slides = made.edit.changes.count {
            if case .insertNode(_, .slide, _, _, _) = $0 { true } else { false }
        }
        let room =
            await slides == 0
            ? nil
            : uploadQuota?.begin(.slides, by: request.person, adding: slides, bytes: request.body.count)
        if let refused = room?.refusal { return refused }
        defer { withExtendedLifetime(room) {} }
        let outcome = try await concertEditor.edit(id, made.edit)
        return .json(EditAnswer(revision: outcome.newestTree.revision, ids: made.made))
    }

    /// Makes an edit of the concert as it was read, in the name of whoever sent the request.
    /// - Returns: the concert's new revision.
    func edit(
        _ id: Int64, _ document: CatalogueConcert, _ changes: [ConcertChange], by request: WebRequest,
        label: String
    ) async throws -> Int {
        let edit = ConcertEdit(
            baseRevision: document.contentTree.revision, changes: changes, author: authorName(request),
            label: label)
        return try await concertEditor.edit(id, edit).newestTree.revision
    }

    /// The body of an undo or redo request. `{"passing": REVISION}` skips an edit that could not be undone and
    /// continues with the edit before it. An empty body starts at the newest edit.
    private struct UndoRequest: Decodable {
        var passing: Int?
    }

    private func makeUndoRoute(_ path: String, _ step: ConcertHistoryEntry.HistoryStep) -> WebRoute {
        WebRoute(.post, "\(path)/\(step.rawValue)", Self.editorAccess) { [self] request in
            var wanted = UndoRequest()
            if !request.body.isEmpty {
                guard let read = try? JSONDecoder().decode(UndoRequest.self, from: Data(request.body)) else {
                    return .refused(400, "bad-json", "Send nothing, or {\"passing\": REVISION}.")
                }
                wanted = read
            }
            let outcome = try await concertEditor.undoOrRedo(
                try parseConcertID(request), by: authorName(request), as: step, passing: wanted.passing)
            return .json(EditAnswer(revision: outcome.newestTree.revision))
        }
    }

    /// Imports content XML or glossary XML from the request's body.
    @Sendable private func importXML(_ request: WebRequest) async -> WebResponse {
        do {
            let id = try parseConcertID(request)
            let files = try ContentFiles(xml: request.body, name: "The file")
            let outcome = try await files.importFiles(
                into: CatalogueConcert(try await loadContentTree(id)), of: concertEditor, id: id,
                author: authorName(request),
                label: "import of \(files.summary)")
            return .json(
                EditAnswer(
                    revision: outcome.newestTree.revision, notes: files.importNotes, brought: files.summary))
        } catch {
            return await Self.makeImportRefusal(error)
        }
    }

    /// Makes the response for files that could not be imported.
    /// - Parameter folder: the files' temporary folder on the server, whose path is removed from the sentence.
    static func makeImportRefusal(_ error: any Error, in folder: String? = nil) async -> WebResponse {
        if let fault = error as? ConcertEditFault { return fault.response }
        var sentence = (error as? any Explained)?.sentence ?? "The file cannot be read."
        if let folder { sentence = removingFolderPath(sentence, folder) }
        return .refused(422, "bad-content", sentence)
    }

    // MARK: Helpers

    private func makeConcertRoute(
        _ path: String, _ answer: @escaping @Sendable (Int64, ConcertTree, WebRequest) -> WebResponse
    ) -> WebRoute {
        WebRoute(.get, path, Self.editorAccess) { [self] request in
            let id = try parseConcertID(request)
            return answer(id, try await loadContentTree(id), request)
        }
    }

    func loadContentTree(_ id: Int64) async throws(ConcertEditFault) -> ConcertTree {
        // The served concert is in memory and contains every acknowledged edit.
        if let served = concertEditor.servedConcert, served.id == id {
            return served.catalogueConcert.contentTree
        }
        return try await concertEditor.catalogue.concertContent(of: id)
    }

    func parseConcertID(_ request: WebRequest) throws(ConcertEditFault) -> Int64 {
        guard let id = Int64(request.pathParameters["concert"] ?? "") else { throw .noSuchConcert(-1) }
        return id
    }

    func authorName(_ request: WebRequest) -> String { request.person?.name ?? "somebody" }
}
