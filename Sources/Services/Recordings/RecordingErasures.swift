import Catalogue
import Foundation
import Synchronization

/// The recordings that somebody deleted on the active server, so that the other server deletes what it recorded at the
/// same time: each server records what it hears itself, and a deleted evening is to be gone from both.
package final class RecordingErasures: Sendable {
    private let catalogue: CatalogueStore
    private let isActiveServer: @Sendable () -> Bool
    /// The erasures that were carried out. Nothing is recorded in the past, so once is enough.
    private let done = Mutex<Set<String>>([])

    package init(catalogue: CatalogueStore, isActiveServer: @escaping @Sendable () -> Bool) {
        (self.catalogue, self.isActiveServer) = (catalogue, isActiveServer)
    }

    /// The clocks of two servers may differ by so much, in milliseconds.
    private static let clockDifference: Int64 = 10_000
    /// A part is deleted if this share of it lies in the time that was deleted.
    private static let leastShare = 0.9

    /// Notes that a recording is deleted. A server that is not active notes nothing: its notes are copied to nobody.
    func note(_ recording: Recording) async {
        guard isActiveServer(), let first = recording.parts.map(\.startedAt).min(),
            let last = recording.parts.compactMap({ $0.endedAt ?? $0.startedAt + Int64($0.seconds * 1_000) })
                .max(),
            first < last
        else { return }
        try? await catalogue.noteErasure(of: .recording, named: "\(first)-\(last)")
    }

    /// Deletes what was recorded here in the time of recordings that were deleted on the other server.
    func carryOut(in store: RecordingStore) async {
        let names = (try? await catalogue.erasures(of: .recording)) ?? []
        let due = done.withLock { done in names.filter { !done.contains($0) } }
        let spans = due.compactMap(Self.span)
        guard !spans.isEmpty else { return }
        await Task.detached(priority: .utility) {
            for recording in store.list() where !recording.isRunning {
                let isErased = recording.parts.allSatisfy { part in
                    let end = part.endedAt ?? part.startedAt + Int64(part.seconds * 1_000)
                    return spans.contains { Self.covers($0, part.startedAt..<max(end, part.startedAt + 1)) }
                }
                if isErased, !recording.parts.isEmpty { try? store.delete(recording.name) }
            }
        }.value
        done.withLock { $0.formUnion(due) }
    }

    private static func span(_ name: String) -> Range<Int64>? {
        let ends = name.split(separator: "-").compactMap { Int64($0) }
        guard ends.count == 2, ends[0] < ends[1] else { return nil }
        return ends[0] - clockDifference..<ends[1] + clockDifference
    }

    private static func covers(_ span: Range<Int64>, _ part: Range<Int64>) -> Bool {
        Double(span.clamped(to: part).count) >= leastShare * Double(part.count)
    }
}
