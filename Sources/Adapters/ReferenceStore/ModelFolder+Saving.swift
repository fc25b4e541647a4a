import Alignment
import Features
import Following
import Foundation
import Platform

extension ModelFolder {
    /// Writes a model, replacing the previous one if there is one.
    /// - Parameters:
    ///   - piece: the folder's name.
    ///   - features: the parameters with which the frames were made.
    ///   - revision: the revision that may be replaced; nil to replace any.
    ///   - companions: texts to store next to a reference, by file ending: `doubtful.csv` and `labels.txt`.
    /// - Returns: the number of bytes written.
    /// - Throws: ``ReferenceStoreError``; the previous model is then unchanged.
    @discardableResult
    public func saveModel(
        _ stored: StoredModel, as piece: String, features: FeatureParameters = FeatureParameters(),
        replacing revision: ModelRevision? = nil,
        companions: (StoredReference) -> [String: String] = { _ in [:] }
    ) throws(ReferenceStoreError) -> Int {
        try checkLoadable(stored, piece: piece, features: features)
        let folder = "\(path)/\(piece)"
        try Self.saying { () throws(FileWriteError) in try DurableFile.makeFolder(folder) }
        // Without this lock, two processes that save at once would each delete the other's frames as leftovers.
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
            throw .notWritten(path: folder, reason: PlainFile.errnoText())
        }
        defer {
            // A child process that is just being started may have a copy of the descriptor.
            _ = flock(lock, LOCK_UN)
            close(lock)
        }
        if let revision, try self.revision(of: piece) != revision { throw .changedMeanwhile(piece: piece) }

        let model = stored.model
        var files: [String: [UInt8]] = [:]
        var references: [ModelDescription.Reference] = []
        for (number, about) in stored.referenceDetails.enumerated() {
            func digest(addingFileOf frames: PackedFrames) -> Digest {
                let file = ReferenceFramesFile.encode(of: frames, framesPerSecond: model.framesPerSecond)
                files[about.framesFile(file.digest)] = file.bytes
                return file.digest
            }
            let copies = model.roomCopies.isEmpty ? [] : model.roomCopies[number]
            let rooms = copies.map {
                ModelDescription.Room(shape: $0.room, framesDigest: digest(addingFileOf: $0.frames))
            }
            references.append(
                ModelDescription.Reference(
                    about: about, framesDigest: digest(addingFileOf: model.framesByRecording[number]),
                    rooms: rooms.isEmpty ? nil : rooms))
            for (ending, text) in companions(about) { files["\(about.name).\(ending)"] = Array(text.utf8) }
        }
        let description = ModelDescription(
            name: model.pieceName, dimensions: features.dimensions, framesPerSecond: model.framesPerSecond,
            featuresDigest: features.digest, timeline: model.measures,
            beatsPerBar: model.beatsPerBar, references: references)
        let json: [UInt8]
        do { json = try description.json } catch {
            throw .notWritten(path: filePath(Self.descriptionFileName, of: piece), reason: "\(error)")
        }
        // Checks, before writing, that the file can be read again.
        _ = try ModelDescription.read(json, path: filePath(Self.descriptionFileName, of: piece))

        try Self.saying { () throws(FileWriteError) in
            for (name, bytes) in files { try DurableFile.write(bytes, to: filePath(name, of: piece)) }
            try DurableFile.write(json, to: filePath(Self.descriptionFileName, of: piece))
        }
        deleteLeftoverFiles(folder, keeping: Set(files.keys))
        return files.values.reduce(json.count) { $0 + $1.count }
    }

    private static func saying(_ work: () throws(FileWriteError) -> Void) throws(ReferenceStoreError) {
        do throws(FileWriteError) { try work() } catch {
            throw .notWritten(path: error.path, reason: error.reason)
        }
    }

    /// Throws if the model could not be loaded again after saving.
    private func checkLoadable(
        _ stored: StoredModel, piece: String, features: FeatureParameters
    ) throws(ReferenceStoreError) {
        guard Self.isValidName(piece) else { throw .invalidName(piece) }
        if let name = stored.referenceDetails.map(\.name).first(where: { !Self.isValidName($0) }) {
            throw .invalidName(name)
        }
        let model = stored.model
        for (about, frames) in zip(stored.referenceDetails, model.framesByRecording) {
            precondition(
                frames.dimensions == features.dimensions && model.framesPerSecond == features.framesPerSecond
                    && frames.frameCount == model.framesByRecording[0].frameCount && frames.frameCount > 0,
                "“\(about.name)” is not on the timeline, or not made with these parameters")
            precondition(
                model.roomCopies.joined().allSatisfy {
                    $0.frames.frameCount == frames.frameCount && $0.frames.dimensions == frames.dimensions
                }, "the copies in rooms have as many frames as the timeline")
            let seconds = Double(frames.frameCount) / Double(model.framesPerSecond)
            guard seconds <= Self.longestSeconds,
                frames.frameCount * frames.dimensions <= ReferenceFramesFile.valueLimit
            else {
                throw .referenceTooLong(
                    reference: about.name, seconds: seconds, limitSeconds: Self.longestSeconds)
            }
        }
        guard
            model.measures.end.seconds
                <= model.time(ofFrame: Double(model.framesByRecording[0].frameCount)).seconds
        else {
            throw .notAModel(
                path: "\(path)/\(piece)", reason: "its measures go on after the frames of its timeline")
        }
    }

    /// Deletes files that no longer belong to the model. A file that cannot be deleted does no harm.
    private func deleteLeftoverFiles(_ folder: String, keeping names: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where Self.modelFileEndings.contains(where: name.hasSuffix) && !names.contains(name) {
            unlink("\(folder)/\(name)")
        }
    }
}
