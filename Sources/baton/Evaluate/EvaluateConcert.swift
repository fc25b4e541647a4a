import Accuracy
import Foundation
import Score

/// One performance of the repository's own concert: its sound and its measures.
struct ConcertPerformance {
    var name: String
    var audio: URL
    var measuresFile: URL
    var measures: MeasureMap

    private struct Render: Decodable {
        var endSeconds: Double?
    }

    /// - Returns: nil for a directory that holds no performance.
    /// - Throws: ``CaseFailure`` for measures that cannot be used.
    init?(directory: URL) throws(CaseFailure) {
        let file = directory.appending(path: "measures.csv")
        let sound = ["audio.ogg", "audio.flac", "audio.wav"].map { directory.appending(path: $0) }
            .first { FileManager.default.fileExists(atPath: $0.path) }
        guard let sound, FileManager.default.fileExists(atPath: file.path) else { return nil }
        let render = (try? Data(contentsOf: directory.appending(path: "render.json")))
            .flatMap { try? JSONDecoder().decode(Render.self, from: $0) }
        name = directory.lastPathComponent
        audio = sound
        measuresFile = file
        measures = try MeasureMap(file: file, end: render?.endSeconds, otherwise: .likeTheMedian)
    }
}

extension EvaluationCase {
    /// One performance followed with another as its only reference.
    init(piece: String, reference: ConcertPerformance, live: ConcertPerformance) throws(CaseFailure) {
        id = "\(piece)/\(reference.name)-\(live.name)"
        group = "concert"
        title = "\(piece): \(live.name) by \(reference.name)"
        question = CaseQuestion(
            references: [.init(audioPath: reference.audio.path, measures: reference.measures)],
            liveAudioPath: live.audio.path, firstMeasure: reference.measures.marks.first?.printed)
        truth = CaseTruth(
            truth: try Truth(file: live.measuresFile, map: live.measures, reference: reference.measures))
    }
}
