import Catalogue
import Concert
import Content
import Foundation
import Score
import WebServer

/// Routes that give a piece the measures and waveform of its recordings' folder.
extension ContentEditRoutes {
    var contentRecordings: ContentRecordings? {
        concertEditor.recordings.map { ContentRecordings(recordings: $0, models: concertEditor.models) }
    }

    /// Lists the recordings' folders: `[{"folder", "name", "performances", "measures"}]`.
    @Sendable func recordings(_ request: WebRequest) async -> WebResponse {
        .json(contentRecordings?.allFolders() ?? [])
    }

    private struct AssignRecordingsRequest: Decodable {
        var folder: String
        /// The piece that gets the recordings; nil creates a new one.
        var piece: ContentNodeID?
    }

    private struct AssignRecordingsAnswer: Encodable {
        var revision: Int
        var piece: ContentNodeID
    }

    /// Creates a piece from a recording, or gives an existing piece a recording's measures. Either is one edit, which
    /// can be undone.
    @Sendable func assignRecording(_ request: WebRequest) async -> WebResponse {
        guard let order = try? JSONDecoder().decode(AssignRecordingsRequest.self, from: Data(request.body))
        else {
            return .refused(400, "bad-json", "Send {\"folder\": \"…\", \"piece\": NODE or nothing}.")
        }
        guard let reference = contentRecordings?.reference(of: order.folder) else {
            return .refused(
                404, "no-recording",
                "There is no folder “\(order.folder.prefix(60))” with a recording and its measures; "
                    + "see the list of recordings.")
        }
        do throws(ContentFault) {
            let id = try concertID(request)
            let document = CatalogueConcert(try await contentTree(id))
            var builder = ContentEditBuilder()
            let piece: ContentNodeID
            if let wanted = order.piece {
                guard let index = document.pieces.firstIndex(where: { $0.id == wanted }) else {
                    throw .noSuchNode(wanted.rawValue)
                }
                piece = wanted
                builder.setMeasures(
                    reference, folder: order.folder, to: document.pieces[index],
                    document.concert.pieces[index])
            } else {
                piece = builder.addPieceFromRecording(reference, folder: order.folder)
            }
            let outcome = try await concertEditor.edit(
                id,
                ContentEdit(
                    base: document.tree.revision, changes: builder.changes, author: author(request),
                    label: "recordings of \(reference.name.text)"))
            return .json(AssignRecordingsAnswer(revision: outcome.tree.revision, piece: piece))
        } catch {
            return EditFailureAnswer.answer(error)
        }
    }
}

extension ContentFiles {
    /// Assigns to each piece the recordings' folder of the same name, if it plays the same number of measures. Imported
    /// files contain no recordings themselves.
    package mutating func assignRecordings(in library: ContentRecordings) {
        guard pieces.contains(where: { $0.folder == nil }) else { return }
        let all = library.allFolders()
        for index in pieces.indices where pieces[index].folder == nil {
            let piece = pieces[index].content
            let found = all.first { $0.name == piece.name.text && $0.measures == piece.measures.count }
            guard let found else { continue }
            pieces[index].folder = found.folder
            pieces[index].waveform = library.reference(of: found.folder)?.waveform
        }
    }
}
