import Catalogue
import Foundation

/// Keeps one database equal to the active server's, including the files that its rows refer to.
///
/// Each pass asks for the changes since the last one. They are written in a single transaction, once all have
/// arrived, and only while the other server is active. Changes that come in several answers wait in a file, so that a
/// copy may be larger than memory. Files are fetched before the rows that refer to them. Local rows that the copy
/// would delete and that exist nowhere else are saved to another file first.
struct DatabaseReplicator: Sendable {
    package let name: String
    let journal: ChangeJournal
    /// The asset stores of the files to which the database's rows refer.
    let files: [AssetReplicator]
    let ask: AssetReplicator.SendRequest
    /// True while this server copies the other one; asked again just before anything is written.
    let follows: @Sendable () -> Bool
    /// Saves this server's own work to another file before the copy replaces it.
    let saveLocalWork: @Sendable (ChangeJournal, _ work: Int64) async throws(ReplicationError) -> Void
    /// Most bytes of all rows fetched in one pass; the rows wait on disk.
    var mostBytes: Int64 = 4 << 30

    /// Most bytes of a single row; it waits in memory.
    static let mostRowBytes: Int64 = 64 << 20

    /// One pass: fetches and writes all changes of the active server.
    /// - Returns: the tables that changed; empty if nothing had changed.
    func replicate() async throws(ReplicationError) -> Set<String> {
        var standing = try await store { () throws(CatalogueError) in try await journal.standing() }
        var fetched = try await fetchChanges(for: standing, behind: standing.followed)
        if fetched.mark.lineage == standing.own.lineage {
            try await store { () throws(CatalogueError) in try await journal.assignNewLineage() }
            standing = try await store { () throws(CatalogueError) in try await journal.standing() }
            fetched = try await self.fetchChanges(for: standing, behind: nil)
        }
        // The active server starts over although this server follows its history: it has lost changes that were
        // copied here, or it is another server. The local copy may be the only one.
        let isOnlyCopy = fetched.isAnew && standing.followed != nil
        let mayLoseLocalWork = standing.hasUnreplicatedWork(held: fetched.holds) || isOnlyCopy
        // If people worked on both servers, the changes alone are not enough; the whole database is fetched.
        if mayLoseLocalWork, !fetched.isAnew {
            fetched = try await self.fetchChanges(for: standing, behind: nil)
        }
        guard fetched.isAnew || !fetched.tables.isEmpty else { return [] }
        for folder in files { try await folder.fetch(ask) }
        // Writing is allowed only while this server still follows: otherwise the files may be incomplete.
        guard follows() else { throw .changedMeanwhile }
        let rows = try fetched.rows()
        if mayLoseLocalWork {
            let isPart = try await store { () throws(CatalogueError) in try await journal.isPart(of: rows) }
            if !isPart { try await saveLocalWork(journal, standing.work) }
        }
        guard follows() else { throw .changedMeanwhile }
        let (isAnew, mark, work) = (fetched.isAnew, fetched.mark, standing.work)
        let isTaken = try await store { () throws(CatalogueError) in
            try await journal.take(rows, anew: isAnew, from: mark, ifWorkIs: work)
        }
        guard isTaken else { throw .changedMeanwhile }
        return isAnew ? fetched.tables.union(["all"]) : fetched.tables
    }

    private struct FetchedChanges {
        var mark: ReplicationPosition
        var isAnew = false
        var arrivals: ReceivedChanges?
        var tables: Set<String> = []
        var holds: Int64?

        func rows() throws(ReplicationError) -> ReceivedChanges {
            if let arrivals { return arrivals }
            do throws(CatalogueError) { return try ReceivedChanges() } catch { throw .store(error) }
        }
    }

    private func fetchChanges(for standing: ReplicationState, behind copy: ReplicationPosition?)
        async throws(ReplicationError) -> FetchedChanges
    {
        var fetched = FetchedChanges(mark: copy ?? ReplicationPosition(lineage: "", number: 0))
        var copy = copy
        var bytes: Int64 = 0
        while true {
            let (answer, body) = try await fetchBatch(
                ReplicationRequest(
                    subject: .changes, of: name, shape: journal.shape, copy: copy,
                    lineage: standing.own.lineage))
            guard let lineage = answer.lineage, let through = answer.through, let isAnew = answer.isAnew,
                let isAll = answer.isAll, let changes = RowChangeCoding.changes(body[...]),
                isAll || (through > (isAnew ? 0 : copy?.number ?? 0) && !changes.isEmpty)
            else { throw .unreadable }
            if isAnew {
                fetched = FetchedChanges(mark: fetched.mark, isAnew: true)
                bytes = 0
            }
            bytes += Int64(body.count)
            guard bytes <= mostBytes else { throw .tooMuch(bytes: mostBytes) }
            try await keep(changes, isOnly: isAll && fetched.arrivals == nil, in: &fetched)
            fetched.mark = ReplicationPosition(lineage: lineage, number: through)
            fetched.holds = answer.holds
            copy = fetched.mark
            if isAll { return fetched }
        }
    }

    private func keep(
        _ changes: [RowChange], isOnly: Bool, in fetched: inout FetchedChanges
    ) async throws(ReplicationError) {
        guard !changes.isEmpty else { return }
        let path = isOnly ? nil : journal.path + ".arriving"
        let known = fetched.arrivals
        fetched.arrivals = try await store { () throws(CatalogueError) in
            let arrivals: ReceivedChanges
            if let known { arrivals = known } else { arrivals = try ReceivedChanges(path: path) }
            try await arrivals.add(changes)
            return arrivals
        }
        fetched.tables.formUnion(changes.map(\.table))
    }

    /// Fetches one batch of rows; a batch with a very long row arrives in several answers.
    private func fetchBatch(
        _ question: ReplicationRequest
    ) async throws(ReplicationError) -> (ReplicationAnswer, [UInt8]) {
        var (answer, part) = try await ask(question)
        var body = Array(part)
        guard let whole = answer.bytes else { return (answer, body) }
        guard (0...Self.mostRowBytes).contains(whole) else { throw .tooMuch(bytes: Self.mostRowBytes) }
        var next = question
        while Int64(body.count) < whole {
            next.offset = Int64(body.count)
            let through = answer.through
            (answer, part) = try await ask(next)
            // Each change to a row raises its number: a batch with the same last number and length is the same batch.
            guard answer.through == through, answer.bytes == whole, !part.isEmpty else {
                throw .changedMeanwhile
            }
            body += part
        }
        guard Int64(body.count) == whole else { throw .unreadable }
        return (answer, body)
    }

    private func store<Value: Sendable>(
        _ work: () async throws(CatalogueError) -> Value
    ) async throws(ReplicationError) -> Value {
        do throws(CatalogueError) { return try await work() } catch { throw .store(error) }
    }
}
