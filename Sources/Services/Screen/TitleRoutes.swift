import Hosting
import Podium
import Titles
import WebServer

/// The routes for the lists of titles: `/api/titles/0` as JSON; `/api/titles/0.csv`, `.srt`, `.vtt`, `.txt`, `.xml` and
/// `.pdf` as files.
struct TitleRoutes: Sendable {
    let showInbox: ShowInbox

    /// The most bytes of a file; content XML says less with more.
    private static let maximumFileBytes = 4_000_000

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/titles", .roles(WebRole.staff), answer: listPieces),
            WebRoute(.get, "/api/titles/:piece", .roles(WebRole.staff), answer: handleRequest),
            WebRoute(
                .put, "/api/titles/:piece", .roles(WebRole.staff), bodyLimitBytes: Self.maximumFileBytes,
                answer: handleReplacement),
            WebRoute(
                .post, "/api/titles/:piece/edits", .roles(WebRole.staff),
                bodyLimitBytes: Self.maximumFileBytes,
                answer: handleEdit),
        ]
    }

    /// A format of a list: one of the files that the titles know, content XML, or a PDF, which is only written.
    private enum Format: Equatable {
        case file(TitleFileFormat)
        case contentXML
        case pdf

        init?(_ end: String) {
            switch end {
            case "xml": self = .contentXML
            case "pdf": self = .pdf
            default:
                guard let format = TitleFileFormat(rawValue: end) else { return nil }
                self = .file(format)
            }
        }

        var end: String {
            switch self {
            case .file(let format): format.rawValue
            case .contentXML: "xml"
            case .pdf: "pdf"
            }
        }

        var contentType: String {
            switch self {
            case .file(.csv): "text/csv; charset=utf-8"
            case .file(.vtt): "text/vtt; charset=utf-8"
            case .file(.srt), .file(.txt): "text/plain; charset=utf-8"
            case .contentXML: "application/xml"
            case .pdf: "application/pdf"
            }
        }
    }

    private struct PieceJSON: Encodable {
        var piece: Int
        var name: String
        var folder: String
        var count: Int
        var revision: String
    }

    @Sendable private func listPieces(_ request: WebRequest) async -> WebResponse {
        let programme = showInbox.newestSnapshot.programme
        guard !programme.isEmpty else { return .json([PieceJSON]()) }
        return .json(
            programme.pieces.enumerated().map { index, piece in
                PieceJSON(
                    piece: index, name: piece.name.text, folder: piece.folder, count: piece.titles.count,
                    revision: piece.titles.fingerprint)
            })
    }

    @Sendable private func handleRequest(_ request: WebRequest) async -> WebResponse {
        let programme = showInbox.newestSnapshot.programme
        guard let (index, format) = Self.parse(request), programme.pieces.indices.contains(index) else {
            return Self.noSuchList
        }
        let piece = programme.pieces[index]
        guard let format else { return .json(TitleListJSON(piece, index: index)) }
        let bytes: [UInt8]?
        switch format {
        case .file(let format):
            bytes = Array(piece.writeTitles(as: format, language: request.queryParameters["language"]).utf8)
        case .contentXML: bytes = TitleContentXML.write(piece)
        case .pdf: bytes = TitleListPDF.make(piece)
        }
        guard let bytes else {
            return .refused(503, "busy", "There is not enough memory for the PDF; try again in a minute.")
        }
        return WebResponse(contentType: format.contentType, body: bytes).withHeader(
            "Content-Disposition", "attachment; filename=\"piece-\(index + 1)-titles.\(format.end)\"")
    }

    @Sendable private func handleReplacement(_ request: WebRequest) async -> WebResponse {
        let programme = showInbox.newestSnapshot.programme
        guard let (index, format) = Self.parse(request), let format, format != .pdf,
            programme.pieces.indices.contains(index), !programme.isEmpty
        else { return Self.noSuchList }
        let list: TitleList
        do throws(TitleImportFault) {
            let piece = programme.pieces[index]
            switch format {
            case .file(let format): list = try piece.readTitles(request.body, as: format)
            default:
                list = try TitleContentXML.readTitles(
                    request.body, name: "The file", for: piece,
                    tracks: request.queryParameters["track"].map { [$0] } ?? [])
            }
        } catch {
            return .refused(422, "bad-titles", error.sentence)
        }
        let outcome = await showInbox.submitTitleList(
            list, ofPiece: index, changing: programme.orderRevision,
            replacing: request.queryParameters["replacing"])
        guard case .done(let epoch) = outcome else { return Self.refusal(outcome) }
        struct Done: Encodable {
            var ok = true
            var epoch: String
            var count: Int
        }
        return .json(Done(epoch: epoch.description, count: list.count))
    }

    /// Replaces a run of titles. The answer has the titles that were put in, with their measures.
    @Sendable private func handleEdit(_ request: WebRequest) async -> WebResponse {
        let programme = showInbox.newestSnapshot.programme
        guard let (index, format) = Self.parse(request), format == nil,
            programme.pieces.indices.contains(index),
            !programme.isEmpty
        else { return Self.noSuchList }
        let piece = programme.pieces[index]
        let edit: TitleListEdit
        do throws(JSONFault) {
            guard
                let wanted = try JSONBody.decode(WantedTitleEdit.self, from: request.body).edit(
                    of: piece.titles)
            else {
                return .refused(422, "bad-titles", "The position of a title is bottom, top, or left out.")
            }
            edit = wanted
        } catch {
            return error.errorResponse
        }
        let outcome = await showInbox.submitEvent(.titlesEdited(piece: index, folder: piece.folder, edit))
        guard case .done(let epoch) = outcome else { return Self.refusal(outcome) }
        struct Done: Encodable {
            var ok = true
            var epoch: String
            var revision: String
            var count: Int
            var inserted: [TitleJSON]
        }
        // The answer speaks of the list that the edit made, also if somebody else has edited it since.
        guard let titles = edit.apply(to: piece.titles), let list = try? piece.findMeasures(of: titles) else {
            return .refused(
                409, CommandRefusal.titlesChangedMeanwhile.code.rawValue,
                CommandRefusal.titlesChangedMeanwhile.sentence)
        }
        return .json(
            Done(
                epoch: epoch.description, revision: list.fingerprint, count: list.count,
                inserted: edit.inserted.indices.map {
                    TitleJSON(list.titles[edit.index + $0], number: edit.index + $0 + 1, of: piece)
                }))
    }

    private static func refusal(_ outcome: CommandOutcome) -> WebResponse {
        switch outcome {
        case .done: .succeeded
        case .doneButNotSaved: .refused(507, "not-written", outcome.sentence ?? "")
        case .refused(let refusal, _):
            .refused(refusal.code == .badTitles ? 422 : 409, refusal.code.rawValue, refusal.sentence)
        case .notActiveServer: .refused(409, "not-reigning", outcome.sentence ?? "")
        case .busy: .refused(503, "busy", outcome.sentence ?? "")
        }
    }

    /// Parses `0` (no format: JSON) or a file's name such as `0.csv`.
    private static func parse(_ request: WebRequest) -> (index: Int, format: Format?)? {
        let parts = (request.pathParameters["piece"] ?? "").split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let digits = parts.first, (1...6).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let index = Int(digits)
        else { return nil }
        guard parts.count > 1 else { return (index, nil) }
        return Format(String(parts[1])).map { (index, $0) }
    }

    private static let noSuchList = WebResponse.refused(
        404, "no-such-piece",
        "Pieces are counted from 0, and titles are csv, srt, vtt, txt, xml or (to read) pdf: name one as in "
            + "/api/titles/0.csv.")
}
