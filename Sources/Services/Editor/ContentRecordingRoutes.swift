import Catalogue
import Concert
import Content
import Foundation
import Score
import WebServer

/// Routes that give a piece the measures and waveform of its recordings' folder.
extension ContentEditRoutes {
    var contentRecordings: ContentRecordings? {
        concertEditor.recordingsFolderPath.map {
            ContentRecordings(recordingsPath: $0, modelsPath: concertEditor.modelsFolderPath)
        }
    }

    /// Lists the recordings' folders: `[{"folder", "name", "performances", "measures"}]`.
    @Sendable func listRecordingsFolders(_ request: WebRequest) async -> WebResponse {
        .json(contentRecordings?.listFolders() ?? [])
    }

    private struct AssignRecordingsRequest: Decodable {
        var folder: String
        /// The piece that gets the recordings; nil creates a new one.
        var piece: ConcertNodeID?
    }

    private struct AssignRecordingsAnswer: Encodable {
        var revision: Int
        var piece: ConcertNodeID
    }

    /// Creates a piece from a recording, or gives an existing piece a recording's measures. Either is one edit, which
    /// can be undone.
    @Sendable func assignRecording(_ request: WebRequest) async throws -> WebResponse {
        guard let order = try? JSONDecoder().decode(AssignRecordingsRequest.self, from: Data(request.body))
        else {
            return .refused(400, "bad-json", "Send {\"folder\": \"…\", \"piece\": NODE or nothing}.")
        }
        guard let reference = contentRecordings?.readPieceDetails(of: order.folder) else {
            return .refused(
                404, "no-recording",
                "There is no folder “\(order.folder.prefix(60))” with a recording and its measures; "
                    + "see the list of recordings.")
        }
        let id = try parseConcertID(request)
        let document = CatalogueConcert(try await loadContentTree(id))
        var builder = ContentEditBuilder()
        let piece: ConcertNodeID
        if let wanted = order.piece {
            guard let index = document.pieceNodes.firstIndex(where: { $0.id == wanted }) else {
                throw ConcertEditFault.noSuchNode(wanted.rawValue)
            }
            piece = wanted
            builder.setMeasures(
                reference, folder: order.folder, to: document.pieceNodes[index],
                document.concert.pieces[index])
        } else {
            piece = builder.addPieceFromRecording(reference, folder: order.folder)
        }
        let revision = try await edit(
            id, document, builder.changes, by: request, label: "recordings of \(reference.name.text)")
        return .json(AssignRecordingsAnswer(revision: revision, piece: piece))
    }
}

extension ContentFiles {
    /// Assigns to each piece the recordings' folder of the same name, if it plays the same number of measures. Imported
    /// files contain no recordings themselves.
    package mutating func assignRecordings(in library: ContentRecordings) {
        guard pieces.contains(where: { $0.recordingsFolder == nil }) else { return }
        let all = library.listFolders()
        for index in pieces.indices where pieces[index].recordingsFolder == nil {
            let piece = pieces[index].content
            let found = all.first { $0.name == piece.name.text && $0.measures == piece.measures.count }
            guard let found else { continue }
            pieces[index].recordingsFolder = found.folder
            pieces[index].waveform = library.readPieceDetails(of: found.folder)?.waveform
        }
    }
}
