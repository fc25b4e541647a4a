import Basics
import Hosting
import Podium
import Titles
import WebServer

/// The routes for the lists of titles: `/api/titles/0` as JSON; `/api/titles/0.csv`, `.srt`, `.vtt`, `.txt`, `.xml` and
/// `.pdf` as files. `/api/titles/@FOLDER` is the list of any prepared piece, tonight's or not.
struct TitleRoutes: Sendable {
    let showInbox: ShowInbox
    /// The lists of pieces that are not in the programme.
    let prepared: any PreparedTitleKeeping

    /// The most bytes of a file; content XML says less with more.
    private static let maximumFileBytes = 4_000_000

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/titles", .roles(WebRole.titleStaff), answer: listPieces),
            WebRoute(.get, "/api/titles/:piece", .roles(WebRole.titleStaff), answer: handleRequest),
            WebRoute(
                .put, "/api/titles/:piece", .roles(WebRole.titleStaff), bodyLimitBytes: Self.maximumFileBytes,
                answer: handleReplacement),
            WebRoute(
                .post, "/api/titles/:piece/edits", .roles(WebRole.titleStaff),
                bodyLimitBytes: Self.maximumFileBytes,
                answer: handleEdit),
        ].explaining(Self.explain)
    }

    /// The piece whose list is meant.
    private enum Target {
        case tonight(index: Int)
        case prepared(folder: String)
    }

    private struct PieceJSON: Encodable {
        /// The place in tonight's programme, from 0; null for a piece that is not in it.
        @OrNull var piece: Int?
        var name: String
        var folder: String
        var count: Int
        var revision: String
        /// Why the piece's list cannot be used; null if it can, or if there is none.
        @OrNull var fault: String?
    }

    @Sendable private func listPieces(_ request: WebRequest) async -> WebResponse {
        let programme = showInbox.newestSnapshot.programme
        let tonight = programme.isEmpty ? [] : programme.pieces
        let others = await prepared.listPieces().filter { other in
            !tonight.contains { $0.folder == other.folder }
        }
        return .json(
            tonight.enumerated().map { index, piece in
                PieceJSON(
                    piece: index, name: piece.name.text, folder: piece.folder, count: piece.titles.count,
                    revision: piece.titles.fingerprint, fault: nil)
            }
                + others.map {
                    PieceJSON(
                        piece: nil, name: $0.name, folder: $0.folder, count: $0.count, revision: $0.revision,
                        fault: $0.fault)
                })
    }

    @Sendable private func handleRequest(_ request: WebRequest) async -> WebResponse {
        guard let (target, format) = parse(request) else { return Self.noSuchList.response }
        let piece: ShowPiece
        let index: Int?
        switch target {
        case .tonight(let place): (piece, index) = (showInbox.newestSnapshot.programme.pieces[place], place)
        case .prepared(let folder):
            guard let found = await prepared.piece(folder) else { return Self.noSuchList.response }
            (piece, index) = (found, nil)
        }
        guard let format else { return .json(TitleListJSON(piece, index: index)) }
        let bytes: [UInt8]?
        switch format {
        case .file(let format):
            bytes = Array(piece.writeTitles(as: format, language: request.queryParameters["language"]).utf8)
        case .contentXML: bytes = TitleContentXML.write(piece)
        case .pdf: bytes = TitleListPDF.make(piece)?.bytes
        }
        guard let bytes else {
            return .refused(503, "busy", "There is not enough memory for the PDF; try again in a minute.")
        }
        let name = index.map { "piece-\($0 + 1)" } ?? piece.folder
        return WebResponse(contentType: format.contentType, body: bytes).withHeader(
            "Content-Disposition", "attachment; filename=\"\(name)-titles.\(format.end)\"")
    }

    @Sendable private func handleReplacement(_ request: WebRequest) async throws -> WebResponse {
        guard let (target, format) = parse(request), let format, format != .pdf else {
            return Self.noSuchList.response
        }
        let (bytes, track) = (request.body, request.queryParameters["track"].map { [$0] } ?? [])
        let language = request.queryParameters["language"].flatMap { $0.isEmpty ? nil : $0 }
        let joins = request.queryParameters["join"] == "1"
        let read = { @Sendable (piece: ShowPiece) throws(TitleImportFault) -> TitleList in
            if case .file(let format) = format {
                return joins
                    ? try piece.joinTitles(bytes, as: format, language: language)
                    : try piece.readTitles(bytes, as: format, language: language)
            }
            return try TitleContentXML.readTitles(bytes, name: "The file", for: piece, tracks: track)
        }
        let replacing = request.queryParameters["replacing"]
        struct Done: Encodable {
            var ok = true
            var epoch: String
            var count: Int
        }
        let count: Int
        switch target {
        case .tonight(let index):
            let programme = showInbox.newestSnapshot.programme
            let list = try read(programme.pieces[index])
            count = list.count
            try await submit(list, ofPiece: index, of: programme, replacing: replacing)
        case .prepared(let folder):
            let changed = try await change(folder) { piece in
                if let replacing, piece.titles.fingerprint != replacing { throw TitlesChanged() }
                return try read(piece)
            }
            count = changed.titles.count
        }
        return .json(Done(epoch: showInbox.newestSnapshot.state.epoch.description, count: count))
    }

    /// Replaces a run of titles. The answer has the titles that were put in, with their measures.
    @Sendable private func handleEdit(_ request: WebRequest) async throws -> WebResponse {
        guard let (target, format) = parse(request), format == nil else { return Self.noSuchList.response }
        struct Done: Encodable {
            var ok = true
            var epoch: String
            var revision: String
            var count: Int
            var inserted: [TitleJSON]
        }
        let wanted = try JSONBody.decode(WantedTitleEdit.self, from: request.body)
        let piece: ShowPiece
        let edit: TitleListEdit
        switch target {
        case .tonight(let index):
            let old = showInbox.newestSnapshot.programme.pieces[index]
            edit = try wanted.edit(of: old.titles)
            let outcome = await showInbox.submitEvent(
                .titlesEdited(piece: index, folder: old.folder, edit))
            guard case .done = outcome else { throw Self.refusal(outcome) }
            // The answer speaks of the list that the edit made, also if somebody else has edited it since.
            piece = try edit.applied(to: old)
        case .prepared(let folder):
            piece = try await change(folder) { piece in
                try wanted.edit(of: piece.titles).applied(to: piece).titles
            }
            edit = try wanted.edit(of: piece.titles)
        }
        return .json(
            Done(
                epoch: showInbox.newestSnapshot.state.epoch.description,
                revision: piece.titles.fingerprint, count: piece.titles.count,
                inserted: Array(TitleJSON.all(of: piece)[edit.index..<edit.index + edit.inserted.count])))
    }

    /// Changes the list of a piece that is not in the programme.
    private func change(
        _ folder: String, _ change: @Sendable (ShowPiece) throws -> TitleList
    ) async throws -> ShowPiece {
        guard showInbox.newestSnapshot.isActiveServer else { throw Self.refusal(.notActiveServer) }
        guard let changed = try await prepared.changeTitles(of: folder, change) else { throw Self.noSuchList }
        // The piece may have been put on meanwhile, with its earlier list.
        let programme = showInbox.newestSnapshot.programme
        if let index = programme.pieces.firstIndex(where: { $0.folder == folder }), !programme.isEmpty {
            try await submit(changed.titles, ofPiece: index, of: programme, replacing: nil)
        }
        return changed
    }

    private func submit(
        _ list: TitleList, ofPiece index: Int, of programme: ShowProgramme, replacing: String?
    ) async throws {
        let outcome = await showInbox.submitTitleList(
            list, ofPiece: index, changing: programme.orderRevision, replacing: replacing)
        guard case .done = outcome else { throw Self.refusal(outcome) }
    }

    @Sendable private static func explain(_ error: any Error) -> Refusal {
        switch error {
        case let error as TitleImportFault: Refusal(422, "bad-titles", error.sentence)
        case let error as TitleFault: Refusal(422, "bad-titles", error.sentence)
        case is TitlesChanged:
            Refusal(
                409, CommandRefusal.titlesChangedMeanwhile.code.rawValue,
                CommandRefusal.titlesChangedMeanwhile.sentence)
        case let error as any Explained: Refusal(507, "not-written", error.sentence)
        default: noSuchList
        }
    }

    private static func refusal(_ outcome: CommandOutcome) -> Refusal {
        let (status, code) =
            switch outcome {
            case .done, .doneButNotSaved: (507, "not-written")
            case .refused(let refusal, _): (refusal.code == .badTitles ? 422 : 409, refusal.code.rawValue)
            case .notActiveServer: (409, "not-reigning")
            case .busy: (503, "busy")
            }
        return Refusal(status, code, outcome.sentence ?? "")
    }

    /// Parses `0` or `@FOLDER` (no format: JSON), or a file's name such as `0.csv` or `@FOLDER.csv`.
    private func parse(_ request: WebRequest) -> (target: Target, format: TitleDocumentFormat?)? {
        let parts = (request.pathParameters["piece"] ?? "").split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let target = target(named: name) else { return nil }
        guard parts.count > 1 else { return (target, nil) }
        return TitleDocumentFormat(String(parts[1])).map { (target, $0) }
    }

    private func target(named name: Substring) -> Target? {
        let programme = showInbox.newestSnapshot.programme
        let pieces = programme.isEmpty ? [] : programme.pieces
        if name.hasPrefix("@") {
            let folder = String(name.dropFirst())
            return pieces.firstIndex { $0.folder == folder }.map { .tonight(index: $0) }
                ?? .prepared(folder: folder)
        }
        guard (1...6).contains(name.utf8.count), name.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let index = Int(name), pieces.indices.contains(index)
        else { return nil }
        return .tonight(index: index)
    }

    private static let noSuchList = Refusal(
        404, "no-such-piece",
        "There is no such piece. Pieces of tonight are counted from 0, others are named as in /api/titles/@my-aria.csv; "
            + "titles are csv, srt, vtt, txt, xml or (to read) pdf.")
}

/// Somebody else has changed the list since it was read.
struct TitlesChanged: Error {}

extension TitleListEdit {
    /// The piece with the edited list.
    /// - Throws: ``TitlesChanged``, ``TitleFault``.
    fileprivate func applied(to piece: ShowPiece) throws -> ShowPiece {
        guard let titles = apply(to: piece.titles) else { throw TitlesChanged() }
        let list = try piece.findMeasures(of: titles)
        return try ShowProgramme(title: "", pieces: [piece]).replacingTitles(of: 0, by: list).pieces[0]
    }
}
