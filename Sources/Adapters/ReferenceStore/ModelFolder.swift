import Alignment
import Digests
import Features
import Following
import Foundation

/// A folder of models, one folder for each piece: `model.json` and a file of frames for each reference.
///
/// Files of frames are named by their content and `model.json` is renamed into place last, so that a crash at any
/// moment leaves the old model whole. docs/model-format.md describes the files.
public struct ModelFolder: Sendable {
    /// The longest reference.
    public static let longestSeconds = 90.0 * 60
    /// References of one model.
    public static let mostReferences = 16
    static let modelFile = "model.json"
    /// Files that belong to one model and go when they belong to it no more.
    static let ownEndings = [".frames", ".doubtful.csv", ".labels.txt", ".unfinished"]

    public let path: String

    public init(path: String = "Models") { self.path = path }

    /// Whether a text can name a piece's folder or a reference: ASCII letters, digits and dashes, none in front.
    public static func isName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-")
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
    }

    /// The pieces that have a model, by name; none where there is no such folder.
    public func pieces() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { Self.isName($0) && contains($0) }.sorted()
    }

    /// Whether a piece has a model, good or not.
    public func contains(_ piece: String) -> Bool {
        Self.isName(piece) && FileManager.default.fileExists(atPath: file(Self.modelFile, of: piece))
    }

    /// Reads a model and checks everything about it.
    /// - Parameter features: what the program listens with; a model made otherwise is refused.
    /// - Complexity: O(values): some 30 ms for ten minutes of music in release builds.
    public func load(
        _ piece: String, features: FeatureParameters = FeatureParameters()
    ) throws(ReferenceStoreError) -> StoredModel {
        guard Self.isName(piece) else { throw .badName(piece) }
        guard contains(piece) else { throw .noSuchPiece(piece, folder: path, known: pieces()) }
        let modelPath = file(Self.modelFile, of: piece)
        let description = try ModelDescription.read(
            try WholeFile.bytes(at: modelPath, limitBytes: ModelDescription.byteLimit), path: modelPath)
        guard description.featuresDigest == features.digest,
            description.dimensions == features.dimensions,
            description.framesPerSecond == features.framesPerSecond
        else { throw .otherFeatures(piece: piece) }

        var references: [ReferenceFrames] = []
        for reference in description.references {
            references.append(
                try frames(
                    of: reference, in: piece, like: description, frameCount: references.first?.frameCount))
        }
        let seconds = Double(references[0].frameCount) / Double(description.framesPerSecond)
        guard description.timeline.end.seconds <= seconds + 1 else {
            throw .notAModel(path: modelPath, reason: "its measures go on after the frames of its timeline")
        }
        let model = ReferenceModel(
            name: description.name, measures: description.timeline,
            framesPerSecond: description.framesPerSecond, references: references)
        return StoredModel(model: model, references: description.references.map(\.about))
    }

    private func frames(
        of reference: ModelDescription.Reference, in piece: String, like description: ModelDescription,
        frameCount: Int?
    ) throws(ReferenceStoreError) -> ReferenceFrames {
        let path = file(reference.framesFile, of: piece)
        let bytes = try WholeFile.bytes(at: path, limitBytes: FramesFile.byteLimit)
        let content: (frames: ReferenceFrames, framesPerSecond: Int, digest: Digest)
        do { content = try FramesFile.content(of: bytes) } catch { throw .frames(path: path, fault: error) }
        guard content.digest == reference.framesDigest else {
            throw .inconsistent(path: path, reason: "its digest is another one")
        }
        guard content.frames.dimensions == description.dimensions,
            content.framesPerSecond == description.framesPerSecond
        else { throw .inconsistent(path: path, reason: "its frames are of another kind") }
        guard frameCount == nil || content.frames.frameCount == frameCount else {
            throw .inconsistent(path: path, reason: "it has not as many frames as the timeline")
        }
        let seconds = Double(content.frames.frameCount) / Double(description.framesPerSecond)
        guard seconds <= Self.longestSeconds else {
            throw .tooLong(
                reference: reference.about.name, seconds: seconds, limitSeconds: Self.longestSeconds)
        }
        return content.frames
    }

    func file(_ name: String, of piece: String) -> String { "\(path)/\(piece)/\(name)" }
}
