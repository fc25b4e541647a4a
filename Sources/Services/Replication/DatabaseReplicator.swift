import Catalogue
import Foundation

/// Keeps a database equal to the same database of the active server, including the files to which its rows refer.
///
/// Each pass fetches the changes since the previous pass. When all changes have arrived, they are written in a single
/// transaction, but only if the other server is still the active one. Changes that arrive in several answers wait in
/// a file, so a copy may be larger than memory. Files are fetched before the rows that refer to them. Some local rows
/// may exist nowhere else; they are saved to another file before the copy deletes them.
struct DatabaseReplicator: Sendable {
    package let databaseName: String
    let journal: RowChangeJournal
    /// Copies the asset stores whose files the database's rows refer to.
    let assetReplicators: [AssetReplicator]
    let sendRequest: AssetReplicator.SendRequest
    /// True while this server is on standby and copies the other one. It is checked again just before anything is
    /// written.
    let isOnStandby: @Sendable () -> Bool
    /// Saves this server's own work to another file before the copy replaces it.
    let saveLocalWork: @Sendable (RowChangeJournal, _ work: Int64) async throws(ReplicationError) -> Void
    /// Most bytes of rows that are fetched in one pass. The rows wait in a file on disk.
    var mostBytesPerPass: Int64 = 4 << 30

    /// Most bytes of a single row. A row is held in memory while it is fetched.
    static let mostRowBytes: Int64 = 64 << 20

    /// Runs one pass: fetches and writes all changes of the active server.
    /// - Returns: the names of the tables that changed, and `all` if the whole database was copied; empty if nothing
    ///   changed.
    func replicate() async throws(ReplicationError) -> Set<String> {
        var standing = try await mappingStoreErrors { () throws(CatalogueError) in
            try await journal.replicationState()
        }
        var fetched = try await fetchChanges(for: standing, behind: standing.copiedFrom)
        if fetched.journalPosition.lineage == standing.ownPosition.lineage {
            try await mappingStoreErrors { () throws(CatalogueError) in try await journal.assignNewLineage() }
            standing = try await mappingStoreErrors { () throws(CatalogueError) in
                try await journal.replicationState()
            }
            fetched = try await self.fetchChanges(for: standing, behind: nil)
        }
        // The active server starts over although this server follows its history: it has lost changes that were
        // copied here, or it is another server. The local copy may be the only one.
        let isOnlyCopy = fetched.isFullCopy && standing.copiedFrom != nil
        let mayLoseLocalWork =
            standing.hasUnreplicatedManualChanges(held: fetched.localChangeHeldByActiveServer) || isOnlyCopy
        // If people worked on both servers, the changes alone are not enough; the whole database is fetched.
        if mayLoseLocalWork, !fetched.isFullCopy {
            fetched = try await self.fetchChanges(for: standing, behind: nil)
        }
        guard fetched.isFullCopy || !fetched.changedTables.isEmpty else { return [] }
        for folder in assetReplicators { try await folder.fetchMissingFiles(sendRequest) }
        // Changes are written only while this server still follows the other one: otherwise files may be missing.
        guard isOnStandby() else { throw .changedMeanwhile }
        let rows = try fetched.changesOrEmpty()
        if mayLoseLocalWork {
            let isPart = try await mappingStoreErrors { () throws(CatalogueError) in
                try await journal.hasOnlyRows(of: rows)
            }
            if !isPart { try await saveLocalWork(journal, standing.newestManualChange) }
        }
        guard isOnStandby() else { throw .changedMeanwhile }
        let (isAnew, mark, work) = (fetched.isFullCopy, fetched.journalPosition, standing.newestManualChange)
        let isTaken = try await mappingStoreErrors { () throws(CatalogueError) in
            try await journal.applyReceivedChanges(rows, anew: isAnew, from: mark, ifWorkIs: work)
        }
        guard isTaken else { throw .changedMeanwhile }
        return isAnew ? fetched.changedTables.union(["all"]) : fetched.changedTables
    }

    private struct FetchedChanges {
        var journalPosition: ReplicationPosition
        var isFullCopy = false
        var receivedChanges: ReceivedRowChanges?
        var changedTables: Set<String> = []
        var localChangeHeldByActiveServer: Int64?

        func changesOrEmpty() throws(ReplicationError) -> ReceivedRowChanges {
            if let receivedChanges { return receivedChanges }
            do throws(CatalogueError) { return try ReceivedRowChanges() } catch { throw .storeFailed(error) }
        }
    }

    private func fetchChanges(for standing: ReplicationState, behind copy: ReplicationPosition?)
        async throws(ReplicationError) -> FetchedChanges
    {
        var fetched = FetchedChanges(journalPosition: copy ?? ReplicationPosition(lineage: "", number: 0))
        var copy = copy
        var bytes: Int64 = 0
        while true {
            let (answer, body) = try await fetchBatch(
                ReplicationRequest(
                    subject: .changes, of: databaseName, shape: journal.schemaFingerprint, copy: copy,
                    lineage: standing.ownPosition.lineage))
            guard let lineage = answer.lineage, let through = answer.through, let isAnew = answer.isAnew,
                let isAll = answer.isAll, let changes = RowChangeCoding.decode(body[...]),
                isAll || (through > (isAnew ? 0 : copy?.number ?? 0) && !changes.isEmpty)
            else { throw .messageUnreadable }
            if isAnew {
                fetched = FetchedChanges(journalPosition: fetched.journalPosition, isFullCopy: true)
                bytes = 0
            }
            bytes += Int64(body.count)
            guard bytes <= mostBytesPerPass else { throw .contentTooLarge(bytes: mostBytesPerPass) }
            try await collectChanges(changes, isOnly: isAll && fetched.receivedChanges == nil, in: &fetched)
            fetched.journalPosition = ReplicationPosition(lineage: lineage, number: through)
            fetched.localChangeHeldByActiveServer = answer.holds
            copy = fetched.journalPosition
            if isAll { return fetched }
        }
    }

    private func collectChanges(
        _ changes: [RowChange], isOnly: Bool, in fetched: inout FetchedChanges
    ) async throws(ReplicationError) {
        guard !changes.isEmpty else { return }
        let path = isOnly ? nil : journal.path + ".arriving"
        let known = fetched.receivedChanges
        fetched.receivedChanges = try await mappingStoreErrors { () throws(CatalogueError) in
            let arrivals: ReceivedRowChanges
            if let known { arrivals = known } else { arrivals = try ReceivedRowChanges(path: path) }
            try await arrivals.add(changes)
            return arrivals
        }
        fetched.changedTables.formUnion(changes.map(\.table))
    }

    /// Fetches one batch of rows. A batch with a very long row arrives in several answers.
    private func fetchBatch(
        _ question: ReplicationRequest
    ) async throws(ReplicationError) -> (ReplicationAnswer, [UInt8]) {
        var (answer, part) = try await sendRequest(question)
        var body = Array(part)
        guard let whole = answer.bytes else { return (answer, body) }
        guard (0...Self.mostRowBytes).contains(whole) else {
            throw .contentTooLarge(bytes: Self.mostRowBytes)
        }
        var next = question
        while Int64(body.count) < whole {
            next.offset = Int64(body.count)
            let through = answer.through
            (answer, part) = try await sendRequest(next)
            // Each change to a row raises its number: a batch with the same last number and length is the same batch.
            guard answer.through == through, answer.bytes == whole, !part.isEmpty else {
                throw .changedMeanwhile
            }
            body += part
        }
        guard Int64(body.count) == whole else { throw .messageUnreadable }
        return (answer, body)
    }

    private func mappingStoreErrors<Value: Sendable>(
        _ work: () async throws(CatalogueError) -> Value
    ) async throws(ReplicationError) -> Value {
        do throws(CatalogueError) { return try await work() } catch { throw .storeFailed(error) }
    }
}
