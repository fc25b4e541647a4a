import Foundation
import Synchronization

/// Locks the memory of a server on a thread of its own, because the system first reads the program and its libraries into
/// it, for which no start should wait.
final class MemoryLocking: Sendable {
    private let failure: Mutex<String?>

    /// - Parameter isWanted: false if this server is not to lock its memory.
    init(isWanted: Bool) {
        guard isWanted else {
            failure = Mutex("The memory is not locked against paging: this server was not to lock it.")
            return
        }
        failure = Mutex("The memory is being locked against paging; check again in a second.")
        Thread.detachNewThread { [self] in
            let sentence = lockMemoryIfPermitted()
            failure.withLock { $0 = sentence }
        }
    }

    /// Why the memory is not locked, as a sentence; nil if it is.
    var failureSentence: String? { failure.withLock { $0 } }
}
