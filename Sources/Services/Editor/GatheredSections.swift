import Catalogue
import Content
import Foundation
import Platform
import Rehearsal
import ScoreFiles

/// Gathers the sections and rehearsal letters that people enter in the editor and in the library, so that the show,
/// the stands and the practice page know them too. Each piece has them in a file of its own (``PieceSections``).
struct GatheredSections: Sendable {
    let catalogue: CatalogueStore
    /// The server's data folder.
    let data: String

    /// Reads all concerts and scores, and writes the files of the pieces whose sections have changed.
    /// - Cost: some milliseconds for a concert.
    func gather() async throws {
        let folder = PieceSections.gatheredFolder(in: data)
        var found = try await sectionsOfConcerts()
        for (piece, marks) in try await marksOfScores() { found[piece, default: []] += marks }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let known = Set(
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") })
        for piece in Set(found.keys).union(known.map { String($0.dropLast(".json".count)) }) {
            let (path, bytes) = ("\(folder)/\(piece).json", PieceSections.encode(found[piece] ?? []))
            guard FileManager.default.contents(atPath: path) != Data(bytes) else { continue }
            try DurableFile.write(bytes, to: path)
        }
    }

    /// Of each piece the sections of the concert that listeners find, or else of the newest one that has any.
    private func sectionsOfConcerts() async throws -> [String: [EnteredSection]] {
        let concerts = try await catalogue.concerts()
        let served = try await catalogue.publicConcertRevision()?.concert
        var found: [String: [EnteredSection]] = [:]
        for concert in concerts.map(\.id).sorted(by: {
            ($0 == served ? 0 : 1, $1) < ($1 == served ? 0 : 1, $0)
        }) {
            let content = CatalogueConcert(try await catalogue.concertContent(of: concert))
            for (piece, nodes) in zip(content.concert.pieces, content.pieceNodes)
            where isFolderName(nodes.recordingsFolder) && found[nodes.recordingsFolder] == nil {
                let sections = piece.structure.sections.map {
                    EnteredSection(
                        label: $0.label, printed: $0.place.printed, played: $0.place.played, source: .content)
                }
                if !sections.isEmpty { found[nodes.recordingsFolder] = sections }
            }
        }
        return found
    }

    private func marksOfScores() async throws -> [String: [EnteredSection]] {
        var found: [String: [EnteredSection]] = [:]
        for stored in try await catalogue.scores() {
            guard
                let score = try? JSONDecoder().decode(
                    Rehearsal.Score.self, from: Data(stored.contentJSON.utf8))
            else { continue }
            for movement in score.movements {
                guard let piece = movement.piece, isFolderName(piece) else { continue }
                found[piece, default: []] += movement.marks.map {
                    EnteredSection(label: $0.label, printed: $0.measure, source: .score)
                }
            }
        }
        return found.filter { !$0.value.isEmpty }
    }

    private func isFolderName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.contains("/")
    }
}

extension EditorService {
    /// Brings sections that have changed into the running show.
    package struct SectionsTaker: Sendable {
        let data: String
        let take: @Sendable () async -> Bool

        /// - Parameter take: returns false if it is to be called again.
        package init(data: String, take: @escaping @Sendable () async -> Bool) {
            (self.data, self.take) = (data, take)
        }
    }

    /// Gathers the sections when somebody has changed them, and brings them into the show as soon as it takes them.
    func watchSections(_ taker: SectionsTaker) async {
        let gathered = GatheredSections(catalogue: concertEditor.catalogue, data: taker.data)
        var known: String?
        while !Task.isCancelled {
            // What cannot be read or written now is tried again with the next change, or at the next start.
            if let revision = try? await gathered.catalogue.contentAndScoresRevision(), revision != known {
                if (try? await gathered.gather()) != nil { known = revision }
            }
            // Also for those of /prepare, which are written beside the recordings.
            _ = await taker.take()
            try? await Task.sleep(for: .seconds(2))
        }
    }
}
