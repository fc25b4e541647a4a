import Alignment
import Basics
import Concert
import Features
import Following
import Foundation
import Hosting
import Performance
import Score
import ScoreFiles

/// Makes a programme without sound: names and measure times come from the content of each piece,
/// `RECORDINGS/FOLDER/content/data.xml`.
enum ScriptedProgramme {
    static func read(_ wanted: RequestedProgramme, recordings: String) throws -> ConcertProgramme {
        let models = try wanted.pieceFolderNames.map { try model(of: $0, recordings: recordings) }
        return ConcertProgramme(
            title: wanted.title ?? ReferenceModelLoader.defaultTitle(of: models.map(\.pieceName.text)),
            pieceModels: models)
    }

    private static func model(of folder: String, recordings: String) throws -> ReferenceModel {
        let path = "\(recordings)/\(folder)/content/data.xml"
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        guard let content = try ContentXMLReader.readPieces(in: bytes, path: path).pieces.first else {
            throw ExplainedError("\(path) holds no piece.")
        }
        let times = try MeasureTimesFileReader.parse(bytes, path: path)
        let last = times.marks.last?.onset.seconds ?? 0
        let measures = try times.makeMeasureMap(end: ReferenceTime(seconds: last + 2))
        // A model has frames; one of them is enough for a follower that compares none.
        let dimensions = FeatureParameters().dimensions
        let frames = ReferenceFeatureFrames(
            featureValues: [Float](repeating: 0, count: dimensions), dimensions: dimensions, powerByFrame: [0]
        )
        return ReferenceModel(
            pieceName: content.name, measures: measures, framesPerSecond: 50,
            framesByRecording: [frames.packed],
            sectionStartMeasures: PieceSections(recordings: recordings, data: nil)
                .starts(of: folder, measures: measures).map(\.start))
    }
}
