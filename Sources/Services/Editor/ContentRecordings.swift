import Concert
import Following
import Foundation
import Listening
import ReferenceStore
import Score

/// The folders of recordings on this server, with the measures and waveform that a piece takes from each.
package struct ContentRecordings {
    /// Path of the folder that holds all recordings' folders.
    let recordingsPath: String
    /// Path of the folder of prepared models; nil if there are none.
    let modelsPath: String?

    /// One folder of recordings that an editor can choose.
    struct RecordingsFolder: Encodable {
        var folder: String
        package var name: String
        /// Names of the recordings in the folder, sorted.
        var performances: [String]
        /// The number of played measures of the recordings.
        var measures: Int
    }

    /// The name, measures and waveform that a piece takes from its folder.
    package struct RecordedPieceDetails {
        package var name: PieceName
        var measures: MeasureMap
        var waveform: Waveform?
    }

    private struct PieceFile: Decodable {
        package var name: String
    }

    /// Lists all folders that hold a piece with at least one recording and its measures, sorted by name.
    /// - Cost: reads the measures of all recordings, some milliseconds for each piece.
    func listFolders() -> [RecordingsFolder] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: recordingsPath)) ?? []
        return folders.sorted().filter(ContentRules.isFolderName).compactMap { folder in
            let performances = findPerformances(of: folder)
            guard let name = readPieceName(of: folder), let first = performances.first else { return nil }
            return RecordingsFolder(
                folder: folder, name: name.text, performances: performances.map(\.name),
                measures: first.measures.marks.count)
        }
    }

    /// Returns the name, measures and waveform of a folder's piece. They come from the prepared model, which the
    /// follower uses. If there is no model, they come from the first recording.
    /// - Returns: nil if the folder holds no piece.
    func readPieceDetails(of folder: String) -> RecordedPieceDetails? {
        guard ContentRules.isFolderName(folder) else { return nil }
        if let modelsPath, let model = try? ModelFolder(path: modelsPath).loadModel(folder).model {
            let power = model.framesByRecording.first?.powerByFrame ?? []
            return RecordedPieceDetails(
                name: model.pieceName, measures: model.measures,
                waveform: power.isEmpty
                    ? nil : Waveform(power: power, count: InitialContent.waveformPointCount))
        }
        guard let name = readPieceName(of: folder), let first = findPerformances(of: folder).first else {
            return nil
        }
        return RecordedPieceDetails(name: name, measures: first.measures)
    }

    /// The recordings in a folder that have measures, sorted by name.
    func findPerformances(of folder: String) -> [RecordedPerformance] {
        let place = "\(recordingsPath)/\(folder)"
        let inside = ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).sorted()
        return inside.compactMap {
            try? RecordedPerformance(directory: URL(fileURLWithPath: place).appending(path: $0))
        }
    }

    private func readPieceName(of folder: String) -> PieceName? {
        guard let bytes = FileManager.default.contents(atPath: "\(recordingsPath)/\(folder)/piece.json"),
            let file = try? JSONDecoder().decode(PieceFile.self, from: bytes)
        else { return nil }
        return (try? PieceName(file.name))?.withoutSemicolons
    }
}
