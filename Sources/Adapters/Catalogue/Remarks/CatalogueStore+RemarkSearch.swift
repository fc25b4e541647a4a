import Foundation
import GRDB
import Rehearsal

extension CatalogueStore {
    /// Finds texts of remarks and names of bookmarks that a user may see and that have all words of a query, in any
    /// order; a word is found within longer ones too. Capitals and accents do not count.
    /// - Parameters:
    ///   - scores: the scores that the user has; nil for all.
    ///   - most: the maximum number of remarks, and of bookmarks.
    /// - Cost: reads the texts of all layers that the user sees; some ten milliseconds for fifty thousand.
    public func findRemarks(
        _ query: String, seenBy reader: ScoreReader, in scores: Set<String>?, most: Int
    ) async throws(CatalogueError) -> [FoundRemark] {
        let words = (Self.searchWords(query) ?? "").split(separator: " ").prefix(10).map(String.init)
        guard !words.isEmpty else { return [] }
        return try await read { db in
            let account = reader.user.description
            let rooms = reader.roomLayers.map(\.id.description)
            // Folded words are letters and digits: none is a sign of LIKE.
            let condition = words.map { _ in "words LIKE ?" }.joined(separator: " AND ")
            let patterns = StatementArguments(words.map { "%\($0)%" })
            let remarks = try Row.fetchCursor(
                db,
                sql: """
                    SELECT score, layer, content FROM scoreRemark WHERE words IS NOT NULL AND NOT isErased
                        AND \(condition) AND (layer = ? OR layer IN (\(databaseQuestionMarks(count: rooms.count)))
                        OR EXISTS (SELECT 1 FROM scoreLayer
                            WHERE scoreLayer.score = scoreRemark.score AND scoreLayer.id = scoreRemark.layer
                            AND (kind = 'section' OR owner = ?)))
                    ORDER BY revision DESC
                    """, arguments: patterns + [account] + StatementArguments(rooms) + [account])
            var found: [FoundRemark] = []
            while found.count < most, let row = try remarks.next() {
                guard scores?.contains(row["score"]) ?? true else { continue }
                found.append(
                    FoundRemark(score: row["score"], layer: row["layer"], contentJSON: row["content"]))
            }
            let bookmarks = try Row.fetchAll(
                db,
                sql: """
                    SELECT score, content FROM scoreBookmark WHERE account = ? AND \(condition) ORDER BY rowid LIMIT ?
                    """, arguments: [account] + patterns + [most])
            return found
                + bookmarks.filter { scores?.contains($0["score"]) ?? true }
                .map { FoundRemark(score: $0["score"], layer: nil, contentJSON: $0["content"]) }
        }
    }
}
