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

    /// Reads the file of frames of one of a piece's recordings, and gives it in the order in which it compresses best:
    /// header and powers as they are; then the values, one dimension after the other, each as its difference to the
    /// frame before, modulo 256; then the digest, which is that of the file.
    /// - Returns: nil if no recording has this digest.
    /// - Complexity: O(bytes).
    public func readFrameDifferences(
        _ digest: Digest, of piece: String, features: FeatureParameters = FeatureParameters()
    ) throws(ReferenceStoreError) -> [UInt8]? {
        let references = try currentDescription(of: piece, features: features).references
        guard let reference = references.first(where: { $0.framesDigest == digest }) else { return nil }
        let path = filePath(reference.framesFile(digest), of: piece)
        let file = try PlainFile.readBytes(at: path, limitBytes: ReferenceFramesFile.byteLimit)
        do {
            let frames = try ReferenceFramesFile.decode(of: file).frames
            return ReferenceFramesFile.differences(
                of: file, frameCount: frames.frameCount, dimensions: frames.dimensions)
        } catch { throw .framesInvalid(path: path, fault: error) }
    }
}
