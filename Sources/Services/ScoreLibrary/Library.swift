import Catalogue
import Foundation
import Hosting
import Podium
import Rehearsal
import Score
import ScoreFiles
import ScorePages
import Synchronization

/// Holds all scores, their pages, and the users' rights to them.
///
/// All scores are in memory; a change is written to disk before anybody sees it.
package actor Library: ScoreLookup {
    package nonisolated let catalogue: CatalogueStore
    /// Stores the files of PDFs and of engraved pages, named by digest.
    package nonisolated let assetStore: AssetStore
    package nonisolated let pageImages: PageImageProvider
    /// Margins and angles that were found on pages.
    nonisolated let pageFindings: PageFindingStore
    /// Refuses to write page images and prints when disk space runs short.
    var diskReserve: DiskReserve
    nonisolated let tools: ExternalPageTools
    /// The pieces to which movements may be bound: tonight's, then the others that have recordings. Each call reads the
    /// folder of recordings, because pieces are prepared while the server runs.
    package nonisolated var followablePieces: [FollowablePiece] {
        let tonight = tonightsPieces.withLock { $0 }
        let known = Set(tonight.map(\.piece))
        let recorded = recordingsFolder.map { FollowablePiece.listPieces(in: $0) } ?? []
        return tonight + recorded.filter { !known.contains($0.piece) }
    }

    private nonisolated let tonightsPieces: Mutex<[FollowablePiece]>
    /// Folder of recordings beside the movements; nil if the server has none.
    nonisolated let recordingsFolder: String?
    nonisolated let dataFolder: String
    /// Folder of printed parts that wait for download.
    nonisolated let printFolder: String
    /// Ids of scores that have a new revision. Only one consumer may read the stream.
    package nonisolated let changedScores: AsyncStream<Rehearsal.Score.ID>
    private let changedScoreSender: AsyncStream<Rehearsal.Score.ID>.Continuation
    private var entries: [Rehearsal.Score.ID: LibraryEntry] = [:]
    private var scoreOrder: [Rehearsal.Score.ID] = []
    var importLog = ImportLog()
    var pendingEngravings = 0
    var runningPDFInspections = 0
    var runningPrintings = 0
    var lastEngravingTask: Task<Void, Never>?
    var waitingWritings = 0
    var lastWritingTask: Task<[RewrittenPageMap], any Error>?
    /// The task that deletes the newest print when its lifetime is over.
    var lastPrintRemovalTask: Task<Void, Never>?
    let printLifetime: Duration

    /// - Parameters:
    ///   - data: the server's data folder.
    ///   - pieces: the pieces of tonight's programme, that movements may be bound to.
    ///   - recordings: the folder of recordings, for the sound beside a score and for further pieces.
    ///
    /// `printLifetime` is the time for which a printed part can be downloaded.
    package init(
        catalogue: CatalogueStore, data: String, pieces: [FollowablePiece] = [],
        recordings: String? = nil,
        tools: ExternalPageTools = .findTools(),
        printLifetime: Duration = .seconds(60)
    ) throws(CatalogueError) {
        (changedScores, changedScoreSender) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_000))
        self.catalogue = catalogue
        tonightsPieces = Mutex(pieces)
        recordingsFolder = recordings
        self.tools = tools
        let folder = URL(fileURLWithPath: data).path
        assetStore = try AssetStore(folder: folder + "/scores")
        let reserve = DiskReserve(folder: folder)
        self.diskReserve = reserve
        pageImages = PageImageProvider(
            cacheFolder: folder + "/score-images", tools: tools,
            hasRoom: { reserve.refusal(adding: $0) == nil })
        pageFindings = PageFindingStore(
            folder: folder + "/score-findings", tools: tools, hasRoom: { reserve.refusal(adding: $0) == nil })
        dataFolder = folder
        printFolder = folder + "/score-prints"
        self.printLifetime = printLifetime
    }

    /// Opens the library at start-up: reads the catalogue and imports scores shipped with the recordings.
    /// - Parameters:
    ///   - resumesImports: false if another server may be working on the unfinished imports.
    ///   - say: prints a sentence for the operator.
    package static func open(
        catalogue: CatalogueStore, data: String, recordings: String?, programme: [FollowablePiece],
        resumesImports: Bool = true, say: (String) -> Void
    ) async throws -> Library {
        let library = try Library(
            catalogue: catalogue, data: data, pieces: programme,
            recordings: recordings)
        library.removeLeftoverPrints()
        library.removeLeftoverWrittenParts()
        for note in try await library.readScores() { say(note + "\n") }
        if resumesImports {
            try await catalogue.emptyScoreBin()
            for note in await library.completeMissingMusic() { say(note + "\n") }
            for note in await library.resumeImports() { say(note + "\n") }
        }
        if let recordings {
            for note in await library.importShippedScores(from: recordings) { say(note + "\n") }
        }
        return library
    }

    /// Replaces the pieces of tonight's programme, which has changed.
    package nonisolated func setTonightsPieces(_ pieces: [FollowablePiece]) {
        tonightsPieces.withLock { $0 = pieces }
    }

    /// Reads all scores from the catalogue.
    /// - Returns: a sentence for each score that cannot be read.
    package func readScores() async throws -> [String] {
        let found = try await readStoredEntries()
        for entry in found.entries { cacheEntry(entry) }
        return found.notes
    }

    private func readStoredEntries() async throws -> (entries: [LibraryEntry], notes: [String]) {
        let stored: [StoredScore]
        stored = try await catalogue.scores()
        var (entries, notes): ([LibraryEntry], [String]) = ([], [])
        for row in stored {
            if let entry = LibraryEntry(row, folder: assetStore.folder) {
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
    package func rereadScores() async {
        guard let found = try? await readStoredEntries() else { return }
        (entries, scoreOrder) = ([:], [])
        for entry in found.entries { cacheEntry(entry) }
    }

    // MARK: Queries of the rooms

    package func findScore(_ id: Rehearsal.Score.ID) -> Rehearsal.Score? { entries[id]?.score }

    package func pagesRevisionTag(of score: Rehearsal.Score.ID) -> String? {
        entries[score].map { String($0.revision) }
    }

    package func isScoreGranted(
        _ user: Rehearsal.User.ID, _ score: Rehearsal.Score.ID
    ) async throws(CatalogueError) -> Bool {
        guard entries[score] != nil else { return false }
        if user == RehearsalRoomUser.idWithoutSignIn { return true }
        return try await catalogue.hasScoreGrant(
            AccountID(rawValue: user.description), score: score.description)
    }

    package func listGrantedScores(of user: Rehearsal.User.ID?) async throws(CatalogueError) -> [Rehearsal
        .Score]
    {
        guard let user, user != RehearsalRoomUser.idWithoutSignIn else { return allEntries.map(\.score) }
        let given = try await catalogue.scores(givenTo: AccountID(rawValue: user.description))
        return allEntries.map(\.score).filter { given.contains($0.id.description) }
    }

    package func listGrantedScoreIDs(
        of user: Rehearsal.User.ID
    ) async throws(CatalogueError) -> Set<Rehearsal.Score.ID> {
        guard user != RehearsalRoomUser.idWithoutSignIn else { return Set(entries.keys) }
        let given = try await catalogue.scores(givenTo: AccountID(rawValue: user.description))
        return Set(given.lazy.compactMap { Rehearsal.Score.ID($0) }.filter { self.entries[$0] != nil })
    }

    // MARK: Entries

    package var allEntries: [LibraryEntry] { scoreOrder.compactMap { entries[$0] } }

    package func entry(_ id: Rehearsal.Score.ID) throws -> LibraryEntry {
        guard let entry = entries[id] else { throw LibraryRefusal.noSuchScore }
        return entry
    }

    /// Stores a new score.
    /// - Parameter finished: id of the import that delivered the score; it is deleted in the same transaction.
    package func addEntry(_ entry: LibraryEntry, finishing finished: String? = nil) async throws {
        let stored = try entry.makeStoredScore()
        try await catalogue.addScore(stored, finishing: finished)
        cacheEntry(entry)
    }

    /// Stores the next revision of a score.
    /// - Parameter finished: id of the import that delivered its last part; it is deleted in the same transaction.
    package func storeRevision(_ entry: LibraryEntry, finishing finished: String? = nil)
        async throws
    {
        let stored = try entry.makeStoredScore()
        try await catalogue.changeScore(stored, finishing: finished)
        cacheEntry(entry)
        changedScoreSender.yield(entry.score.id)
    }

    /// A score lies in the bin now.
    func forgetEntry(_ id: Rehearsal.Score.ID) {
        entries[id] = nil
        scoreOrder.removeAll { $0 == id }
    }

    /// A score was taken out of the bin.
    func recallEntry(_ entry: LibraryEntry) {
        cacheEntry(entry)
        changedScoreSender.yield(entry.score.id)
    }

    private func cacheEntry(_ entry: LibraryEntry) {
        // A slow write must not replace a newer revision in memory.
        if let now = entries[entry.score.id], now.revision > entry.revision { return }
        if entries.updateValue(entry, forKey: entry.score.id) == nil { scoreOrder.append(entry.score.id) }
    }
}

/// A piece that the server can follow; movements of scores may be bound to it.
package struct FollowablePiece: Equatable, Sendable, Codable {
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

    package var measureNumbers: ClosedRange<Int>? {
        guard let measures, measures.count == 2, measures[0] <= measures[1] else { return nil }
        return measures[0]...measures[1]
    }

    /// Lists the pieces of a programme.
    package static func pieces(of programme: ShowProgramme) -> [FollowablePiece] {
        guard !programme.isEmpty else { return [] }
        return programme.pieces.map {
            FollowablePiece(
                piece: $0.folder, name: $0.name.text,
                numbers: MeasureMap.printedNumberRange(of: $0.measures.marks))
        }
    }

    /// Lists all pieces in a folder of recordings, sorted by the names of their folders.
    package static func listPieces(in recordings: String) -> [FollowablePiece] {
        struct Named: Decodable { var name: String }
        let folders = ((try? FileManager.default.contentsOfDirectory(atPath: recordings)) ?? []).sorted()
        return folders.compactMap { folder in
            guard let bytes = FileManager.default.contents(atPath: "\(recordings)/\(folder)/piece.json"),
                let named = try? JSONDecoder().decode(Named.self, from: bytes)
            else { return nil }
            return FollowablePiece(
                piece: folder, name: named.name,
                numbers: findMeasureNumbers(ofRecordings: "\(recordings)/\(folder)"))
        }
    }

    /// Finds the range of printed measure numbers in the first recording that has measure times.
    private static func findMeasureNumbers(ofRecordings folder: String) -> ClosedRange<Int>? {
        let recordings = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        for recording in recordings {
            let path = "\(folder)/\(recording)/measures.csv"
            guard FileManager.default.fileExists(atPath: path),
                let times = try? MeasureTimesFileReader.read(path: path)
            else { continue }
            return MeasureMap.printedNumberRange(of: times.marks)
        }
        return nil
    }
}

extension MeasureMap {
    /// Finds the lowest and the highest printed number; nil if there is no measure.
    package static func printedNumberRange(of marks: [PlayedMeasure]) -> ClosedRange<Int>? {
        guard let low = marks.map(\.printed).min(), let high = marks.map(\.printed).max() else { return nil }
        return low...high
    }
}
