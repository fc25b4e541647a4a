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

extension MeasureMap {
    /// Reads `measure,time` from a file.
    init(
        file: URL, end: Double?, otherwise ending: MeasureTable.LastMeasure = .likeTheOneBefore
    ) throws(CaseFailure) {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw CaseFailure(sentence: "\(file.path) cannot be read; a case needs its measure times.")
        }
        do {
            self = try MeasureTable.read(text, end: end, otherwise: ending)
        } catch {
            throw CaseFailure(sentence: "\(file.path): \(error.sentence)")
        }
    }
}

/// Why a case could not be followed: what is wrong, where, what to do.
struct CaseFailure: Error, Equatable {
    var sentence: String
}
