import Basics
import Concert
import Foundation
import Hosting
import Score
import ScoreFiles
import WebServer

/// The addresses by which measure times come in and go out as files.
extension PreparationService {
    var barRoutes: [WebRoute] {
        let bars = "/api/prepare/pieces/:piece/bars"
        return [
            route(.post, bars + "/import", limit: MeasureTimesLimits.fileBytes) {
                request in
                try await importResponse(request)
            },
            route(.get, bars + "/export") { request in try await exportResponse(request) },
        ]
    }

    private struct ImportAnswer: Encodable {
        var revision: Int
        var inverse: [DraftEdit]
        var skipped: [String]
        var notes: [String]
    }

    private func importResponse(_ request: WebRequest) async throws(Refusal) -> WebResponse {
        let piece = try await record(of: request).id
        let name = request.queryParameters["format"] ?? "automatic"
        guard let format = MeasureTimesFormatChoice(name: name) else {
            throw .refused(
                code: "bad-format",
                sentence:
                    "The format is one of \(MeasureTimesFormatChoice.acceptedNames.joined(separator: ", ")).")
        }
        let imported = try await intake.importBars(
            request.body, name: DraftStore.safeFileName(request.queryParameters["name"] ?? "the file"),
            format: format, into: piece, author: Self.author(request))
        return .json(
            ImportAnswer(
                revision: imported.answer.revision, inverse: imported.answer.inverse,
                skipped: imported.answer.skipped, notes: imported.notes))
    }

    private func exportResponse(_ request: WebRequest) async throws(Refusal) -> WebResponse {
        let draft = try await record(of: request).draft
        let marks = draft.bars.map {
            PlayedMeasure(printed: $0.printed, onset: ReferenceTime(seconds: $0.seconds))
        }
        let end = draft.end.map { ReferenceTime(seconds: $0) }
        let stem = draft.name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            .joined(separator: "-").prefix(60)
        let (text, type, ending): (String, String, String)
        switch request.queryParameters["format"] ?? "csv" {
        case "csv": (text, type, ending) = (MeasureTimesWriter.makeCSV(marks, end: end), "text/csv", "csv")
        case "audacity":
            (text, type, ending) = (
                MeasureTimesWriter.makeAudacityLabels(marks, end: end), "text/plain", "txt"
            )
        case "content":
            let name: PieceName
            do throws(ExplainedError) { name = try PieceName(entered: draft.name) } catch {
                throw .refused(code: "bad-name", sentence: error.sentence)
            }
            (text, type, ending) = (
                MeasureTimesWriter.makeContentXML(marks, name: name), "application/xml", "xml"
            )
        default:
            throw .refused(code: "bad-format", sentence: "The format is csv, audacity or content.")
        }
        return WebResponse(contentType: type + "; charset=utf-8", body: Array(text.utf8))
            .withHeader(
                "Content-Disposition", "attachment; filename=\"\(stem.isEmpty ? "bars" : stem).\(ending)\"")
    }
}
