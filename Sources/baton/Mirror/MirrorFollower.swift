import Catalogue
import Foundation

/// Keeps one database the same as that of the server that reigns, and the files its rows name before them.
///
/// Asks what has changed behind what it has; takes all pieces up to the end before it writes any, in one
/// transaction, and only while the other reigns.
struct MirrorFollower: Sendable {
    let name: String
    let journal: CopyJournal
    /// Whose files its rows name.
    let files: [MirrorFiles]
    let ask: MirrorFiles.Ask
    /// Asked again right before anything is written.
    let follows: @Sendable () -> Bool
    /// Puts this server's own work aside; returns where it lies.
    let putAside: @Sendable (CopyJournal) async throws(MirrorFault) -> Void

    /// Of the rows of one copy, in memory.
    static let mostBytes = 256 << 20

    /// One look at the other: whatever is new there is here afterwards.
    /// - Returns: the tables that changed; empty where both were the same.
    func look() async throws(MirrorFault) -> Set<String> {
        var standing = try await store { () throws(CatalogueError) in try await journal.standing() }
        var news = try await news(for: standing, behind: standing.followed)
        if news.mark.lineage == standing.own.lineage {
            try await store { () throws(CatalogueError) in try await journal.takeNewLineage() }
            standing = try await store { () throws(CatalogueError) in try await journal.standing() }
            news = try await self.news(for: standing, behind: nil)
        }
        let isUnknown = standing.hasUnknownWork(held: news.holds)
        // Where people worked on both sides a part of the story is not enough.
        if isUnknown, !news.isAnew { news = try await self.news(for: standing, behind: nil) }
        guard news.isAnew || !news.changes.isEmpty else { return [] }
        for folder in files { try await folder.fetch(ask) }
        guard follows() else { return [] }
        if isUnknown {
            let all = news.changes
            let isPart = try await store { () throws(CatalogueError) in try await journal.isPart(of: all) }
            if !isPart { try await putAside(journal) }
        }
        guard follows() else { return [] }
        let final = news
        try await store { () throws(CatalogueError) in
            try await journal.take(final.changes, anew: final.isAnew, from: final.mark)
        }
        return final.isAnew ? Set(final.changes.map(\.table)).union(["all"]) : Set(final.changes.map(\.table))
    }

    private struct News {
        var changes: [CopyChange] = []
        var mark: CopyMark
        var isAnew = false
        var holds: Int64?
    }

    private func news(for standing: CopyStanding, behind copy: CopyMark?) async throws(MirrorFault) -> News {
        var news = News(mark: copy ?? CopyMark(lineage: "", number: 0))
        var copy = copy
        var bytes = 0
        while true {
            let (answer, body) = try await ask(
                MirrorQuestion(
                    subject: .changes, of: name, shape: journal.shape, copy: copy,
                    lineage: standing.own.lineage))
            guard let lineage = answer.lineage, let through = answer.through, let isAnew = answer.isAnew,
                let isAll = answer.isAll, let changes = CopyCoding.changes(body),
                isAll || through > (isAnew ? 0 : copy?.number ?? 0)
            else { throw .unreadable }
            if isAnew { news = News(mark: news.mark, isAnew: true) }
            bytes = isAnew ? body.count : bytes + body.count
            guard bytes <= Self.mostBytes else { throw .tooMuch(bytes: Self.mostBytes) }
            news.changes += changes
            news.mark = CopyMark(lineage: lineage, number: through)
            news.holds = answer.holds
            copy = news.mark
            if isAll { return news }
        }
    }

    private func store<Value: Sendable>(
        _ work: () async throws(CatalogueError) -> Value
    ) async throws(MirrorFault) -> Value {
        do throws(CatalogueError) { return try await work() } catch { throw .store(error) }
    }
}
