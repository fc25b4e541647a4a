import Concert
import Following
import Foundation
import ReferenceStore
import Score

/// The recordings beside which editors write: which there are, and what a piece takes from its folder.
struct ContentRecordings {
    /// Where recordings lie.
    let recordings: String
    /// Of the prepared models; nil where there are none.
    let models: String?

    /// One folder an editor can choose.
    struct Listed: Encodable {
        var folder: String
        var name: String
        /// The recordings in it, by name.
        var performances: [String]
        /// How many measures are played.
        var measures: Int
    }

    /// What a piece takes from its folder.
    struct Reference {
        var name: PieceName
        var measures: MeasureMap
        var waveform: Waveform?
    }

    private struct PieceFile: Decodable {
        var name: String
    }

    /// Every folder that holds a piece with at least one recording and its measures, by name.
    /// - Cost: reads the measures of all recordings: some milliseconds a piece.
    func all() -> [Listed] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: recordings)) ?? []
        return folders.sorted().filter(ContentRules.isFolder).compactMap { folder in
            let performances = performances(of: folder)
            guard let name = name(of: folder), let first = performances.first else { return nil }
            return Listed(
                folder: folder, name: name.text, performances: performances.map(\.name),
                measures: first.measures.marks.count)
        }
    }

    /// Name, measures and loudness of a folder: of the prepared model, which is what is followed, or else of the
    /// first recording.
    /// - Returns: nil where the folder holds no piece.
    func reference(of folder: String) -> Reference? {
        guard ContentRules.isFolder(folder) else { return nil }
        if let models, let model = try? ModelFolder(path: models).load(folder).model {
            let power = model.references.first?.power ?? []
            return Reference(
                name: model.name, measures: model.measures,
                waveform: power.isEmpty
                    ? nil : Waveform(power: power, count: ContentStart.waveformPoints))
        }
        guard let name = name(of: folder), let first = performances(of: folder).first else { return nil }
        return Reference(name: name, measures: first.measures)
    }

    /// The recordings in a folder that have measures, by name.
    func performances(of folder: String) -> [ConcertPerformance] {
        let place = "\(recordings)/\(folder)"
        let inside = ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).sorted()
        return inside.compactMap {
            try? ConcertPerformance(directory: URL(fileURLWithPath: place).appending(path: $0))
        }
    }

    private func name(of folder: String) -> PieceName? {
        guard let bytes = FileManager.default.contents(atPath: "\(recordings)/\(folder)/piece.json"),
            let file = try? JSONDecoder().decode(PieceFile.self, from: bytes)
        else { return nil }
        return try? PieceName(file.name)
    }
}
