import Catalogue
import Foundation
import Rehearsal
import ScorePages

/// Imports the engraved scores that are shipped with the recordings. Each is bound to the piece in whose folder it
/// lies.
extension Library {
    /// Imports shipped scores that were never imported before; a score that a librarian removed is not imported
    /// again.
    /// - Parameter recordings: a folder whose subfolders hold `pages/score` and a folder for each part.
    /// - Returns: a sentence for each score that cannot be used.
    func importShippedScores(from recordings: String) async -> [String] {
        var notes: [String] = []
        let known: Set<String>
        do throws(CatalogueError) { known = try await catalogue.importedScoreFolders() } catch {
            return [error.sentence]
        }
        for piece in ((try? FileManager.default.contentsOfDirectory(atPath: recordings)) ?? []).sorted()
        where !known.contains(piece) {
            let pages = "\(recordings)/\(piece)/pages"
            guard FileManager.default.fileExists(atPath: pages + "/score/layout.json") else { continue }
            do {
                try await addEntry(try readShippedScore(piece, pages: pages))
            } catch {
                notes.append("The pages of \(piece) cannot be shown: \(LibraryRefusal(error).sentence)")
            }
        }
        return notes
    }

    private func readShippedScore(_ piece: String, pages: String) throws -> LibraryEntry {
        let whole = try readEngravedScore("\(pages)/score")
        let isSolo = whole.partNames.count <= 1
        var found = [
            try storeEngravedPages(whole, named: isSolo ? whole.partNames.first ?? "Score" : "Score")
        ]
        for folder in ((try? FileManager.default.contentsOfDirectory(atPath: pages)) ?? []).sorted()
        where folder != "score" && FileManager.default.fileExists(atPath: "\(pages)/\(folder)/layout.json") {
            let part = try readEngravedScore("\(pages)/\(folder)")
            found.append(try storeEngravedPages(part, named: part.pageLayout.part ?? folder))
        }
        let score = try Self.makeScore(
            .new(), ScoreHeading(title: whole.title ?? piece, composer: whole.composer ?? ""),
            found.map(\.part),
            piece: piece, marks: EngravedPartConversion.marks(of: whole))
        return LibraryEntry(score: score, sources: found.map(\.source), origin: piece)
    }

    private func readEngravedScore(_ folder: String) throws -> EngravedScore {
        return try ScoreEngraver.readEngravedFolder(URL(fileURLWithPath: folder))
    }
}
