import Concert
import Following
import Foundation
import Listening
import ReferenceStore
import Score

/// The folders of recordings on this server, with the measures and waveform that a piece takes from each.
package struct ContentRecordings {
    /// Path of the folder that holds all recordings' folders.
    let recordings: String
    /// Path of the folder of prepared models; nil if there are none.
    let models: String?

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
    package struct Reference {
        package var name: PieceName
        var measures: MeasureMap
        var waveform: Waveform?
    }

    private struct PieceFile: Decodable {
        package var name: String
    }

    /// Lists all folders that hold a piece with at least one recording and its measures, sorted by name.
    /// - Cost: reads the measures of all recordings, some milliseconds for each piece.
    func allFolders() -> [RecordingsFolder] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: recordings)) ?? []
        return folders.sorted().filter(ContentRules.isFolderName).compactMap { folder in
            let performances = performances(of: folder)
            guard let name = name(of: folder), let first = performances.first else { return nil }
            return RecordingsFolder(
                folder: folder, name: name.text, performances: performances.map(\.name),
                measures: first.measures.marks.count)
        }
    }

    /// Returns the name, measures and waveform of a folder's piece. They come from the prepared model, which the
    /// follower uses, or else from the first recording.
    /// - Returns: nil if the folder holds no piece.
    func reference(of folder: String) -> Reference? {
        guard ContentRules.isFolderName(folder) else { return nil }
        if let models, let model = try? ModelFolder(path: models).load(folder).model {
            let power = model.references.first?.power ?? []
            return Reference(
                name: model.name, measures: model.measures,
                waveform: power.isEmpty
                    ? nil : Waveform(power: power, count: InitialContent.waveformPointCount))
        }
        guard let name = name(of: folder), let first = performances(of: folder).first else { return nil }
        return Reference(name: name, measures: first.measures)
    }

    /// The recordings in a folder that have measures, sorted by name.
    func performances(of folder: String) -> [RecordedPerformance] {
        let place = "\(recordings)/\(folder)"
        let inside = ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).sorted()
        return inside.compactMap {
            try? RecordedPerformance(directory: URL(fileURLWithPath: place).appending(path: $0))
        }
    }

    private func name(of folder: String) -> PieceName? {
        guard let bytes = FileManager.default.contents(atPath: "\(recordings)/\(folder)/piece.json"),
            let file = try? JSONDecoder().decode(PieceFile.self, from: bytes)
        else { return nil }
        return try? PieceName(file.name)
    }
}
