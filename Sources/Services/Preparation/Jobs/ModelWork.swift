import Features
import Following
import Foundation
import Listening
import MusicalTime
import ReferenceStore
import Score
import ScoreFiles
import SoundFiles

/// Writes the model and the recordings' folder of a finished piece.
package struct ModelOrder: Codable, Equatable, Sendable {
    package struct Recording: Codable, Equatable, Sendable {
        var path: String
        /// The name of its file for people, as it was uploaded.
        var file: String
        /// The name in the model and of the recording's folder: letters, digits and dashes, unique.
        var name: String
    }

    /// The id of the piece in preparation, by which its own folder is recognised later.
    var piece: String
    var name: String
    /// The name of the model's folder and of the recordings' folder.
    var folder: String
    /// The folder of all models.
    var models: String
    /// The folder of all recordings.
    var recordings: String
    var main: Recording
    var bars: [OrderedBar]
    /// The end of the last bar; nil to take the end of the sound.
    var end: Double?
    var doubtful: [DoubtfulMeasureTime]
    /// The score by which the bars were found, or which was rendered; nil if there was none.
    var score: String?
    var origin: StoredReference.MeasureTimesOrigin
    var further: [Recording]

    /// - Returns: a sentence about what was written.
    func perform(observer: any PreparationObserver) throws(PreparationError) -> String {
        let pieceName: PieceName
        do { pieceName = try PieceName(name) } catch { throw PreparationError(error.sentence) }
        var stored = try firstModel(pieceName, observer)
        for recording in further {
            let sound = try listen(to: recording, observer)
            let source = try sourceFile(of: recording)
            let survey = try survey(of: recording, observer)
            let adder = ReferenceAdder(existingModel: stored, console: observer)
            stored = try adder.modelWithReference(
                file: source.file, sound: sound, givenMeasures: nil, adviceReader: .page
            ) { measures, doubtful in
                StoredReference(
                    name: recording.name, source: source, measureFile: nil, measureOrigin: .transferred,
                    durationSeconds: survey.duration.value, sampleRateHertz: survey.sampleRate.hertz,
                    tuningCents: sound.tuningCents, measures: measures, doubtful: doubtful)
            }
        }
        observer.beginStage("Writing the model")
        try RecordingsFolderWriter(order: self, references: stored.referenceDetails).write()
        do throws(ReferenceStoreError) {
            try ModelFolder(path: models).saveModel(stored, as: folder)
        } catch { throw PreparationError(error.sentence) }
        let count = stored.referenceDetails.count
        return "“\(name)” is prepared, with \(bars.count) bars and "
            + (count == 1 ? "one recording." : "\(count) recordings.")
    }

    private func firstModel(
        _ pieceName: PieceName, _ observer: any PreparationObserver
    ) throws(PreparationError) -> StoredModel {
        let survey = try survey(of: main, observer)
        let marks = bars.map { PlayedMeasure(printed: $0.printed, onset: ReferenceTime(seconds: $0.seconds)) }
        let end = min(
            end ?? GivenMeasureTimes.endOfSound(survey, after: marks[marks.count - 1].onset).seconds,
            survey.duration.value)
        let measures = try MeasureMap.ordered(bars, end: end)
        let sound = try listen(to: main, observer)
        let reference = StoredReference(
            name: main.name, source: try sourceFile(of: main), measureFile: try score.map(sourceFile),
            measureOrigin: origin, durationSeconds: survey.duration.value,
            sampleRateHertz: survey.sampleRate.hertz, tuningCents: sound.tuningCents, measures: measures,
            doubtful: doubtful)
        return StoredModel(
            model: ReferenceModel(
                pieceName: pieceName, measures: measures,
                framesPerSecond: FeatureParameters().framesPerSecond, framesByRecording: [sound.frames],
                roomCopies: [sound.roomCopies]), referenceDetails: [reference])
    }

    private func survey(
        of recording: Recording, _ observer: any PreparationObserver
    ) throws(PreparationError) -> RecordingQuality {
        observer.beginStage("Checking \(recording.file)")
        do {
            return try RecordingQuality(path: recording.path, progress: observer.showProgress)
        } catch { throw PreparationError(error.sentence) }
    }

    private func listen(
        to recording: Recording, _ observer: any PreparationObserver
    ) throws(PreparationError) -> ReferenceSound {
        let name = recording.file
        observer.beginStage("Listening to \(name)")
        let sound: ReferenceSound
        do {
            sound = try computeReferenceFrames(recording.path, progress: observer.showProgress)
        } catch { throw PreparationError(error.sentence) }
        guard sound.frames.frameCount > 0 else {
            throw PreparationError("\(name) is shorter than one frame; give a whole recording.")
        }
        return sound
    }

    private func sourceFile(of recording: Recording) throws(PreparationError) -> ModelSourceFile {
        ModelSourceFile(file: recording.file, digest: try sourceFile(recording.path).digest)
    }

    private func sourceFile(_ path: String) throws(PreparationError) -> ModelSourceFile {
        do throws(ReferenceStoreError) { return try ModelSourceFile(path: path) } catch {
            throw PreparationError(error.sentence)
        }
    }
}

/// Writes the folder of a piece among the recordings: a folder for each recording, with the sound and its measure
/// times. Everything else that lies in the folder stays.
struct RecordingsFolderWriter {
    let order: ModelOrder
    let references: [StoredReference]

    /// The contents of `piece.json`: the name, and the piece in preparation from which it was made.
    struct PieceFile: Codable {
        var name: String
        var draft: String?
    }

    private struct RenderFile: Codable {
        var audio: String
        var endSeconds: Double
        /// The piece in preparation from which the recording comes.
        var draft: String
    }

    private var folder: String { order.recordings + "/" + order.folder }

    /// The piece in preparation from which a folder was made; nil if it is another's, `.some(nil)` if there is none.
    static func owner(of folder: String) -> String?? {
        guard FileManager.default.fileExists(atPath: folder) else { return .some(nil) }
        guard let bytes = FileManager.default.contents(atPath: folder + "/piece.json"),
            let draft = try? JSONDecoder().decode(PieceFile.self, from: bytes).draft
        else { return nil }
        return draft
    }

    func write() throws(PreparationError) {
        do throws(DraftFault) {
            try DurableFile.makeFolder(folder, isPrivate: false)
            try removeLeftovers()
            for (recording, reference) in zip([order.main] + order.further, references) {
                try write(recording, reference)
            }
            try writeJSON(PieceFile(name: order.name, draft: order.piece), to: folder + "/piece.json")
        } catch {
            throw PreparationError(error.sentence)
        }
    }

    /// Removes what an interrupted run left, and recordings of this piece that no longer belong to it.
    private func removeLeftovers() throws(DraftFault) {
        let files = FileManager.default
        let names = Set(references.map(\.name))
        for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] where !names.contains(name) {
            let path = folder + "/" + name
            let isOwn =
                files.contents(atPath: path + "/render.json")
                .flatMap { try? JSONDecoder().decode(RenderFile.self, from: $0).draft == order.piece }
                ?? false
            if isOwn || name.hasPrefix(Self.unfinishedPrefix) { try? files.removeItem(atPath: path) }
        }
    }

    private static let unfinishedPrefix = ".unfinished-"

    private func write(_ recording: ModelOrder.Recording, _ reference: StoredReference) throws(DraftFault) {
        let (files, unfinished) = (FileManager.default, folder + "/" + Self.unfinishedPrefix + recording.name)
        try? files.removeItem(atPath: unfinished)
        try DurableFile.makeFolder(unfinished, isPrivate: false)
        let audio = try placeSound(recording.path, in: unfinished)
        try DurableFile.write(
            Array(MeasureTimesWriter.makeCSV(reference.measures.marks).utf8),
            to: unfinished + "/measures.csv",
            isPrivate: false)
        try writeJSON(
            RenderFile(audio: audio, endSeconds: reference.measures.end.seconds, draft: order.piece),
            to: unfinished + "/render.json")
        let place = folder + "/" + recording.name
        let old = unfinished + "-old"
        _ = rename(place, old)
        guard rename(unfinished, place) == 0 else {
            throw .notWritten(reason: String(cString: strerror(errno)))
        }
        DurableFile.flush(folder: folder)
        try? files.removeItem(atPath: old)
    }

    /// The ending that a sound file keeps in the recordings' folder; nil if it is converted to FLAC.
    static func keptEnding(of path: String) -> String? {
        switch (path as NSString).pathExtension.lowercased() {
        case "flac": "flac"
        case "wav", "wave": "wav"
        case "ogg", "oga", "opus": "ogg"
        default: nil
        }
    }

    /// Links, copies or converts the sound.
    /// - Returns: the name of the file.
    private func placeSound(_ path: String, in folder: String) throws(DraftFault) -> String {
        let ending = Self.keptEnding(of: path)
        let name = "audio." + (ending ?? "flac")
        let place = folder + "/" + name
        if ending != nil {
            // A link costs no space; across disks the file is copied.
            if link(path, place) == 0 { return name }
            do { try FileManager.default.copyItem(atPath: path, toPath: place) } catch {
                throw .notWritten(reason: error.localizedDescription)
            }
            return name
        }
        do throws(SoundFileError) {
            let reader = try SoundFileReader(path: path)
            let writer = try SoundFileWriter(path: place, rate: reader.sampleRate)
            var block = [Float](repeating: 0, count: 16_384)
            while true {
                let count = try block.withUnsafeMutableBufferPointer { (buffer) throws(SoundFileError) in
                    try reader.read(into: buffer)
                }
                guard count > 0 else { break }
                try writer.write(Array(block[..<count]))
            }
            try writer.close()
        } catch { throw .notWritten(reason: error.sentence) }
        return name
    }

    private func writeJSON(_ value: some Encodable, to path: String) throws(DraftFault) {
        let coder = JSONEncoder()
        coder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? coder.encode(value) else { throw .notWritten(reason: "it cannot be encoded") }
        try DurableFile.write(Array(bytes + Data("\n".utf8)), to: path, isPrivate: false)
    }
}
