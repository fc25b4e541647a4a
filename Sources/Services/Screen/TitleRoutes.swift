import Hosting
import Podium
import Titles
import WebServer

/// The routes for the lists of titles: `/api/titles/0` as JSON; `/api/titles/0.csv`, `.srt`, `.vtt` and `.txt` as files.
struct TitleRoutes: Sendable {
    let showInbox: ShowInbox

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/titles/:piece", .roles(WebRole.staff), answer: handleRequest),
            WebRoute(
                .put, "/api/titles/:piece", .roles(WebRole.staff), bodyLimitBytes: TitleSheet.maximumBytes,
                answer: handleReplacement),
        ]
    }

    private struct ListJSON: Encodable {
        struct TitleJSON: Encodable {
            var number: Int
            var texts: [String: String]
            @OrNull var place: String?
            /// The printed number of the bar; nil for a title without a bar.
            @OrNull var measure: Int?
            var lead: Double
            var fadeIn: Double
            var fadeOut: Double
            @OrNull var doubleCut: Double?
            var note: String
        }

        var piece: Int
        var name: String
        var languages: [String]
        var titles: [TitleJSON]

        init(_ piece: ShowPiece, index: Int) {
            self.piece = index
            name = piece.name.text
            languages = piece.titles.languages
            titles = piece.titles.titles.enumerated().map { index, title in
                TitleJSON(
                    number: index + 1,
                    texts: Dictionary(
                        title.texts.map { ($0.language, $0.text) }, uniquingKeysWith: { first, _ in first }),
                    place: title.place,
                    measure: title.played.map { piece.printedMeasure(at: $0) },
                    lead: title.lead, fadeIn: title.fadeIn, fadeOut: title.fadeOut,
                    doubleCut: title.doubleCut, note: title.note)
            }
        }
    }

    @Sendable private func handleRequest(_ request: WebRequest) async -> WebResponse {
        let programme = showInbox.newestSnapshot.programme
        guard let (index, format) = Self.parse(request), programme.pieces.indices.contains(index) else {
            return Self.noSuchList
        }
        let piece = programme.pieces[index]
        guard let format else { return .json(ListJSON(piece, index: index)) }
        let text = piece.writeTitles(as: format, language: request.queryParameters["language"])
        return WebResponse(contentType: Self.contentType(of: format), body: Array(text.utf8)).withHeader(
            "Content-Disposition", "attachment; filename=\"piece-\(index + 1)-titles.\(format.rawValue)\"")
    }

    @Sendable private func handleReplacement(_ request: WebRequest) async -> WebResponse {
        let programme = showInbox.newestSnapshot.programme
        guard let (index, format) = Self.parse(request), let format, programme.pieces.indices.contains(index)
        else { return Self.noSuchList }
        let list: TitleList
        do throws(TitleImportFault) {
            list = try programme.pieces[index].readTitles(request.body, as: format)
        } catch {
            return .refused(422, "bad-titles", error.sentence)
        }
        let outcome = await showInbox.submitTitleList(
            list, ofPiece: index, changing: programme.orderRevision)
        guard case .done(let epoch) = outcome else {
            let code =
                switch outcome {
                case .refused(let refusal, _): refusal.code.rawValue
                case .notActiveServer: "not-reigning"
                case .busy: "busy"
                case .done, .doneButNotSaved: "not-written"
                }
            return .refused(Self.status(of: outcome), code, outcome.sentence ?? "")
        }
        struct Done: Encodable {
            var ok = true
            var epoch: String
            var count: Int
        }
        return .json(Done(epoch: epoch.description, count: list.count))
    }

    private static func status(of outcome: CommandOutcome) -> Int {
        switch outcome {
        case .done: 200
        case .doneButNotSaved: 507
        case .refused, .notActiveServer: 409
        case .busy: 503
        }
    }

    /// Parses `0` (no format: JSON) or a file's name such as `0.csv`.
    private static func parse(_ request: WebRequest) -> (index: Int, format: TitleFileFormat?)? {
        let parts = (request.pathParameters["piece"] ?? "").split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let digits = parts.first, (1...6).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let index = Int(digits)
        else { return nil }
        guard parts.count > 1 else { return (index, nil) }
        return TitleFileFormat(rawValue: String(parts[1])).map { (index, $0) }
    }

    private static func contentType(of format: TitleFileFormat) -> String {
        switch format {
        case .csv: "text/csv; charset=utf-8"
        case .vtt: "text/vtt; charset=utf-8"
        case .srt, .txt: "text/plain; charset=utf-8"
        }
    }

    private static let noSuchList = WebResponse.refused(
        404, "no-such-piece",
        "Pieces are counted from 0, and titles are csv, srt, vtt or txt: name one as in /api/titles/0.csv.")
}
