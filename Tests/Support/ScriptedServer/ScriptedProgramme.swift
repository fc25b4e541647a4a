import Alignment
import Concert
import Following
import Foundation
import Hosting
import MusicalTime
import Performance
import Score
import ScoreFiles

/// Makes a programme without sound: names and measure times come from the content of each piece,
/// `RECORDINGS/FOLDER/content/data.xml`.
enum ScriptedProgramme {
    static func read(_ wanted: RequestedProgramme, recordings: String) throws -> Programme {
        let models = try wanted.folders.map { try model(of: $0, recordings: recordings) }
        return Programme(
            title: wanted.title ?? ReferenceModelLoader.title(of: models.map(\.name.text)), models: models)
    }

    private static func model(of folder: String, recordings: String) throws -> ReferenceModel {
        let path = "\(recordings)/\(folder)/content/data.xml"
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        guard let content = try ContentReader.pieces(in: bytes, path: path).pieces.first else {
            throw ExplainedError(sentence: "\(path) holds no piece.")
        }
        let times = try MeasureTimesFile.parse(bytes, path: path)
        let last = times.marks.last?.onset.seconds ?? 0
        let measures = try times.measureMap(end: ReferenceTime(seconds: last + 2))
        // A model has frames; one of them is enough for a follower that compares none.
        let frames = ReferenceFrames(values: [Float](repeating: 0, count: 78), dimensions: 78, power: [0])
        return ReferenceModel(
            name: content.name, measures: measures, framesPerSecond: 50, references: [frames],
            sections: readSectionStarts(of: folder, recordings: recordings, measures: measures).map(\.start))
    }
}
