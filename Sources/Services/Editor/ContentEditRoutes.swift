import Catalogue
import Concert
import Content
import Foundation
import Hosting
import WebServer

/// Routes of the editors' pages: read, edit, undo, check and preview concerts. For editors and administrators.
struct ContentEditRoutes {
    static let editors = Access.roles([.editor, .administrator])
    /// The largest file that the XML readers accept, plus a margin.
    static let xmlBytes = 9 << 20

    let desk: ConcertEditor
    /// Limits uploads; nil for no limits, as in tests.
    var quota: UploadQuota?

    var routes: [WebRoute] {
        let one = "/api/edit/concerts/:concert"
        return [
            .stream("/api/edit/events", Self.editors, desk.editors),
            WebRoute(.get, "/api/edit/concerts", Self.editors, answer: list),
            WebRoute(.post, "/api/edit/concerts", Self.editors, answer: make)
                .bringing(.slides, within: quota),
            get(one) { id, tree, _ in
                .json(AudienceConcert.json(ConcertAnswer(id, tree, served: desk.served?.id == id)))
            },
            WebRoute(.delete, one, Self.editors, answer: remove),
            get(one + "/serve") { id, tree, _ in .json(AudienceConcert.json(plan(id, tree))) },
            WebRoute(.post, one + "/serve", Self.editors, bodyLimitBytes: 4_096, answer: serve),
            WebRoute(
                .post, one + "/edits", Self.editors, bodyLimitBytes: EditRequest.mostBytes, answer: edit),
            WebRoute(.post, one + "/undo", Self.editors) { [self] request in
                await step(request) { id, author, stuck throws(ContentFault) in
                    try await desk.undo(id, by: author, passing: stuck)
                }
            },
            WebRoute(.post, one + "/redo", Self.editors) { [self] request in
                await step(request) { id, author, stuck throws(ContentFault) in
                    try await desk.redo(id, by: author, passing: stuck)
                }
            },
            WebRoute(.get, one + "/history", Self.editors, answer: history),
            WebRoute(.get, one + "/history/:revision", Self.editors, answer: pastEdit),
            WebRoute(.post, one + "/restore", Self.editors, answer: restore),
            WebRoute(.post, one + "/copy", Self.editors, answer: copyConcert),
            WebRoute(.post, one + "/pieces", Self.editors, answer: copyPiece),
            WebRoute(.get, one + "/zip", Self.editors, answer: exportZip),
            .upload(
                .post, one + "/zip", Self.editors, limitBytes: ContentZip.mostBytes,
                folder: desk.shelf.arrivals, answer: importZip),
            .upload(
                .post, "/api/edit/zip", Self.editors, limitBytes: ContentZip.mostBytes,
                folder: desk.shelf.arrivals, answer: importZip),
            get(one + "/findings") { _, tree, request in
                // Assets that the store refuses to serve (such as an unsafe SVG) count as missing.
                findings(CatalogueConcert(tree).servable(by: desk.shelf), request.query["piece"])
            },
            get(one + "/preview") { id, tree, _ in
                let document = CatalogueConcert(tree)
                let notes = document.assets.first {
                    $0.place == .AppAssets && ["pdf", "md"].contains($0.name.ending)
                }
                return .json(
                    AudienceConcert.json(
                        AudienceConcert(document, revision: "\(id).\(tree.revision)", notes: notes)))
            },
            get(one + "/export/:file") { _, tree, request in export(tree, request.parameters["file"] ?? "") },
            WebRoute(.post, one + "/import", Self.editors, bodyLimitBytes: Self.xmlBytes, answer: importXML)
                .bringing(.slides, within: quota),
            get(one + "/assets/:place/:name") { _, tree, request in
                guard let place = ContentAsset.Folder(rawValue: request.parameters["place"] ?? ""),
                    let asset = CatalogueConcert(tree).asset(place, request.parameters["name"] ?? "")
                else { return .refused(404, "no-asset", "There is no such file in this concert.") }
                return ConcertFileResponses.answer(asset, desk.shelf)
            },
            .upload(
                .put, one + "/assets/:place/:name", Self.editors, limitBytes: AssetStore.mostBytes,
                folder: desk.shelf.arrivals, answer: upload
            ).bringing(.assets, within: quota),
            WebRoute(.get, "/api/edit/recordings", Self.editors, answer: recordings),
            WebRoute(.post, one + "/recording", Self.editors, answer: takeRecording)
                .bringing(.slides, within: quota),
            WebRoute(.get, "/api/edit/audio/:folder", Self.editors, answer: audio),
        ]
    }

    // MARK: Concerts

    private struct ListedConcert: Encodable {
        var id: Int64
        var title: String
        var revision: Int
        var served: Bool
        /// Time of creation; distinguishes two concerts with the same title.
        var made: String
    }

    @Sendable private func list(_ request: WebRequest) async -> WebResponse {
        do throws(CatalogueError) {
            let all = try await desk.catalogue.concerts()
            return .json(
                all.map {
                    ListedConcert(
                        id: $0.id, title: $0.title, revision: $0.revision, served: $0.isServed,
                        made: $0.created.formatted(.iso8601))
                })
        } catch {
            return EditFailureAnswer.answer(.catalogue(error))
        }
    }

    private struct NewConcert: Decodable {
        var title: String
    }

    @Sendable private func make(_ request: WebRequest) async -> WebResponse {
        guard let new = try? JSONDecoder().decode(NewConcert.self, from: Data(request.body)) else {
            return .refused(400, "bad-json", "Send {\"title\": \"…\"}.")
        }
        var builder = ContentEditBuilder()
        builder.set(ConcertDetails(title: CleanText.line(new.title)))
        do throws(ContentFault) {
            let id = try await desk.createConcert(builder.changes, by: author(request), label: "made")
            return .json(["concert": id])
        } catch {
            return EditFailureAnswer.answer(error)
        }
    }

    @Sendable private func remove(_ request: WebRequest) async -> WebResponse {
        do throws(ContentFault) {
            let id = try concert(request)
            guard desk.served?.id != id else {
                return .refused(
                    409, "served",
                    "Listeners are reading this concert; serve another one before you remove it.")
            }
            try await desk.catalogue.removeConcert(id)
            return .done
        } catch {
            return EditFailureAnswer.answer(error)
        }
    }

    private struct ServeConfirmation: Decodable {
        var confirm: String?
    }

    private func plan(_ id: Int64, _ tree: ContentTree) -> ServingPlan {
        ServingPlan(
            id, CatalogueConcert(tree).servable(by: desk.shelf), served: desk.served,
            listeners: desk.listeners.hub.listenerCount, isLocked: desk.isShowLocked())
    }

    @Sendable private func serve(_ request: WebRequest) async -> WebResponse {
        do throws(ContentFault) {
            let id = try concert(request)
            let plan = plan(id, try await tree(id))
            if let refused = plan.refused {
                return .refused(refused.code == "empty" ? 422 : 409, refused.code, refused.sentence)
            }
            let confirmed = try? JSONDecoder().decode(ServeConfirmation.self, from: Data(request.body))
            guard confirmed?.confirm == plan.confirm else {
                return .json(
                    UnconfirmedServingAnswer(error: plan.sentence + " Confirm it to go on.", plan: plan),
                    status: 409)
            }
            try await desk.serve(id, by: author(request))
            return .done
        } catch {
            return EditFailureAnswer.answer(error)
        }
    }

    // MARK: Edits

    struct EditAnswer: Encodable {
        var revision: Int
        var ids: [ContentNodeID] = []
        var notes: [String] = []
        /// A summary of the imported contents, in a few words.
        var brought: String?
    }

    @Sendable private func edit(_ request: WebRequest) async -> WebResponse {
        do throws(ContentRefusal) {
            let order = try EditRequest.decode(request.body)
            do throws(ContentFault) {
                let id = try concert(request)
                let tree = try await tree(id)
                let made: (edit: ContentEdit, made: [ContentNodeID])
                do throws(ContentRefusal) { made = try order.edit(by: author(request), on: tree) } catch {
                    return .refused(422, error.code, error.sentence)
                }
                let slides = made.edit.changes.count {
                    if case .insert(_, .slide, _, _, _) = $0 { true } else { false }
                }
                if slides > 0,
                    let refused = await quota?.refusal(
                        .slides, by: request.person, adding: slides, bytes: request.body.count)
                {
                    return refused
                }
                let outcome = try await desk.edit(id, made.edit)
                return .json(EditAnswer(revision: outcome.tree.revision, ids: made.made))
            } catch {
                return EditFailureAnswer.answer(error)
            }
        } catch {
            return .refused(error.code == "bad-json" ? 400 : 422, error.code, error.sentence)
        }
    }

    /// Body of an undo or redo: `{"passing": REVISION}` continues before an edit that could not be undone; an empty
    /// body starts at the newest edit.
    private struct UndoRequest: Decodable {
        var passing: Int?
    }

    private func step(
        _ request: WebRequest, _ work: (Int64, String, Int?) async throws(ContentFault) -> ContentEditResult
    ) async -> WebResponse {
        var step = UndoRequest()
        if !request.body.isEmpty {
            guard let read = try? JSONDecoder().decode(UndoRequest.self, from: Data(request.body)) else {
                return .refused(400, "bad-json", "Send nothing, or {\"passing\": REVISION}.")
            }
            step = read
        }
        do throws(ContentFault) {
            let outcome = try await work(try concert(request), author(request), step.passing)
            return .json(EditAnswer(revision: outcome.tree.revision))
        } catch {
            return EditFailureAnswer.answer(error)
        }
    }

    /// Imports content XML or glossary XML from the request's body.
    @Sendable private func importXML(_ request: WebRequest) async -> WebResponse {
        do {
            let id = try concert(request)
            let files = try ContentFiles(xml: request.body, name: "The file")
            let outcome = try await files.merge(
                into: CatalogueConcert(try await tree(id)), of: desk, id: id, author: author(request),
                label: "import of \(files.summary)")
            return .json(
                EditAnswer(revision: outcome.tree.revision, notes: files.notes, brought: files.summary))
        } catch {
            return await Self.importRefusal(error)
        }
    }

    /// The refusal for files that could not be imported.
    /// - Parameter folder: the files' temporary folder on the server; it is removed from the sentence.
    static func importRefusal(_ error: any Error, in folder: String? = nil) async -> WebResponse {
        if let fault = error as? ContentFault { return EditFailureAnswer.answer(fault) }
        var sentence = "The file cannot be read."
        do { try await withContentErrorSentences { throw error } } catch {
            if let failure = error as? ExplainedError { sentence = failure.sentence }
        }
        if let folder { sentence = withoutFolder(sentence, folder) }
        return .refused(422, "bad-content", sentence)
    }

    // MARK: Helpers

    private func get(
        _ path: String, _ answer: @escaping @Sendable (Int64, ContentTree, WebRequest) -> WebResponse
    ) -> WebRoute {
        WebRoute(.get, path, Self.editors) { [self] request in
            do throws(ContentFault) {
                let id = try concert(request)
                return answer(id, try await tree(id), request)
            } catch {
                return EditFailureAnswer.answer(error)
            }
        }
    }

    func tree(_ id: Int64) async throws(ContentFault) -> ContentTree {
        // The served concert is in memory and contains every acknowledged edit.
        if let served = desk.served, served.id == id { return served.document.tree }
        return try await desk.catalogue.content(of: id)
    }

    func concert(_ request: WebRequest) throws(ContentFault) -> Int64 {
        guard let id = Int64(request.parameters["concert"] ?? "") else { throw .noSuchConcert(-1) }
        return id
    }

    func author(_ request: WebRequest) -> String { request.person?.name ?? "somebody" }
}
