import Catalogue
import Foundation
import Synchronization

/// The recordings that somebody deleted on the active server, so that the other server deletes what it recorded at the
/// same time: each server records what it hears itself, and a deleted evening is to be gone from both.
package final class RecordingErasures: Sendable {
    private let catalogue: CatalogueStore
    private let isActiveServer: @Sendable () -> Bool
    /// The erasures of which nothing is left here. Nothing is recorded in the past, so once is enough.
    private let done = Mutex<Set<String>>([])

    package init(catalogue: CatalogueStore, isActiveServer: @escaping @Sendable () -> Bool) {
        (self.catalogue, self.isActiveServer) = (catalogue, isActiveServer)
    }

    /// The clocks of two servers may differ by so much, in milliseconds.
    private static let clockDifference: Int64 = 10_000
    /// A part is deleted if this share of it lies in the time that was deleted.
    private static let leastShare = 0.9

    /// Notes that a recording was deleted. A server that is not active notes nothing: its notes are copied to nobody.
    /// - Throws: if the note cannot be written, so that the other server keeps what it recorded.
    func note(_ recording: Recording) async throws(CatalogueError) {
        guard isActiveServer(), let first = recording.parts.map(\.startedAt).min(),
            let last = recording.parts.compactMap({ $0.endedAt ?? $0.startedAt + Int64($0.seconds * 1_000) })
                .max(),
            first < last
        else { return }
        try await catalogue.noteErasure(of: .recording, named: "\(first)-\(last)")
    }

    /// Deletes what was recorded here in the time of recordings that were deleted on the other server. What is still
    /// being recorded, or cannot be deleted, is left for the next time.
    func carryOut(in store: RecordingStore) async {
        let names = (try? await catalogue.erasures(of: .recording)) ?? []
        let due = done.withLock { done in names.filter { !done.contains($0) } }
        guard !due.isEmpty else { return }
        let carriedOut = await Task.detached(priority: .utility) {
            let spans = due.compactMap(Self.span)
            var left: [Range<Int64>] = []
            for recording in store.list() {
                let times = recording.parts.map(Self.time)
                let isErased = times.allSatisfy { time in spans.contains { Self.covers($0, time) } }
                if recording.isRunning {
                    left += times
                } else if isErased, !times.isEmpty, (try? store.delete(recording.name)) == nil {
                    left += times
                }
            }
            return due.filter { name in Self.span(name).map { !left.contains(where: $0.overlaps) } ?? true }
        }.value
        done.withLock { $0.formUnion(carriedOut) }
    }

    private static func time(of part: Recording.Part) -> Range<Int64> {
        let end = part.endedAt ?? part.startedAt + Int64(part.seconds * 1_000)
        return part.startedAt..<max(end, part.startedAt + 1)
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
