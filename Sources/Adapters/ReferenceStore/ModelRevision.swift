import Foundation
import Platform

/// The state of a piece's model on the disk. Whoever changes a model for minutes asks for it before loading, so that
/// the change of somebody else meanwhile is not lost.
public struct ModelRevision: Equatable, Sendable {
    /// The digest of `model.json`; nil if there is none.
    let digest: Digest?
}

extension ModelFolder {
    public func revision(of piece: String) throws(ReferenceStoreError) -> ModelRevision {
        guard contains(piece) else { return ModelRevision(digest: nil) }
        return ModelRevision(
            digest: Digest(
                of: try PlainFile.readBytes(
                    at: filePath(Self.descriptionFileName, of: piece), limitBytes: ModelDescription.byteLimit)
            ))
    }
}
