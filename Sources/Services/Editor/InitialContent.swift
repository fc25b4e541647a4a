import Catalogue
import Concert
import Foundation
import Podium
import ReferenceStore
import Score

/// The content with which the server starts: from the catalogue or, if that is empty, from the files stored with the
/// recordings.
package struct InitialContent {
    package static let author = "first start"
    static let waveformPointCount = 600

    package var recordingsFolderPath: String
    package var pieceFolderNames: [String]
    package var title: String
    /// The names of the encores that listeners are not told of yet.
    package var secretNames: Set<PieceName>
    /// Names and measures of the programme's other pieces, in the order of `pieceFolderNames`.
    package var references: [FollowedReference]
    /// The path of the folder of prepared models; waveforms are drawn from the loudness stored in them.
    package var modelsFolderPath: String

    package struct FollowedReference: Sendable {
        package var name: PieceName
        package var measures: MeasureMap
    }

    /// - Parameters:
    ///   - programme: the programme of the show; an empty one has no references.
    ///   - secret: see ``ShowProgramme/secretEncores(heard:)``.
    package init(
        recordingsFolderPath: String, modelsFolderPath: String, programme: ShowProgramme, secret: [Int] = []
    ) {
        self.recordingsFolderPath = recordingsFolderPath
        self.modelsFolderPath = modelsFolderPath
        title = programme.title
        let pieces = programme.isEmpty ? [] : programme.leavingOut(secret).pieces
        // A piece of the programme that is played again as an encore is no secret.
        secretNames = Set(secret.map { programme.pieces[$0].name }).subtracting(pieces.map(\.name))
        pieceFolderNames = pieces.map(\.folder)
        references = pieces.map { FollowedReference(name: $0.name, measures: $0.measures) }
    }

    /// Creates the first concert of an empty catalogue, and publishes the served concert.
    /// - Returns: sentences for the operator.
    package func createIfEmptyAndPublish(_ desk: ConcertEditor) async throws -> [String] {
        var notes: [String] = []
        // Without a piece there is nothing to make a concert of; it is made when the first piece is added.
        if !references.isEmpty, try await desk.catalogue.concerts().isEmpty {
            let files = readFiles()
            notes = files.importNotes
            _ = try await files.makeConcert(
                in: desk, author: Self.author, label: "made from the recordings' folder",
                servesFirst: true, leavingOut: { notes.append($0) })
        }
        desk.setFollowedReferences(references)
        try await desk.publishNewerRevision()
        guard let served = desk.servedConcert else {
            if !references.isEmpty {
                notes.append("Listeners find no concert: open /edit, and press “Serve to listeners” at one.")
            }
            return notes
        }
        for reference in references where served.pieceIndex(named: reference.name) == nil {
            notes.append(
                "“\(reference.name)” is in the programme but not in the concert "
                    + "“\(served.catalogueConcert.concert.title)” that "
                    + "listeners find; choose another concert, or import it (baton content import).")
        }
        return notes + desk.servedMeasureMapFindings.map(\.sentence)
    }

    /// Reads the files stored with the recordings, moves slides to the measures that the follower uses, and adds
    /// waveforms.
    package func readFiles() -> ContentFiles {
        var files = ContentFiles(
            recordings: recordingsFolderPath, folders: pieceFolderNames, title: title)
        for (folder, reference) in zip(pieceFolderNames, references)
        where !files.pieces.contains(where: { $0.content.name == reference.name }) {
            // A piece without content is added with its name and measures, so that listeners see what is played.
            files.importNotes.append(
                "“\(reference.name)” has no content in \(recordingsFolderPath)/\(folder)/content.")
            files.pieces.append(
                .init(
                    content: PieceContent(name: reference.name, measures: reference.measures.marks),
                    recordingsFolder: folder))
        }
        let order = references.map(\.name)
        files.pieces.sort {
            (order.firstIndex(of: $0.content.name) ?? .max) < (order.firstIndex(of: $1.content.name) ?? .max)
        }
        files.retimeSlides(to: references.map { ($0.name, $0.measures) })
        for (folder, reference) in zip(pieceFolderNames, references) {
            guard let index = files.pieces.firstIndex(where: { $0.content.name == reference.name }) else {
                continue
            }
            files.pieces[index].waveform = drawWaveform(folder)
        }
        return files
    }

    /// Draws the waveform from the loudness of each frame of the prepared reference.
    /// - Returns: nil if no model is prepared.
    private func drawWaveform(_ folder: String) -> Waveform? {
        guard let stored = try? ModelFolder(path: modelsFolderPath).loadModel(folder),
            let power = stored.model.framesByRecording.first?.powerByFrame, !power.isEmpty
        else { return nil }
        return Waveform(power: power, count: Self.waveformPointCount)
    }
}
