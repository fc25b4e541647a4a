import Basics
import ServiceLifecycle
import Synchronization

/// Ends the evening when a person begins the next one. What begins next is on the disk first; then the server stops as
/// it does on a signal, so that log, recording and report are closed, and the program begins again in the same process.
package final class NextEvening: Service {
    private let dataFolder: String
    /// True if the next evening may have other pieces: the server was not started with some.
    let takesPieces: Bool
    private let requested = Atomic<Bool>(false)
    private let requests: AsyncStream<Void>
    private let request: AsyncStream<Void>.Continuation

    package init(dataFolder: String, takesPieces: Bool) {
        (self.dataFolder, self.takesPieces) = (dataFolder, takesPieces)
        (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// True once the evening is being ended.
    package var isRequested: Bool { requested.load(ordering: .acquiring) }

    /// Ends the evening. Whatever happens from now on, the next start begins the given one.
    /// - Throws: if it cannot be written; the evening then goes on.
    func begin(_ next: ProgrammeFile) throws(ExplainedError) {
        do { try next.writeNext(in: dataFolder) } catch {
            throw ExplainedError("The next evening could not be written in the data folder; free disk space.")
        }
        requested.store(true, ordering: .releasing)
        request.yield()
    }

    /// Returns when the evening is to end, or when the surrounding service group shuts down.
    package func run() async { for await _ in requests.cancelOnGracefulShutdown() { return } }
}
