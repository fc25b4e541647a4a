import Catalogue
import Foundation
import Hosting
import Rehearsal
import Score
import ScoreFiles
import ScorePages

/// All scores, their pages, and the users' rights to them.
///
/// All scores are in memory; a change is written to disk before anybody sees it.
package actor Library: ScoreShelf {
    package nonisolated let catalogue: CatalogueStore
    /// Files of PDFs and engraved pages, named by digest.
    package nonisolated let shelf: AssetStore
    package nonisolated let images: PageImages
    /// Refuses to write page images and prints when disk space runs short.
    var reserve: DiskReserve
    nonisolated let tools: PageTools
    package nonisolated let pieces: [LibraryPiece]
    /// Folder of printed parts that wait for download.
    nonisolated let prints: String
    /// Ids of scores that have a new edition. For one consumer.
    package nonisolated let changes: AsyncStream<Rehearsal.Score.ID>
    private let changeSender: AsyncStream<Rehearsal.Score.ID>.Continuation
    private var entries: [Rehearsal.Score.ID: LibraryScore] = [:]
    private var order: [Rehearsal.Score.ID] = []
    var imports = ImportLog()
    var engravings = 0
    var inspections = 0
    var printings = 0
    var lastEngraving: Task<Void, Never>?
    /// The task that deletes the last printed part when its time is over.
    var lastRemoval: Task<Void, Never>?
    let printStays: Duration

    /// - Parameters:
    ///   - data: the server's data folder.
    ///   - pieces: the pieces that movements may be bound to.
    ///
    /// `printStays` is the time for which a printed part can be downloaded.
    package init(
        catalogue: CatalogueStore, data: String, pieces: [LibraryPiece] = [], tools: PageTools = .find(),
        printStays: Duration = .seconds(60)
    ) throws(CatalogueError) {
        (changes, changeSender) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_000))
        self.catalogue = catalogue
        self.pieces = pieces
        self.tools = tools
        let folder = URL(fileURLWithPath: data).path
        shelf = try AssetStore(folder: folder + "/scores")
        let reserve = DiskReserve(folder: folder)
        self.reserve = reserve
        images = PageImages(
            cacheFolder: folder + "/score-images", tools: tools,
            hasRoom: { reserve.refusal(adding: $0) == nil })
        prints = folder + "/score-prints"
        self.printStays = printStays
    }

    /// Opens the library at start-up: reads the catalogue and imports scores shipped with the recordings.
    /// - Parameters:
    ///   - resumesImports: false if another server may be working on the unfinished imports.
    ///   - say: prints a sentence for the operator.
    package static func open(
        catalogue: CatalogueStore, data: String, recordings: String?, programme: [LibraryPiece],
        resumesImports: Bool = true, say: (String) -> Void
    ) async throws -> Library {
        let others = recordings.map { LibraryPiece.all(in: $0) } ?? []
        let known = Set(programme.map(\.piece))
        let library = try Library(
            catalogue: catalogue, data: data, pieces: programme + others.filter { !known.contains($0.piece) })
        library.removePrints()
        for note in try await library.read() { say(note + "\n") }
        if resumesImports {
            for note in await library.resumeImports() { say(note + "\n") }
        }
        if let recordings {
            for note in await library.takeShipped(from: recordings) { say(note + "\n") }
        }
        return library
    }

    /// Reads all scores from the catalogue.
    /// - Returns: a sentence for each score that cannot be read.
    package func read() async throws(LibraryFault) -> [String] {
        let found = try await stored()
        for entry in found.entries { enter(entry) }
        return found.notes
    }

    private func stored() async throws(LibraryFault) -> (entries: [LibraryScore], notes: [String]) {
        let stored: [StoredScore]
        do throws(CatalogueError) { stored = try await catalogue.scores() } catch { throw .catalogue(error) }
        var (entries, notes): ([LibraryScore], [String]) = ([], [])
        for row in stored {
            if let entry = LibraryScore(row, folder: shelf.folder) {
                entries.append(entry)
            } else {
                notes.append(
                    "The score \(row.id) is damaged or was written by another version, and is left out.")
            }
        }
        return (entries, notes)
    }

    /// Reads all scores again after another program has rewritten the catalogue. If that fails, nothing changes.
    ///
    /// The old scores are replaced in one step: a room that is loaded meanwhile must find its score.
    package func reread() async {
        guard let found = try? await stored() else { return }
        (entries, order) = ([:], [])
        for entry in found.entries { enter(entry) }
    }

    // MARK: Queries of the rooms

    package func score(_ id: Rehearsal.Score.ID) -> Rehearsal.Score? { entries[id]?.score }

    package func revision(of score: Rehearsal.Score.ID) -> String? {
        entries[score].map { String($0.revision) }
    }

    package func holds(
        _ user: Rehearsal.User.ID, _ score: Rehearsal.Score.ID
    ) async throws(CatalogueError) -> Bool {
        guard entries[score] != nil else { return false }
        if user == RoomPerson.localID { return true }
        return try await catalogue.holds(AccountID(rawValue: user.description), score: score.description)
    }

    package func scores(of user: Rehearsal.User.ID?) async throws(CatalogueError) -> [Rehearsal.Score] {
        guard let user, user != RoomPerson.localID else { return all.map(\.score) }
        let given = try await catalogue.scores(givenTo: AccountID(rawValue: user.description))
        return all.map(\.score).filter { given.contains($0.id.description) }
    }

    // MARK: Entries

    package var all: [LibraryScore] { order.compactMap { entries[$0] } }

    package func entry(_ id: Rehearsal.Score.ID) throws(LibraryFault) -> LibraryScore {
        guard let entry = entries[id] else { throw .noSuchScore }
        return entry
    }

    /// Stores a new score.
    /// - Parameter finished: id of the import that delivered the score; it is deleted in the same transaction.
    package func add(_ entry: LibraryScore, finishing finished: String? = nil) async throws(LibraryFault) {
        let stored = try entry.stored()
        do throws(CatalogueError) { try await catalogue.addScore(stored, finishing: finished) } catch {
            throw .catalogue(error)
        }
        enter(entry)
    }

    /// Stores the next revision of a score.
    /// - Parameter finished: id of the import that delivered its last part; it is deleted in the same transaction.
    package func keep(_ entry: LibraryScore, finishing finished: String? = nil) async throws(LibraryFault) {
        let stored = try entry.stored()
        do throws(CatalogueError) { try await catalogue.changeScore(stored, finishing: finished) } catch {
            throw .catalogue(error)
        }
        enter(entry)
        changeSender.yield(entry.score.id)
    }

    package func remove(_ id: Rehearsal.Score.ID) async throws(LibraryFault) {
        _ = try entry(id)
        do throws(CatalogueError) { try await catalogue.removeScore(id.description) } catch {
            throw .catalogue(error)
        }
        entries[id] = nil
        order.removeAll { $0 == id }
    }

    private func enter(_ entry: LibraryScore) {
        // A slow write must not replace a newer revision in memory.
        if let now = entries[entry.score.id], now.revision > entry.revision { return }
        if entries.updateValue(entry, forKey: entry.score.id) == nil { order.append(entry.score.id) }
    }
}

/// A piece that the server can follow; movements of scores may be bound to it.
package struct LibraryPiece: Equatable, Sendable, Codable {
    /// Name of the folder of the piece's recordings and models.
    package var piece: String
    package var name: String
    /// The lowest and the highest printed measure number, as `[0, 104]`; nil if unknown.
    package var measures: [Int]?

    package init(piece: String, name: String, numbers: ClosedRange<Int>? = nil) {
        self.piece = piece
        self.name = name
        measures = numbers.map { [$0.lowerBound, $0.upperBound] }
    }

    package var numbers: ClosedRange<Int>? {
        guard let measures, measures.count == 2, measures[0] <= measures[1] else { return nil }
        return measures[0]...measures[1]
    }

    /// All pieces in a folder of recordings, sorted by folder.
    package static func all(in recordings: String) -> [LibraryPiece] {
        struct Named: Decodable { var name: String }
        let folders = ((try? FileManager.default.contentsOfDirectory(atPath: recordings)) ?? []).sorted()
        return folders.compactMap { folder in
            guard let bytes = FileManager.default.contents(atPath: "\(recordings)/\(folder)/piece.json"),
                let named = try? JSONDecoder().decode(Named.self, from: bytes)
            else { return nil }
            return LibraryPiece(
                piece: folder, name: named.name, numbers: numbers(ofRecordings: "\(recordings)/\(folder)"))
        }
    }

    /// The printed measure numbers in the first recording that has measure times.
    private static func numbers(ofRecordings folder: String) -> ClosedRange<Int>? {
        let recordings = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        for recording in recordings {
            let path = "\(folder)/\(recording)/measures.csv"
            guard FileManager.default.fileExists(atPath: path),
                let times = try? MeasureTimesFile.read(path: path)
            else { continue }
            return MeasureMap.numbers(of: times.marks)
        }
        return nil
    }
}

extension MeasureMap {
    /// The lowest and the highest printed number; nil if there is no measure.
    package static func numbers(of marks: [MeasureMark]) -> ClosedRange<Int>? {
        guard let low = marks.map(\.printed).min(), let high = marks.map(\.printed).max() else { return nil }
        return low...high
    }
}
