import Basics
import Features
import Platform
import Score

/// The part of a model with which a page follows the piece, and the digests by which it asks for the frames.
public struct ModelForPages: Sendable {
    public var name: PieceName
    public var measures: MeasureMap
    /// The digest of the frames of each recording, without its copies in rooms; that of the timeline comes first.
    public var framesDigests: [Digest]
}

extension ModelFolder {
    /// Reads what a page needs to follow a piece, without the frames.
    /// - Parameter features: the parameters with which the engine of pages analyses live audio. A model made with other
    ///   parameters is refused.
    public func readForPages(
        _ piece: String, features: FeatureParameters = FeatureParameters()
    ) throws(ReferenceStoreError) -> ModelForPages {
        let description = try currentDescription(of: piece, features: features)
        return ModelForPages(
            name: description.name, measures: description.timeline,
            framesDigests: description.references.map(\.framesDigest))
    }

    /// Reads the frames of one of a piece's recordings as a file of the newest version, whatever version the folder has.
    /// - Returns: nil if no recording has this digest, which is that of the file in the folder.
    /// - Complexity: O(values), some 30 ns each.
    public func readFramesFile(
        _ digest: Digest, of piece: String, features: FeatureParameters = FeatureParameters()
    ) throws(ReferenceStoreError) -> [UInt8]? {
        let description = try currentDescription(of: piece, features: features)
        guard let reference = description.references.first(where: { $0.framesDigest == digest }) else {
            return nil
        }
        let path = filePath(reference.about.framesFile(digest), of: piece)
        let file = try PlainFile.readBytes(at: path, limitBytes: ReferenceFramesFile.byteLimit)
        do throws(ExplainedError) {
            let content = try ReferenceFramesFile.decode(of: file)
            return ReferenceFramesFile.encode(
                of: content.frames, framesPerSecond: content.framesPerSecond
            ).bytes
        } catch { throw .framesInvalid(path: path, fault: error) }
    }
}
