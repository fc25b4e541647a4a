import BackupLink
import Basics
import Foundation
import Hosting
import Platform

/// Sends requests to the other server and reads its answers, both encrypted, since they contain password hashes.
struct SealedRequests: Sendable {
    let box: SealedBox
    let pair: any PairedServer

    func send(
        _ question: ReplicationRequest
    ) async throws(ReplicationError) -> (ReplicationAnswer, ArraySlice<UInt8>) {
        guard let asked = try? JSONEncoder().encode(question) else { throw .messageUnreadable }
        let sealed: [UInt8]
        do throws(ExplainedError) {
            sealed = try await pair.askOtherServer(box.encrypt(Array(asked)))
        } catch {
            throw .linkFailed(error)
        }
        guard let bytes = box.decrypt(sealed), let (answer, body) = ReplicationCoding.decodeAnswer(bytes)
        else { throw .messageUnreadable }
        if let refusal = answer.refusal { throw .refused(refusal) }
        return (answer, body)
    }
}
