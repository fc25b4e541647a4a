import Foundation
import Platform
import TakeReport
import WebServer

/// The notes of pieces for pages, which make reports themselves. A score is read once, one after another.
actor ScoreNotes {
    private struct Known {
        /// The score's size and time of change, and the bars of the model.
        var edition: String
        var notes: PrecompressedDocument
    }

    private static let mostKnown = 32
    private var known: [String: Known] = [:]
    private var last: Task<PrecompressedDocument, Never>?

    /// The notes of the score in a folder as JSON: `notes`, each `[pitch, bar, end]` as in ``PieceNotes/Note``, and the
    /// `refusal` if they are not known.
    /// - Parameter bars: the number of played bars of the piece's model.
    func notes(in folder: String, bars: Int) async -> PrecompressedDocument {
        let facts = PieceNotes.scorePath(in: folder).flatMap {
            try? FileManager.default.attributesOfItem(atPath: $0)
        }
        let changed = (facts?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        let edition = "\(facts?[.size] ?? 0) \(changed) \(bars)"
        if let known = known[folder], known.edition == edition { return known.notes }
        let before = last
        let reading = Task(priority: .utility) {
            _ = await before?.value
            var answer = NotesJSON()
            do throws(PieceNotes.Fault) {
                let read = try await PieceNotes.read(in: folder, bars: bars)
                answer.notes = read.notes.map { [Double($0.pitch), $0.bar, $0.end] }
            } catch { answer.refusal = WebResponse.removeMachinePaths(error.sentence) }
            let body = JSONBody.encode(answer)
            return PrecompressedDocument(
                contentType: "application/json", body: body, tag: Digest(of: body).description)
        }
        last = reading
        let notes = await reading.value
        if known.count >= Self.mostKnown { known = [:] }
        known[folder] = Known(edition: edition, notes: notes)
        return notes
    }

    private struct NotesJSON: Encodable {
        var notes: [[Double]] = []
        var refusal: String?
    }
}
