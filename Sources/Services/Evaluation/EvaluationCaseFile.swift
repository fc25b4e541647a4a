import Accuracy
import Basics
import Foundation
import Listening
import Score

/// The fields of a benchmark's `case.json` that are used here; others are ignored.
private struct EvaluationCaseFile: Decodable {
    struct CaseRecording: Decodable {
        var audio: String
        var measures: String?
        var endSeconds: Double?

        private enum CodingKeys: String, CodingKey { case audio, measures, end }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            audio = try values.decode(String.self, forKey: .audio)
            measures = try? values.decodeIfPresent(String.self, forKey: .measures)
            endSeconds = try? values.decodeIfPresent(Double.self, forKey: .end)
        }
    }

    struct StartingMeasure: Decodable {
        var measure: Int?
        var known: Bool?
    }

    struct DisruptionFields: Decodable {
        var type: String?
        var start: Double?
        var end: Double?
        var scored: Bool?
    }

    var group: String?
    var originalCaseID: String?
    var composer: String?
    var title: String?
    var references: [CaseRecording]
    var liveRecording: CaseRecording
    var startingMeasure: StartingMeasure?
    var disruption: DisruptionFields?
    var silentIntervals: [[Double]]?

    enum CodingKeys: String, CodingKey {
        case group, base, composer, title, references, live, disruption, holds
        case firstCue = "first_cue"
    }

    /// Decodes the file. Only the follower's fields are required; the ground truth may be missing or blanked.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        group = try values.decodeIfPresent(String.self, forKey: .group)
        originalCaseID = try values.decodeIfPresent(String.self, forKey: .base)
        composer = try values.decodeIfPresent(String.self, forKey: .composer)
        title = try values.decodeIfPresent(String.self, forKey: .title)
        references = try values.decode([CaseRecording].self, forKey: .references)
        liveRecording = try values.decode(CaseRecording.self, forKey: .live)
        startingMeasure = try values.decodeIfPresent(StartingMeasure.self, forKey: .firstCue)
        disruption = try? values.decodeIfPresent(DisruptionFields.self, forKey: .disruption)
        silentIntervals = try? values.decodeIfPresent([[Double]].self, forKey: .holds)
    }
}

extension EvaluationCase {
    /// Reads a case from its folder; the folder's name is its id.
    /// - Throws: ``ExplainedError`` with the path.
    package init(directory: URL) throws {
        let path = directory.appending(path: "case.json")
        let written: EvaluationCaseFile
        /// A path of the file: absolute, or from the case's folder.
        func file(_ path: String) -> URL {
            (path.hasPrefix("/") ? URL(filePath: path) : directory.appending(path: path)).standardizedFileURL
        }
        do {
            written = try JSONDecoder().decode(EvaluationCaseFile.self, from: Data(contentsOf: path))
        } catch {
            throw ExplainedError("\(path.path) cannot be used: \(Self.describeDecodingError(error)).")
        }
        id = directory.lastPathComponent
        group = written.group ?? "other"
        originalCaseID = written.originalCaseID
        // Some titles begin with the composer's name.
        let composer = written.composer.flatMap { written.title?.hasPrefix($0) == true ? nil : $0 }
        title = [composer, written.title].compactMap(\.self).joined(separator: ", ")
        var references: [EvaluationCaseInput.Reference] = []
        for side in written.references {
            guard let measures = side.measures else { continue }
            let read = try AnnotatedMeasures(file: file(measures), end: side.endSeconds)
            remarks += read.remarks
            references.append(.init(audioPath: file(side.audio).path, measures: read.map))
        }
        guard let first = references.first else {
            throw ExplainedError("\(path.path) names no reference with measures; add one.")
        }
        input = EvaluationCaseInput(
            references: references,
            liveAudioPath: file(written.liveRecording.audio).path,
            firstMeasure: Self.firstMeasure(told: written.startingMeasure, reference: first.measures))
        guard let live = written.liveRecording.measures.map(file),
            FileManager.default.fileExists(atPath: live.path)
        else { return }
        let holds = (written.silentIntervals ?? []).filter { $0.count == 2 }.map {
            GroundTruth.UnplayedInterval(start: $0[0], endSeconds: $0[1])
        }
        do {
            let read = try AnnotatedMeasures(file: live, end: written.liveRecording.endSeconds)
            remarks += read.remarks
            truth = EvaluationCaseTruth(
                groundTruth: try GroundTruth(
                    file: live, map: read.map,
                    reference: first.measures,
                    holds: holds),
                disruption: written.disruption.map {
                    MusicDisruption(
                        kind: $0.type, start: $0.start, end: $0.end, isRecoveryScored: $0.scored ?? true)
                })
        } catch {
            // A case whose ground truth cannot be read is still followed.
            remarks.append("\(error.explanation) The case is followed, not scored.")
        }
    }

    /// Returns the measure with which the music begins, as told to the follower. Without `first_cue` it is the first
    /// measure of the reference.
    private static func firstMeasure(told cue: EvaluationCaseFile.StartingMeasure?, reference: MeasureMap)
        -> Int?
    {
        guard let cue else { return reference.marks.first?.printed }
        return cue.known == false ? nil : cue.measure
    }

    private static func describeDecodingError(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "'\(key.stringValue)' is missing" + fieldPath(context.codingPath)
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "a value has the wrong type" + fieldPath(context.codingPath)
        case DecodingError.dataCorrupted: "it is not JSON"
        default: "it cannot be read"
        }
    }

    private static func fieldPath(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "" : " in " + path.map(\.stringValue).joined(separator: ".")
    }
}

extension GroundTruth {
    /// Reads the ground truth; errors name the file of the live measures.
    package init(file: URL, map: MeasureMap, reference: MeasureMap, holds: [UnplayedInterval] = [])
        throws
    {
        do {
            try self.init(live: map, reference: reference, unplayedIntervals: holds)
        } catch {
            throw ExplainedError("\(file.path): \(error.explanation)")
        }
    }
}
