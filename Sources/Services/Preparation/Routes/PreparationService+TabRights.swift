import Concert
import Foundation
import WebServer

/// The rights of people who are no editors: they make their own tabs follow them, and nothing else.
extension PreparationService {
    private static func isEditor(_ request: WebRequest) -> Bool {
        request.person.map { roles.contains($0.role) } ?? false
    }

    /// Makes a piece: of a tab if that is asked for, or if the person may make no others.
    func createPiece(_ wanted: NewPiece, _ request: WebRequest) async throws(Refusal) -> String {
        guard let person = request.person else {
            throw .notAllowed(sentence: "Sign in first.")
        }
        guard wanted.ofTab ?? false || !Self.isEditor(request) else {
            return try await library.create(name: wanted.name, isForFile: wanted.isForFile ?? false)
        }
        if let tab = wanted.tab, !TabPieces.isValidTab(tab) {
            throw .refused(
                code: "bad-tab", sentence: "“\(tab.prefix(50))” is no id of a tab. Reload the page Practice.")
        }
        let (id, removed) = try await library.createTabPiece(
            name: wanted.name, tab: wanted.tab, by: person)
        for record in removed {
            await queue.forget(record.id)
            removeModel(of: record)
        }
        return id
    }

    /// The piece of a request, if the person may change it. Other people's tabs are not there for whoever is no editor.
    func changeableRecord(of request: WebRequest) async throws(Refusal) -> DraftRecord {
        let record = try await record(of: request)
        guard Self.isEditor(request) || record.tabOwner != nil && record.tabOwner == request.person?.id else {
            throw .noSuchPiece
        }
        return record
    }

    /// Refuses uploads to a tab's piece that are no scores, or large ones.
    func checkUpload(_ purpose: UploadPurpose, bytes: Int, to record: DraftRecord, _ request: WebRequest)
        throws(Refusal)
    {
        guard record.tabOwner != nil, !Self.isEditor(request) else { return }
        guard purpose == .score else {
            throw .notAllowed(sentence: "Only editors and administrators add recordings to pieces.")
        }
        guard bytes <= TabPieces.largestScoreBytes else {
            throw .refused(
                code: "too-large", sentence: "A tab of up to 2 MB can follow its player. Split this one.")
        }
    }

    /// Refuses tasks of a tab's piece that are not part of making it follow, and too many at a time.
    func checkTask(_ task: PreparationTask, of record: DraftRecord, _ request: WebRequest)
        async throws(Refusal)
    {
        guard record.tabOwner != nil, let person = request.person else { return }
        switch task {
        case .render: break
        case .prepare(let folder):
            // Everybody's practice page knows private pieces by their folder's file, so that it is no other one.
            guard folder == TabPieces.folder(of: record.id) else {
                throw .notAllowed(
                    sentence: "A tab is learned in the folder “\(TabPieces.folder(of: record.id))”.")
            }
        default:
            guard Self.isEditor(request) else {
                throw .notAllowed(sentence: "Only editors and administrators do this with a piece.")
            }
        }
        try await library.checkTabTask(of: record, by: person)
    }

    /// Removes what was made of a tab when its piece is deleted. Pieces of the house keep their models, and so does a
    /// tab that an editor has put on the programme.
    func removeModel(of record: DraftRecord) {
        guard record.tabOwner != nil else { return }
        let folder = TabPieces.folder(of: record.id)
        guard !isOnProgramme(folder) else { return }
        guard RecordingsFolderWriter.pieceFile(of: recordings + "/" + folder)?.draft == record.id else {
            return
        }
        TabPieceCleanup.removeWhatWasMade(folder, models: models, recordings: recordings)
    }
}
