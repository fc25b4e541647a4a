import Foundation
import Score

/// The facts about a prepared piece that are stored beside its frames.
public struct ModelSummary: Equatable, Sendable {
    /// The name of the piece's folder.
    public var folder: String
    public var name: PieceName
    /// The length of the timeline's measures, in seconds.
    public var durationSeconds: Double
    /// The number of played measures.
    public var measureCount: Int
    /// The number of reference recordings.
    public var recordingCount: Int
}

extension ModelFolder {
    /// Describes all pieces that have a readable model, in the order of their folders.
    /// - Complexity: reads each `model.json`, some hundred kilobytes a piece at most.
    public func summaries() -> [ModelSummary] {
        pieceNames().compactMap { folder in
            guard let description = try? description(of: folder) else { return nil }
            return ModelSummary(
                folder: folder, name: description.name, durationSeconds: description.timeline.end.seconds,
                measureCount: description.timeline.marks.count, recordingCount: description.references.count)
        }
    }

    /// Reads the name and the measures of a piece, without its frames.
    public func readMeasures(of piece: String) throws(ReferenceStoreError) -> (
        name: PieceName, measures: MeasureMap
    ) {
        let description = try description(of: piece)
        return (description.name, description.timeline)
    }

    /// The time at which a piece was last prepared; nil if it is not.
    public func modelDate(of piece: String) -> Date? {
        guard Self.isValidName(piece) else { return nil }
        let path = filePath(Self.descriptionFileName, of: piece)
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
}
