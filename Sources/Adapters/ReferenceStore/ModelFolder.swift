import Alignment
import Digests
import Features
import Following
import Foundation

/// A folder of models, with one folder for each piece. A piece's folder holds `model.json` and one file of frames for
/// each reference recording.
///
/// Files of frames are named by their content, and `model.json` is renamed into place last, so that a crash at any
/// moment leaves the previous model complete. docs/model-format.md describes the files.
public struct ModelFolder: Sendable {
    /// The maximum length of a reference recording, in seconds.
    public static let longestSeconds = 90.0 * 60
    /// The maximum number of reference recordings in one model.
    public static let mostReferences = 16
    /// The maximum number of rooms in which a reference is stored as well.
    static let mostRooms = 8
    static let modelFile = "model.json"
    /// The endings of the files that belong to a model. Such files are deleted when their model no longer needs them.
    static let modelFileEndings = [".frames", ".doubtful.csv", ".labels.txt", ".unfinished"]

    public let path: String

    public init(path: String = "Models") { self.path = path }

    /// True if a text can name a piece's folder or a reference: ASCII letters, digits and dashes, not beginning with
    /// a dash.
    public static func isName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-")
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
    }

    /// Returns the names of the pieces that have a model; empty if the folder does not exist.
    public func pieces() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { Self.isName($0) && contains($0) }.sorted()
    }

    /// True if the piece has a model, valid or not.
    public func contains(_ piece: String) -> Bool {
        Self.isName(piece) && FileManager.default.fileExists(atPath: file(Self.modelFile, of: piece))
    }

    /// Reads a model and checks it completely.
    /// - Parameter features: the parameters with which the program analyses live audio; a model made with others is
    ///   refused.
    /// - Complexity: O(values): some 30 ms for ten minutes of music in release builds.
    public func load(
        _ piece: String, features: FeatureParameters = FeatureParameters()
    ) throws(ReferenceStoreError) -> StoredModel {
        guard Self.isName(piece) else { throw .badName(piece) }
        guard contains(piece) else { throw .noSuchPiece(piece, folder: path, known: pieces()) }
        let modelPath = file(Self.modelFile, of: piece)
        let description = try ModelDescription.read(
            try AtomicFile.bytes(at: modelPath, limitBytes: ModelDescription.byteLimit), path: modelPath)
        guard description.featuresDigest == features.digest,
            description.dimensions == features.dimensions,
            description.framesPerSecond == features.framesPerSecond
        else { throw .otherFeatures(piece: piece) }

        var references: [ReferenceFrames] = []
        var roomCopies: [[RoomCopy]] = []
        for reference in description.references {
            func frames(_ digest: Digest) throws(ReferenceStoreError) -> ReferenceFrames {
                try loadFrames(
                    of: reference, digest: digest, in: piece, like: description,
                    frameCount: references.first?.frameCount)
            }
            references.append(try frames(reference.framesDigest))
            var copies: [RoomCopy] = []
            for room in reference.rooms ?? [] {
                copies.append(RoomCopy(room: room.shape, frames: try frames(room.framesDigest)))
            }
            roomCopies.append(copies)
        }
        let seconds = Double(references[0].frameCount) / Double(description.framesPerSecond)
        guard description.timeline.end.seconds <= seconds + 1 else {
            throw .notAModel(path: modelPath, reason: "its measures go on after the frames of its timeline")
        }
        let model = ReferenceModel(
            name: description.name, measures: description.timeline,
            framesPerSecond: description.framesPerSecond, references: references, roomCopies: roomCopies)
        return StoredModel(model: model, references: description.references.map(\.about))
    }

    private func loadFrames(
        of reference: ModelDescription.Reference, digest: Digest, in piece: String,
        like description: ModelDescription, frameCount: Int?
    ) throws(ReferenceStoreError) -> ReferenceFrames {
        let path = file(reference.framesFile(digest), of: piece)
        let bytes = try AtomicFile.bytes(at: path, limitBytes: FramesFile.byteLimit)
        let content: (frames: ReferenceFrames, framesPerSecond: Int, digest: Digest)
        do { content = try FramesFile.decode(of: bytes) } catch { throw .frames(path: path, fault: error) }
        guard content.digest == digest else {
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
