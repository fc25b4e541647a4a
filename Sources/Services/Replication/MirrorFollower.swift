import Catalogue
import Foundation

/// Keeps one database equal to the active server's, including the files that its rows refer to.
///
/// Each pass asks for the changes since the last one. They are written in a single transaction, once all have
/// arrived, and only while the other server is active. Changes that come in several answers wait in a file, so that a
/// copy may be larger than memory. Files are fetched before the rows that refer to them. Local rows that the copy
/// would delete and that exist nowhere else are saved to another file first.
struct MirrorFollower: Sendable {
    package let name: String
    let journal: ChangeJournal
    /// The asset stores of the files to which the database's rows refer.
    let files: [MirrorFiles]
    let ask: MirrorFiles.Ask
    /// True while this server copies the other one; asked again just before anything is written.
    let follows: @Sendable () -> Bool
    /// Saves this server's own work to another file before the copy replaces it.
    let putAside: @Sendable (ChangeJournal, _ work: Int64) async throws(MirrorFault) -> Void
    /// Most bytes of all rows fetched in one pass; the rows wait on disk.
    var mostBytes: Int64 = 4 << 30

    /// Most bytes of a single row; it waits in memory.
    static let mostRowBytes: Int64 = 64 << 20

    /// One pass: fetches and writes all changes of the active server.
    /// - Returns: the tables that changed; empty if nothing had changed.
    func look() async throws(MirrorFault) -> Set<String> {
        var standing = try await store { () throws(CatalogueError) in try await journal.standing() }
        var news = try await news(for: standing, behind: standing.followed)
        if news.mark.lineage == standing.own.lineage {
            try await store { () throws(CatalogueError) in try await journal.assignNewLineage() }
            standing = try await store { () throws(CatalogueError) in try await journal.standing() }
            news = try await self.news(for: standing, behind: nil)
        }
        // The active server starts over although this server follows its history: it has lost changes that were
        // copied here, or it is another server. The local copy may be the only one.
        let isOnlyCopy = news.isAnew && standing.followed != nil
        let mayVanish = standing.hasUnreplicatedWork(held: news.holds) || isOnlyCopy
        // If people worked on both servers, the changes alone are not enough; the whole database is fetched.
        if mayVanish, !news.isAnew { news = try await self.news(for: standing, behind: nil) }
        guard news.isAnew || !news.tables.isEmpty else { return [] }
        for folder in files { try await folder.fetch(ask) }
        // Writing is allowed only while this server still follows: otherwise the files may be incomplete.
        guard follows() else { throw .changedMeanwhile }
        let rows = try news.rows()
        if mayVanish {
            let isPart = try await store { () throws(CatalogueError) in try await journal.isPart(of: rows) }
            if !isPart { try await putAside(journal, standing.work) }
        }
        guard follows() else { throw .changedMeanwhile }
        let (isAnew, mark, work) = (news.isAnew, news.mark, standing.work)
        let isTaken = try await store { () throws(CatalogueError) in
            try await journal.take(rows, anew: isAnew, from: mark, ifWorkIs: work)
        }
        guard isTaken else { throw .changedMeanwhile }
        return isAnew ? news.tables.union(["all"]) : news.tables
    }

    private struct News {
        var mark: ReplicationPosition
        var isAnew = false
        var arrivals: ReceivedChanges?
        var tables: Set<String> = []
        var holds: Int64?

        func rows() throws(MirrorFault) -> ReceivedChanges {
            if let arrivals { return arrivals }
            do throws(CatalogueError) { return try ReceivedChanges() } catch { throw .store(error) }
        }
    }

    private func news(for standing: ReplicationState, behind copy: ReplicationPosition?)
        async throws(MirrorFault) -> News
    {
        var news = News(mark: copy ?? ReplicationPosition(lineage: "", number: 0))
        var copy = copy
        var bytes: Int64 = 0
        while true {
            let (answer, body) = try await piece(
                MirrorQuestion(
                    subject: .changes, of: name, shape: journal.shape, copy: copy,
                    lineage: standing.own.lineage))
            guard let lineage = answer.lineage, let through = answer.through, let isAnew = answer.isAnew,
                let isAll = answer.isAll, let changes = RowChangeCoding.changes(body[...]),
                isAll || (through > (isAnew ? 0 : copy?.number ?? 0) && !changes.isEmpty)
            else { throw .unreadable }
            if isAnew {
                news = News(mark: news.mark, isAnew: true)
                bytes = 0
            }
            bytes += Int64(body.count)
            guard bytes <= mostBytes else { throw .tooMuch(bytes: mostBytes) }
            try await keep(changes, isOnly: isAll && news.arrivals == nil, in: &news)
            news.mark = ReplicationPosition(lineage: lineage, number: through)
            news.holds = answer.holds
            copy = news.mark
            if isAll { return news }
        }
    }

    private func keep(
        _ changes: [RowChange], isOnly: Bool, in news: inout News
    ) async throws(MirrorFault) {
        guard !changes.isEmpty else { return }
        let path = isOnly ? nil : journal.path + ".arriving"
        let known = news.arrivals
        news.arrivals = try await store { () throws(CatalogueError) in
            let arrivals: ReceivedChanges
            if let known { arrivals = known } else { arrivals = try ReceivedChanges(path: path) }
            try await arrivals.add(changes)
            return arrivals
        }
        news.tables.formUnion(changes.map(\.table))
    }

    /// Fetches one batch of rows; a batch with a very long row arrives in several answers.
    private func piece(
        _ question: MirrorQuestion
    ) async throws(MirrorFault) -> (MirrorAnswer, [UInt8]) {
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
    ) async throws(MirrorFault) -> Value {
        do throws(CatalogueError) { return try await work() } catch { throw .store(error) }
    }
}
