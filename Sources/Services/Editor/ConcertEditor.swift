import Basics
import Catalogue
import Concert
import Content
import Foundation
import Platform
import Score
import Synchronization
import WebServer

/// Reads and edits the concerts of the catalogue, and notifies listeners and editors of every change.
package actor ConcertEditor {
    static let editorStreamQuota = ResourceQuota.Limits(
        total: 200, reserve: 40, perAddress: 100, perAccount: 16)

    package nonisolated let catalogue: CatalogueStore
    /// Publishes the served concert to listeners.
    package nonisolated let publisher: ConcertPublisher
    /// The folder of recordings, for the editors' preview; nil if there are none.
    package nonisolated let recordingsFolderPath: String?
    /// The folder of prepared models, whose measures the follower uses; nil if there are none.
    package nonisolated let modelsFolderPath: String?
    /// The event stream of the editors' pages: each change, with its author.
    package nonisolated let editorEventHub = EventHub(ConcertEditor.editorStreamQuota)
    /// Allows only one ZIP at a time to be packed or unpacked.
    nonisolated let exclusiveZipTask = ExclusiveTask()
    /// True if the concert in memory may be from before a takeover. The concert is then read from disk; a failed
    /// reading is repeated.
    private var needsRepublishingFromDisk = false
    private nonisolated let followedReferences = Mutex<[InitialContent.FollowedReference]>([])
    /// Returns true while the show is locked. Listeners then keep their concert; its texts may still be corrected.
    nonisolated let isShowLocked: @Sendable () -> Bool

    /// Opens the asset store and creates the editor.
    /// - Parameter data: the server's data folder; images and documents are stored in its folder `assets`.
    package init(
        catalogue: CatalogueStore, data: String, recordings: String?, models: String? = nil,
        isShowLocked: @escaping @Sendable () -> Bool = { false }
    ) throws(CatalogueError) {
        self.isShowLocked = isShowLocked
        self.catalogue = catalogue
        self.recordingsFolderPath = recordings
        self.modelsFolderPath = models
        publisher = ConcertPublisher(assetStore: try AssetStore(folder: data + "/assets"))
    }

    /// The concert that listeners get now; nil if there is none. Callable on any thread, without waiting.
    package nonisolated var servedConcert: PublishedConcert? { publisher.servedConcert }

    package nonisolated var assetStore: AssetStore { publisher.assetStore }

    /// Sets the references of the programme that the follower uses; content is checked against their measures.
    package nonisolated func setFollowedReferences(_ references: [InitialContent.FollowedReference]) {
        followedReferences.withLock { $0 = references }
    }

    /// The names of the programme's pieces, as the follower knows them.
    nonisolated var followedNames: [PieceName] { followedReferences.withLock { $0.map(\.name) } }

    /// Finds the pieces of a concert whose measure maps differ from the measures that the follower uses, in the
    /// concert's order.
    package nonisolated func findMeasureMapDifferences(in concert: ConcertContent) -> [ContentFinding] {
        let references = followedReferences.withLock { $0 }
        return concert.pieces.enumerated().flatMap { index, piece in
            let reference = references.first { $0.name == piece.name }
            return ContentCheck.followedMeasureFindings(
                piece, at: index, followed: reference?.measures.marks ?? [])
        }
    }

    /// The findings about the served concert's measure maps, shown on the console and by the pre-show check.
    nonisolated var servedMeasureMapFindings: [ContentFinding] {
        servedConcert.map { findMeasureMapDifferences(in: $0.catalogueConcert.concert) } ?? []
    }

    /// Publishes the served concert if the catalogue holds a newer revision than listeners have.
    package func publishNewerRevision() async throws(ConcertEditFault) {
        let wanted: (concert: Int64, revision: Int)?
        do throws(CatalogueError) { wanted = try await catalogue.publicConcertRevision() } catch {
            throw .catalogue(error)
        }
        guard let wanted else {
            if !isShowLocked() { publisher.withdrawConcert() }
            return
        }
        if let now = servedConcert, now.id == wanted.concert,
            now.catalogueConcert.contentTree.revision >= wanted.revision
        {
            return
        }
        // Another program may have chosen another concert, which is published once the show is unlocked.
        if let now = servedConcert, now.id != wanted.concert, isShowLocked() { return }
        publishRevision(try await catalogue.concertContent(of: wanted.concert), of: wanted.concert)
    }

    /// Publishes changes made by other programs (`baton content import`), every two seconds until cancelled.
    package func watchForChanges() async {
        while !Task.isCancelled {
            // If the catalogue cannot be read now, listeners keep what they have until the next try.
            if needsRepublishingFromDisk { await republishFromDisk() }
            do throws(ConcertEditFault) { try await publishNewerRevision() } catch {}
            try? await Task.sleep(for: .seconds(2))
        }
    }

    /// Publishes the served concert from disk, whatever was published before, because after a takeover another concert
    /// may have the same number.
    package func republishFromDisk() async {
        needsRepublishingFromDisk = true
        do throws(ConcertEditFault) {
            let wanted: (concert: Int64, revision: Int)?
            do throws(CatalogueError) { wanted = try await catalogue.publicConcertRevision() } catch {
                throw .catalogue(error)
            }
            if let wanted {
                publisher.publishConcert(
                    wanted.concert, try await catalogue.concertContent(of: wanted.concert), anew: true)
            } else if !isShowLocked() {
                publisher.withdrawConcert()
            }
            needsRepublishingFromDisk = false
        } catch {
            // `watchForChanges()` tries again; until then listeners keep the present concert.
        }
    }

    package func closeEventHubs() {
        publisher.audienceEventHub.close()
        editorEventHub.close()
    }

    // MARK: Show lock

    /// Under show lock, listeners lose nothing of their concert, on whatever road a change comes: routes, undo,
    /// imports, another program that writes the catalogue.
    private nonisolated func findLockFault(
        _ id: Int64, _ before: ConcertTree, _ after: ConcertTree
    ) -> ConcertEditFault? {
        guard isShowLocked(), servedConcert?.id == id, !after.keepsAll(of: before) else { return nil }
        return .showLocked
    }

    /// Publishes a new revision of a concert, unless the show is locked and listeners would lose something of it. What
    /// another program has taken away is published once the show is unlocked.
    private func publishRevision(_ tree: ConcertTree, of id: Int64) {
        if let served = servedConcert, served.id == id,
            findLockFault(id, served.catalogueConcert.contentTree, tree) != nil
        {
            return
        }
        publisher.publishConcert(id, tree)
    }

    // MARK: Editing

    private nonisolated var checks: ConcertChecks {
        ConcertChecks(entry: ContentRules.findNodeFault, whole: findLockFault)
    }

    /// Stores an edit, publishes it if listeners have this concert, and notifies the other editors.
    package func edit(_ id: Int64, _ edit: ConcertEdit) async throws(ConcertEditFault) -> ConcertEditResult {
        let outcome = try await catalogue.editConcert(id, edit, checks)
        return await notifyEditors(id, outcome, by: edit.author, edit.label)
    }

    /// Undoes or redoes an edit of the concert.
    /// - Parameter stuck: the revision of an edit that could not be undone; the edit before it is undone instead.
    func undoOrRedo(
        _ id: Int64, by author: String, as step: ConcertHistoryEntry.HistoryStep, passing stuck: Int?
    ) async throws(ConcertEditFault) -> ConcertEditResult {
        let outcome = try await catalogue.undoOrRedoNewestEdit(
            id, by: author, as: step, passing: stuck, checks)
        return await notifyEditors(id, outcome, by: author, step.rawValue)
    }

    /// Restores a concert, or one node of it, to an earlier revision.
    /// - Parameter seen: the newest revision that the author has seen.
    func restore(
        _ id: Int64, revision: Int, node: ConcertNodeID, seen: Int, by author: String, label: String
    ) async throws(ConcertEditFault) -> ConcertEditResult {
        let outcome = try await catalogue.restoreRevision(
            id, revision: revision, node: node, seen: seen, by: author, label: label, checks)
        return await notifyEditors(id, outcome, by: author, label)
    }

    /// Creates a concert.
    /// - Parameter servesFirst: true to serve the concert at once if it is the only one.
    /// - Returns: the concert's number.
    package func createConcert(
        _ changes: [ConcertChange], by author: String, label: String, servesFirst: Bool = false
    ) async throws(ConcertEditFault) -> Int64 {
        let id = try await catalogue.makeConcert(
            changes, author: author, label: label, servesFirst: servesFirst, checks)
        try await publishNewerRevision()
        notifyOfConcerts(id, by: author, "made")
        return id
    }

    package func makeConcertPublic(_ id: Int64, by author: String) async throws(ConcertEditFault) {
        guard !isShowLocked() || servedConcert == nil || servedConcert?.id == id else { throw .showLocked }
        try await catalogue.makeConcertPublic(id)
        try await publishNewerRevision()
        notifyOfConcerts(id, by: author, "served")
    }

    /// Stops serving a concert: listeners who come find none.
    package func stopServing(_ id: Int64, by author: String) async throws(ConcertEditFault) {
        guard !isShowLocked() else { throw .showLocked }
        try await catalogue.makeNoConcertPublic()
        try await publishNewerRevision()
        notifyOfConcerts(id, by: author, "no longer served")
    }

    /// Removes a concert from the list of concerts.
    func removeConcert(_ id: Int64, by author: String) async throws(ConcertEditFault) {
        guard !isShowLocked() || servedConcert?.id != id else { throw .showLocked }
        try await catalogue.removeConcert(id)
        notifyOfConcerts(id, by: author, "removed")
    }

    /// Tells the editors' pages that the list of concerts, or the served one, has changed.
    private func notifyOfConcerts(_ id: Int64, by author: String, _ label: String) {
        editorEventHub.sendTransient(
            "concerts",
            AudienceConcert.encodeJSON(EditorNotice(concert: id, revision: nil, author: author, label: label))
        )
    }

    private func notifyEditors(
        _ id: Int64, _ outcome: ConcertEditResult, by author: String, _ label: String
    ) async -> ConcertEditResult {
        guard outcome.hasChanged else { return outcome }
        if servedConcert?.id == id { publishRevision(outcome.newestTree, of: id) }
        let notice = EditorNotice(
            concert: id, revision: outcome.newestTree.revision, author: author, label: label)
        editorEventHub.sendTransient("edit", AudienceConcert.encodeJSON(notice))
        return outcome
    }

    /// Makes of a checked file what is published (``AssetFileCheck``), and stores it.
    package nonisolated func prepareAndStore(
        _ file: AssetFileCheck.CheckedFile, as name: AssetName, in place: ContentAsset.Folder
    ) async throws -> ContentAsset {
        let (name, file) = try await AssetFileCheck.prepare(file, named: name, in: place)
        do throws(CatalogueError) {
            return try storeAsset(file.bytes, as: name, in: place, file.format)
        } catch {
            throw ExplainedError(error.sentenceWithoutPath)
        }
    }

    /// Stores the bytes of an image or document.
    package nonisolated func storeAsset(
        _ bytes: [UInt8], as name: AssetName, in place: ContentAsset.Folder, _ kind: AssetFileFormat
    )
        throws(CatalogueError) -> ContentAsset
    {
        let digest = Digest(of: bytes).description
        try assetStore.store(bytes, digest: digest)
        return ContentAsset(
            place: place, name: name, digest: digest, type: kind.mediaType, byteCount: bytes.count)
    }
}

/// The message to editors' pages about a change by another editor.
struct EditorNotice: Encodable {
    var concert: Int64
    var revision: Int?
    var author: String
    var label: String
}
