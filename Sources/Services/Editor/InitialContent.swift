import Catalogue
import Concert
import Following
import Foundation
import ReferenceStore
import Score

/// The content with which the server starts: from the catalogue or, if that is empty, from the files stored with the
/// recordings.
package struct InitialContent {
    package static let author = "first start"
    static let waveformPointCount = 600

    package var recordings: String
    package var folders: [String]
    package var title: String
    /// Names and measures of the programme's pieces, in the order of `folders`.
    package var references: [Reference]
    /// The path of the folder of prepared models; waveforms are drawn from the loudness stored in them.
    package var models: String

    package struct Reference: Sendable {
        package var name: PieceName
        package var measures: MeasureMap
    }

    package init(recordings: String, models: String, folders: [String], programme: Programme) {
        self.recordings = recordings
        self.models = models
        self.folders = folders
        title = programme.title
        references = programme.models.map { Reference(name: $0.name, measures: $0.measures) }
    }

    /// Creates the first concert of an empty catalogue, and publishes the served concert.
    /// - Returns: sentences for the operator.
    package func createIfEmptyAndPublish(_ desk: ConcertEditor) async throws -> [String] {
        var notes: [String] = []
        if try await desk.catalogue.concerts().isEmpty {
            var files = try files()
            notes = files.notes
            files.notes = []
            _ = try await files.makeConcert(
                in: desk, author: Self.author, label: "made from the recordings' folder")
        }
        desk.setFollowedReferences(references)
        try await desk.publishNewerRevision()
        guard let served = desk.servedConcert else { return notes }
        for reference in references where served.piece(named: reference.name) == nil {
            notes.append(
                "“\(reference.name)” is in the programme but not in the concert "
                    + "“\(served.catalogueConcert.concert.title)” that "
                    + "listeners find; choose another concert, or import it (baton content import).")
        }
        return notes + desk.servedMapFindings.map(\.sentence)
    }

    /// Reads the files stored with the recordings, moves slides to the measures that the follower uses, and adds
    /// waveforms.
    package func files() throws -> ContentFiles {
        var files = try ContentFiles(recordings: recordings, folders: folders, title: title)
        for (folder, reference) in zip(folders, references)
        where !files.pieces.contains(where: { $0.content.name == reference.name }) {
            // A piece without content is added with its name and measures, so that listeners see what is played.
            files.notes.append("“\(reference.name)” has no content in \(recordings)/\(folder)/content.")
            files.pieces.append(
                .init(
                    content: PieceContent(name: reference.name, measures: reference.measures.marks),
                    folder: folder))
        }
        let order = references.map(\.name)
        files.pieces.sort {
            (order.firstIndex(of: $0.content.name) ?? .max) < (order.firstIndex(of: $1.content.name) ?? .max)
        }
        files.moveSlides(to: references.map { ($0.name, $0.measures) })
        for (folder, reference) in zip(folders, references) {
            guard let index = files.pieces.firstIndex(where: { $0.content.name == reference.name }) else {
                continue
            }
            files.pieces[index].waveform = waveform(folder)
        }
        return files
    }

    /// Draws the waveform from the loudness of each frame of the prepared reference.
    /// - Returns: nil if no model is prepared.
    private func waveform(_ folder: String) -> Waveform? {
        guard let stored = try? ModelFolder(path: models).load(folder),
            let power = stored.model.references.first?.power, !power.isEmpty
        else { return nil }
        return Waveform(power: power, count: Self.waveformPointCount)
    }
}
