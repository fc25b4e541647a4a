import Digests
import Features
import Following
import Foundation

extension ModelFolder {
    /// Writes a model in the place of the one before, if any.
    /// - Parameters:
    ///   - piece: the folder's name.
    ///   - features: what the frames were made with.
    ///   - companions: texts to stand beside a reference, by ending: `doubtful.csv` and `labels.txt`.
    /// - Returns: bytes written.
    /// - Throws: ``ReferenceStoreError``; the old model is whole then.
    @discardableResult
    public func save(
        _ stored: StoredModel, as piece: String, features: FeatureParameters = FeatureParameters(),
        companions: (StoredReference) -> [String: String] = { _ in [:] }
    ) throws(ReferenceStoreError) -> Int {
        try check(stored, piece: piece, features: features)
        let folder = "\(path)/\(piece)"
        try WholeFile.makeFolder(folder)
        // Two at once would each take the other's frames for leftovers.
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
            throw .notWritten(path: folder, reason: WholeFile.systemText())
        }
        defer { close(lock) }

        let model = stored.model
        var files: [String: [UInt8]] = [:]
        var references: [ModelDescription.Reference] = []
        for (about, frames) in zip(stored.references, model.references) {
            let bytes = FramesFile.bytes(of: frames, framesPerSecond: model.framesPerSecond)
            guard let digest = Digest(bytes: Array(bytes.suffix(Digest.byteCount))) else { continue }
            let reference = ModelDescription.Reference(about: about, framesDigest: digest)
            references.append(reference)
            files[reference.framesFile] = bytes
            for (ending, text) in companions(about) { files["\(about.name).\(ending)"] = Array(text.utf8) }
        }
        let description = ModelDescription(
            name: model.name, dimensions: features.dimensions, framesPerSecond: model.framesPerSecond,
            featuresDigest: features.digest, timeline: model.measures, references: references)
        let json: [UInt8]
        do { json = try description.json } catch {
            throw .notWritten(path: file(Self.modelFile, of: piece), reason: "\(error)")
        }
        // What cannot be read again is not written.
        _ = try ModelDescription.read(json, path: file(Self.modelFile, of: piece))

        for (name, bytes) in files { try WholeFile.save(bytes, to: file(name, of: piece)) }
        WholeFile.settle(folder: folder)
        try WholeFile.save(json, to: file(Self.modelFile, of: piece))
        WholeFile.settle(folder: folder)
        sweep(folder, keeping: Set(files.keys))
        return files.values.reduce(json.count) { $0 + $1.count }
    }

    /// Refuses what could not be loaded again.
    private func check(
        _ stored: StoredModel, piece: String, features: FeatureParameters
    ) throws(ReferenceStoreError) {
        guard Self.isName(piece) else { throw .badName(piece) }
        if let name = stored.references.map(\.name).first(where: { !Self.isName($0) }) {
            throw .badName(name)
        }
        let model = stored.model
        for (about, frames) in zip(stored.references, model.references) {
            precondition(
                frames.dimensions == features.dimensions && model.framesPerSecond == features.framesPerSecond
                    && frames.frameCount == model.references[0].frameCount && frames.frameCount > 0,
                "“\(about.name)” is not on the timeline, or not made with these parameters")
            let seconds = Double(frames.frameCount) / Double(model.framesPerSecond)
            guard seconds <= Self.longestSeconds, frames.values.count <= FramesFile.valueLimit else {
                throw .tooLong(reference: about.name, seconds: seconds, limitSeconds: Self.longestSeconds)
            }
        }
        guard
            model.measures.end.seconds <= model.time(ofFrame: Double(model.references[0].frameCount)).seconds
        else {
            throw .notAModel(
                path: "\(path)/\(piece)", reason: "its measures go on after the frames of its timeline")
        }
    }

    /// Takes away what belongs to the model no more. A file that stays does no harm.
    private func sweep(_ folder: String, keeping names: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where Self.ownEndings.contains(where: name.hasSuffix) && !names.contains(name) {
            unlink("\(folder)/\(name)")
        }
    }
}
