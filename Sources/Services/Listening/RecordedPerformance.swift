import Basics
import Foundation
import Score
import Sound

/// A recorded performance from the repository's test concert: its sound file and its measure times.
package struct RecordedPerformance {
    package var name: String
    package var audioFile: URL
    package var measuresFile: URL
    package var measures: MeasureMap

    package init(name: String, audioFile: URL, measuresFile: URL, measures: MeasureMap) {
        self.name = name
        self.audioFile = audioFile
        self.measuresFile = measuresFile
        self.measures = measures
    }

    private struct AudioRenderingDetails: Decodable {
        var endSeconds: Double?
    }

    /// Reads a performance from its folder.
    /// - Returns: nil if the folder holds no performance.
    /// - Throws: ``ExplainedError`` if the measure times cannot be used.
    package init?(directory: URL) throws {
        let file = directory.appending(path: "measures.csv")
        guard let sound = SoundFileKinds.sounds(in: directory.path).first,
            FileManager.default.fileExists(atPath: file.path)
        else { return nil }
        let render = (try? Data(contentsOf: directory.appending(path: "render.json")))
            .flatMap { try? JSONDecoder().decode(AudioRenderingDetails.self, from: $0) }
        name = directory.lastPathComponent
        audioFile = URL(fileURLWithPath: sound)
        measuresFile = file
        measures = try AnnotatedMeasures(file: file, end: render?.endSeconds, otherwise: .likeTheMedian).map
    }
}
