import Basics
import Dispatch
import Features
import Following
import Foundation
import Hosting
import Listening
import ReferenceStore
import Score
import ScoreFiles
import Sound
import Synchronization

/// Loads the reference model of a piece: a prepared model or, if there is none, one computed from the piece's
/// recordings.
package struct ReferenceModelLoader: Sendable {
    package var modelsFolderPath: String
    package var recordingsFolderPath: String
    /// The performance to use as reference if no model is prepared; nil for the first by name.
    package var referencePerformanceName: String?

    package init(
        modelsFolderPath: String, recordingsFolderPath: String, referencePerformanceName: String? = nil
    ) {
        self.modelsFolderPath = modelsFolderPath
        self.recordingsFolderPath = recordingsFolderPath
        self.referencePerformanceName = referencePerformanceName
    }

    private struct PieceFile: Decodable {
        package var name: String
    }

    /// Loads the models of a programme and makes them ready to follow.
    package func loadProgramme(
        _ wanted: RequestedProgramme, features: FeatureKind = .refined
    ) throws -> ConcertProgramme {
        let loaded = try loadUnreadyProgramme(wanted)
        return ConcertProgramme(
            title: loaded.title,
            pieceModels: Self.makeReady(loaded.pieceModels, of: wanted.pieceFolderNames, features),
            features: features)
    }

    /// Loads the models of a programme, without making them ready to follow.
    /// - Parameter read: models by folder that were read already.
    package func loadUnreadyProgramme(
        _ wanted: RequestedProgramme, read: [String: ReferenceModel] = [:]
    ) throws -> ConcertProgramme {
        var known: Set<String> = []
        let folders = wanted.pieceFolderNames.filter { known.insert($0).inserted }
        let byFolder = try loadModels(of: folders, read)
        let found = wanted.pieceFolderNames.compactMap { byFolder[$0] }
        let title = wanted.title ?? Self.defaultTitle(of: found.map { $0.pieceName.text })
        return ConcertProgramme(title: title, loadedModels: found)
    }

    /// Makes models ready to follow, several at a time; pieces of one folder share their frames.
    /// - Cost: a fifteenth of a second a minute of music, shared by the cores. Blocks its thread.
    /// - Parameter folders: the folder of each model.
    package static func makeReady(
        _ models: [ReferenceModel], of folders: [String], _ features: FeatureKind = .refined
    ) -> [ReferenceModel] {
        var unready: [String: ReferenceModel] = [:]
        for (model, folder) in zip(models, folders) where !model.isReadyToFollow { unready[folder] = model }
        let work = Array(unready)
        let ready = Mutex<[String: ReferenceModel]>([:])
        DispatchQueue.concurrentPerform(iterations: work.count) { index in
            let made = work[index].value.preparedForFollowing(by: features)
            ready.withLock { $0[work[index].key] = made }
        }
        let byFolder = ready.withLock { $0 }
        return zip(models, folders).map { $0.isReadyToFollow ? $0 : byFolder[$1] ?? $0 }
    }

    /// Makes models ready on threads of their own, so that requests do not wait for a thread of the shared pool.
    package static func makeReadyInBackground(
        _ models: [ReferenceModel], of folders: [String]
    ) async -> [ReferenceModel] {
        await withCheckedContinuation { done in
            DispatchQueue.global(qos: .utility).async {
                done.resume(returning: makeReady(models, of: folders))
            }
        }
    }

    /// Loads models, several at a time.
    private func loadModels(
        of folders: [String], _ read: [String: ReferenceModel]
    ) throws -> [String: ReferenceModel] {
        let results = Mutex<[Result<ReferenceModel, any Error>?]>(folders.map { _ in nil })
        DispatchQueue.concurrentPerform(iterations: folders.count) { index in
            let result = Result {
                if let known = read[folders[index]] { return known }
                return try loadModelWithSections(folders[index])
            }
            results.withLock { $0[index] = result }
        }
        var models: [String: ReferenceModel] = [:]
        for (folder, result) in zip(folders, results.withLock { $0 }) { models[folder] = try result?.get() }
        return models
    }

    /// Returns the title of a programme that was given none.
    /// - Parameter names: the names of its pieces, at least one.
    package static func defaultTitle(of names: [String]) -> String {
        names.count == 1 ? names[0] : "\(names[0]), and \(names.count - 1) more"
    }

    /// The path of the sound file of one performance of a piece.
    package func soundFilePath(of folder: String, performance: String) throws -> String {
        try self.findPerformance(performance, of: folder).audioFile.path
    }

    /// Loads the model of one piece, with the sections at which the follower expects music to begin again.
    package func loadModelWithSections(_ folder: String) throws -> ReferenceModel {
        var model = try loadOrMakeModel(folder)
        // Models of older versions may have names that phones cannot list.
        model.pieceName = model.pieceName.withoutSemicolons
        // After a stop, musicians often start again at the beginning of a section, so the follower expects them
        // there.
        model.sectionStartMeasures = PieceSections(recordings: recordingsFolderPath, data: nil)
            .starts(of: folder, measures: model.measures).map(\.start)
        return model
    }

    private func loadOrMakeModel(_ folder: String) throws -> ReferenceModel {
        let prepared = ModelFolder(path: modelsFolderPath)
        guard prepared.contains(folder) else { return try makeModelFromRecording(folder) }
        return try prepared.loadModel(folder).model
    }

    private func makeModelFromRecording(_ folder: String) throws -> ReferenceModel {
        let place = URL(fileURLWithPath: recordingsFolderPath).appending(path: folder)
        guard let bytes = try? Data(contentsOf: place.appending(path: "piece.json")),
            let file = try? JSONDecoder().decode(PieceFile.self, from: bytes)
        else {
            throw ExplainedError(
                "There is no piece “\(folder)”, neither in “\(modelsFolderPath)” nor in “\(recordingsFolderPath)”; "
                    + "make it with `baton prepare`.")
        }
        let chosen = try findPerformance(referencePerformanceName, of: folder)
        let name: PieceName
        do throws(ExplainedError) { name = try PieceName(file.name) } catch {
            throw ExplainedError("\(place.appending(path: "piece.json").path): \(error.sentence)")
        }
        let readable = ReadableRecordings()
        defer { withExtendedLifetime(readable) {} }
        let heard = try computeReferenceFrames(readable.pathBlocking(of: chosen.audioFile.path))
        return ReferenceModel(
            pieceName: name, measures: chosen.measures, framesPerSecond: 50,
            framesByRecording: [heard.frames.packed],
            roomCopies: [heard.roomCopies])
    }

    /// Finds a performance of a piece.
    /// - Parameter name: the performance's name; nil for the first by name.
    private func findPerformance(_ name: String?, of folder: String) throws
        -> RecordedPerformance
    {
        let place = URL(fileURLWithPath: recordingsFolderPath).appending(path: folder)
        let inside = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        for candidate in inside.sorted() where name == nil || candidate == name {
            let found = try RecordedPerformance(directory: place.appending(path: candidate))
            if let found { return found }
        }
        throw ExplainedError(
            name.map { "“\(folder)” has no performance “\($0)” in “\(recordingsFolderPath)”." }
                ?? "“\(folder)” has no recording with measures in “\(recordingsFolderPath)”.")
    }
}
