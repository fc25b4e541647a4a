import Foundation
import ReferenceStore
import TakeReport

/// The piece against which a take was played, kept in the take's own folder: the model with its main recording only,
/// and the score. So a report can be made, and made again, when the piece was changed or is gone; it goes with the
/// take.
struct TakePiece {
    /// The folder of the take.
    let folder: String

    /// A larger score is not kept; the notes of its takes are judged as long as the piece is there.
    static let largestScoreBytes = 16 << 20

    private var parent: String { (folder as NSString).deletingLastPathComponent }
    private var name: String { (folder as NSString).lastPathComponent }

    var isKept: Bool { ModelFolder(path: parent).contains(name) }

    /// Copies a piece into the folder, as it is now.
    /// - Complexity: some 0.1 MB for each minute of music.
    func keep(_ piece: String, models: ModelFolder, recordings: String) throws(TakeFault) {
        do throws(ReferenceStoreError) {
            var model = try models.loadModel(piece)
            let details = model.referenceDetails[0]
            var reference = model.model
            reference.framesByRecording = [reference.framesByRecording[0]]
            reference.roomCopies = []
            model = StoredModel(model: reference, referenceDetails: [details])
            // The score comes first: the model makes it complete.
            try keepScore(of: "\(recordings)/\(piece)")
            try ModelFolder(path: parent).saveModel(model, as: name)
        } catch { throw .notWritten(reason: "the piece cannot be put beside it: \(error.sentence)") }
    }

    private func keepScore(of piece: String) throws(ReferenceStoreError) {
        guard let score = PieceNotes.scorePath(in: piece) else { return }
        let copy = "\(folder)/\((score as NSString).lastPathComponent)"
        var status = stat()
        guard stat(score, &status) == 0, status.st_size <= Self.largestScoreBytes else { return }
        do {
            try FileManager.default.copyItem(atPath: score, toPath: copy + ".unfinished")
            guard rename(copy + ".unfinished", copy) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch { throw .notWritten(path: copy, reason: "the score cannot be copied") }
    }

    func load() throws(ReferenceStoreError) -> StoredModel { try ModelFolder(path: parent).loadModel(name) }
}
