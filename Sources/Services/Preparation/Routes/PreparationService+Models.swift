import Concert
import Foundation
import Hosting
import ReferenceStore
import WebServer

/// The addresses of the prepared models: the list, and their removal, which can be undone.
extension PreparationService {
    var modelRoutes: [WebRoute] {
        [
            WebRoute(.get, "/api/prepare/models", Self.access) { _ in await modelListResponse() },
            WebRoute(.get, "/api/prepare/models/:folder", Self.access) { request in
                try await pieceResponse(request.pathParameters["folder"] ?? "")
            },
            route(.post, "/api/prepare/models") { request in
                let kept = try Self.decode(RemovedModel.self, request).kept
                let folder = try putBackModel(kept)
                say("\(Self.author(request)) put the prepared piece “\(folder)” back.\n")
                await library.publishList()
                return .json(["folder": folder])
            },
            route(.delete, "/api/prepare/models/:folder") { request in
                let folder = request.pathParameters["folder"] ?? ""
                guard !isOnProgramme(folder) else { return Self.isOnProgrammeResponse(folder) }
                let kept = try setModelAside(folder)
                say(
                    "\(Self.author(request)) removed the prepared piece “\(folder)”; it is kept in "
                        + "\(removedModels)/\(kept).\n")
                await library.publishList()
                return .json(RemovedModel(kept: kept))
            },
        ]
    }

    /// The folder of removed models. Its name is no name of a piece, so that no list has it.
    private var removedModels: String { models + "/.removed" }

    private struct RemovedModel: Codable {
        /// The name under which the model is kept aside.
        var kept: String
    }

    struct ListedModel: Encodable {
        var folder: String
        var name: String
        var seconds: Double
        var bars: Int
        var recordings: Int
        var isOnProgramme: Bool
        /// The piece in preparation that it was made of; nil if that was deleted.
        @OrNull var piece: String?
    }

    /// People's own tabs are not listed: they go with their pieces.
    private func modelListResponse() async -> WebResponse { .json(await listModels()) }

    func listModels() async -> [ListedModel] {
        var pieces: [String: String] = [:]
        for case .readable(let record) in await library.list() {
            if let folder = record.prepared.map({ Self.folderName($0.folder) }) { pieces[folder] = record.id }
        }
        let tabs = TabPieceOwners(recordings: recordings)
        return ModelFolder(path: models).summaries().filter { !tabs.isTab($0.folder) }.map {
            ListedModel(
                folder: $0.folder, name: $0.name.text, seconds: $0.durationSeconds, bars: $0.measureCount,
                recordings: $0.recordingCount, isOnProgramme: isOnProgramme($0.folder),
                piece: pieces[$0.folder])
        }
    }

    private static func isOnProgrammeResponse(_ folder: String) -> WebResponse {
        .refused(
            409, "on-programme",
            "“\(folder)” is on the programme of the show. Take it off the programme on the console, then remove it."
        )
    }

    /// Moves a model out of the folder of models.
    /// - Returns: the name under which it is kept.
    private func setModelAside(_ folder: String) throws(Refusal) -> String {
        guard ModelFolder(path: models).contains(folder),
            !TabPieceOwners(recordings: recordings).isTab(folder)
        else { throw Self.noSuchModel }
        let moment = Date().formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        let kept = "\(folder).\(moment)"
        try move(models + "/" + folder, to: removedModels + "/" + kept)
        return kept
    }

    /// Moves a removed model back to its place.
    /// - Returns: the name of its folder.
    private func putBackModel(_ kept: String) throws(Refusal) -> String {
        let parts = kept.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy(ModelFolder.isValidName),
            FileManager.default.fileExists(atPath: removedModels + "/" + kept)
        else { throw Self.noSuchModel }
        guard !ModelFolder(path: models).contains(parts[0]) else {
            throw .refused(
                code: "folder-taken",
                sentence: "Another piece was prepared as “\(parts[0])” since. Remove that one first.")
        }
        try move(removedModels + "/" + kept, to: models + "/" + parts[0])
        return parts[0]
    }

    private func move(_ place: String, to other: String) throws(Refusal) {
        do {
            try FileManager.default.createDirectory(
                atPath: removedModels, withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: place, toPath: other)
        } catch { throw .notWritten(reason: error.localizedDescription) }
    }

    static let noSuchModel = Refusal.refused(
        code: "no-model", sentence: "This prepared piece is no longer there. Reload the page.")

    static func folderName(_ path: String) -> String { (path as NSString).lastPathComponent }

    /// The piece as its page shows it: not as prepared if its model was removed since.
    func withoutRemovedModel(_ record: DraftRecord) -> DraftRecord {
        var shown = record
        if let folder = record.prepared?.folder, !ModelFolder(path: models).contains(Self.folderName(folder))
        {
            shown.prepared = nil
        }
        return shown
    }
}
