import Alignment
import Features
import Following
import Foundation
import Platform

/// A folder of models, with one folder for each piece. A piece's folder holds `model.json` and one file of frames for
/// each reference recording.
///
/// Files of frames are named by their content, and `model.json` is renamed into place last, so that a crash at any
/// moment leaves the previous model complete. docs/model-format.md describes the files.
public struct ModelFolder: Sendable {
    /// The maximum length of a reference recording, in seconds.
    public static let longestSeconds = 120.0 * 60
    /// The maximum number of reference recordings in one model.
    public static let mostReferences = 16
    /// The maximum number of rooms in which a reference is stored as well.
    static let mostRooms = 8
    static let descriptionFileName = "model.json"
    /// The endings of the files that belong to a model. Such files are deleted when their model no longer needs them;
    /// tables of measures stay, because a person may have corrected them.
    static let modelFileEndings = [
        ".frames", ".doubtful.csv", ".labels.txt", ".doubts.csv", ".unfinished",
    ]

    public let path: String

    public init(path: String = "Models") { self.path = path }

    /// True if a text can name a piece's folder or a reference: ASCII letters, digits and dashes, not beginning with
    /// a dash.
    public static func isValidName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-")
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
    }

    /// Returns the names of the pieces that have a model; empty if the folder does not exist.
    public func pieceNames() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { Self.isValidName($0) && contains($0) }.sorted()
    }

    /// True if the piece has a model, valid or not.
    public func contains(_ piece: String) -> Bool {
        Self.isValidName(piece)
            && FileManager.default.fileExists(atPath: filePath(Self.descriptionFileName, of: piece))
    }

    /// Reads and checks a model's `model.json`.
    func description(of piece: String) throws(ReferenceStoreError) -> ModelDescription {
        guard Self.isValidName(piece) else { throw .invalidName(piece) }
        guard contains(piece) else { throw .noSuchPiece(piece, folder: path, known: pieceNames()) }
        let path = filePath(Self.descriptionFileName, of: piece)
        let bytes = try PlainFile.readBytes(at: path, limitBytes: ModelDescription.byteLimit)
        return try ModelDescription.read(bytes, path: path)
    }

    /// Reads the name of a piece and the names of its references, without their frames.
    public func contents(of piece: String) throws(ReferenceStoreError) -> (name: String, references: [String])
    {
        let description = try description(of: piece)
        return (description.name.text, description.references.map(\.about.name))
    }

    /// Reads a model and checks it completely.
    /// - Parameter features: the parameters with which the program analyses live audio. A model made with other
    ///   parameters is refused.
    /// - Complexity: O(values): some 30 ms for ten minutes of music in release builds.
    public func loadModel(
        _ piece: String, features: FeatureParameters = FeatureParameters()
    ) throws(ReferenceStoreError) -> StoredModel {
        let description = try currentDescription(of: piece, features: features)

        var references: [PackedFrames] = []
        var roomCopies: [[RoomCopy]] = []
        for reference in description.references {
            func frames(_ digest: Digest) throws(ReferenceStoreError) -> PackedFrames {
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
            throw .notAModel(
                path: filePath(Self.descriptionFileName, of: piece),
                reason: "its measures go on after the frames of its timeline")
        }
        var model = ReferenceModel(
            pieceName: description.name, measures: description.timeline,
            framesPerSecond: description.framesPerSecond, framesByRecording: references,
            roomCopies: roomCopies)
        model.beatsPerBar = description.beatsPerBar
        return StoredModel(model: model, referenceDetails: description.references.map(\.about))
    }

    /// Reads a piece's description.
    /// - Throws: `otherFeatureParameters` if the model was made by another version of the analysis.
    func currentDescription(
        of piece: String, features: FeatureParameters
    ) throws(ReferenceStoreError) -> ModelDescription {
        let description = try description(of: piece)
        guard description.featuresDigest == features.digest,
            description.dimensions == features.dimensions,
            description.framesPerSecond == features.framesPerSecond
        else { throw .otherFeatureParameters(piece: piece) }
        return description
    }

    private func loadFrames(
        of reference: ModelDescription.Reference, digest: Digest, in piece: String,
        like description: ModelDescription, frameCount: Int?
    ) throws(ReferenceStoreError) -> PackedFrames {
        let path = filePath(reference.about.framesFile(digest), of: piece)
        let bytes = try PlainFile.readBytes(at: path, limitBytes: ReferenceFramesFile.byteLimit)
        let content: (frames: PackedFrames, framesPerSecond: Int, digest: Digest)
        do { content = try ReferenceFramesFile.decode(of: bytes) } catch {
            throw .framesInvalid(path: path, fault: error)
        }
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
            throw .referenceTooLong(
                reference: reference.about.name, seconds: seconds, limitSeconds: Self.longestSeconds)
        }
        return content.frames
    }

    func filePath(_ name: String, of piece: String) -> String { "\(path)/\(piece)/\(name)" }
}
