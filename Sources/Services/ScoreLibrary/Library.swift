import Catalogue
import Foundation
import Hosting
import Rehearsal
import Score
import ScoreFiles
import ScorePages

/// The scores there are, their pages, and who was given them.
///
/// All scores are in memory; a change is on the disk before anybody sees it.
package actor Library: ScoreShelf {
    package nonisolated let catalogue: CatalogueStore
    /// PDFs and engraved pages, by digest.
    package nonisolated let shelf: AssetStore
    package nonisolated let images: PageImages
    /// Of the disk: neither pictures nor prints are written into it.
    var reserve: DiskReserve
    nonisolated let tools: PageTools
    package nonisolated let pieces: [LibraryPiece]
    /// Where parts with remarks are written for who fetches them.
    nonisolated let prints: String
    /// Every score that has another edition, for whoever shows it. One listener.
    package nonisolated let changes: AsyncStream<Rehearsal.Score.ID>
    private let changeSender: AsyncStream<Rehearsal.Score.ID>.Continuation
    private var entries: [Rehearsal.Score.ID: LibraryScore] = [:]
    private var order: [Rehearsal.Score.ID] = []
    var imports = ImportLog()
    var engravings = 0
    var inspections = 0
    var printings = 0
    var lastEngraving: Task<Void, Never>?
    /// Of a printed part.
    var lastRemoval: Task<Void, Never>?
    let printStays: Duration

    /// - Parameters:
    ///   - data: the server's data folder.
    ///   - pieces: what movements may be bound to.
    ///   - printStays: how long a printed part waits for who asked for it.
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

    /// The library of a server that starts: reads the catalogue and takes in what came with the recordings.
    /// - Parameters:
    ///   - resumesImports: false where another server may be at them.
    ///   - say: told sentences for people.
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

    /// Reads all scores of the catalogue.
    /// - Returns: sentences about those that cannot be read.
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

    /// Reads all scores again, where another program has written the catalogue; where it cannot be read, all stays.
    ///
    /// Nobody finds the shelf empty meanwhile: a room that is read then would have no score.
    package func reread() async {
        guard let found = try? await stored() else { return }
        (entries, order) = ([:], [])
        for entry in found.entries { enter(entry) }
    }

    // MARK: What rooms ask

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

    /// Keeps a new score.
    /// - Parameter finished: the import it came by, struck off in the same moment.
    package func add(_ entry: LibraryScore, finishing finished: String? = nil) async throws(LibraryFault) {
        let stored = try entry.stored()
        do throws(CatalogueError) { try await catalogue.addScore(stored, finishing: finished) } catch {
            throw .catalogue(error)
        }
        enter(entry)
    }

    /// Keeps a score at its next revision.
    /// - Parameter finished: the import its last part came by, struck off in the same moment.
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
        // A slower writer must not bring an older revision back.
        if let now = entries[entry.score.id], now.revision > entry.revision { return }
        if entries.updateValue(entry, forKey: entry.score.id) == nil { order.append(entry.score.id) }
    }
}

/// What a movement may be bound to: music that the server can follow.
package struct LibraryPiece: Equatable, Sendable, Codable {
    /// Folder of the recordings and the models.
    package var piece: String
    package var name: String
    /// The lowest and the highest number printed over a measure, as `[0, 104]`; nil where they are not known.
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

    /// Pieces of a folder of recordings, by name.
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

    /// As the first of its recordings numbers them.
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
    /// The lowest and the highest printed number; nil where there is no measure.
    package static func numbers(of marks: [MeasureMark]) -> ClosedRange<Int>? {
        guard let low = marks.map(\.printed).min(), let high = marks.map(\.printed).max() else { return nil }
        return low...high
    }
}
