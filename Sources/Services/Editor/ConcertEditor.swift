import Catalogue
import Concert
import Content
import Digests
import Foundation
import Score
import Synchronization
import WebServer

/// Reads and edits the concerts of the catalogue, and notifies listeners and editors of every change.
package actor ConcertEditor {
    static let editorStreams = ResourceQuota.Shares(total: 200, reserve: 40, perAddress: 100, perAccount: 16)

    package nonisolated let catalogue: CatalogueStore
    /// Publishes the served concert to listeners.
    package nonisolated let listeners: ConcertPublisher
    /// Folder of recordings, for the editors' preview; nil if there are none.
    package nonisolated let recordings: String?
    /// Folder of prepared models; their measures are the ones that are followed. Nil if there are none.
    package nonisolated let models: String?
    /// Event stream of the editors' pages: each change, with its author.
    package nonisolated let editors = EventHub(ConcertEditor.editorStreams)
    /// Allows one packing or unpacking of a ZIP at a time.
    nonisolated let zipWork = ExclusiveTask()
    /// True if the concert in memory may come from before a takeover; it is read from disk again until that succeeds.
    private var isStale = false
    private nonisolated let followed = Mutex<[InitialContent.Reference]>([])
    /// True under show lock: listeners then keep the concert they find; its texts may still be corrected.
    nonisolated let isShowLocked: @Sendable () -> Bool

    /// - Parameter data: the server's data folder; images and documents are stored in its folder `assets`.
    package init(
        catalogue: CatalogueStore, data: String, recordings: String?, models: String? = nil,
        isShowLocked: @escaping @Sendable () -> Bool = { false }
    ) throws(CatalogueError) {
        self.isShowLocked = isShowLocked
        self.catalogue = catalogue
        self.recordings = recordings
        self.models = models
        listeners = ConcertPublisher(shelf: try AssetStore(folder: data + "/assets"))
    }

    /// The concert that listeners get now; nil if there is none. Callable on any thread, without waiting.
    package nonisolated var served: PublishedConcert? { listeners.served }

    package nonisolated var shelf: AssetStore { listeners.shelf }

    /// Sets the references of the programme that is followed; content is checked against their measures.
    package nonisolated func setFollowedReferences(_ references: [InitialContent.Reference]) {
        followed.withLock { $0 = references }
    }

    /// Findings about measure maps of a concert that differ from the measures that are followed, in the concert's
    /// order.
    package nonisolated func mapFindings(in concert: ConcertContent) -> [ContentFinding] {
        let references = followed.withLock { $0 }
        return concert.pieces.enumerated().flatMap { index, piece in
            let reference = references.first { $0.name == piece.name }
            return ContentCheck.followedFindings(piece, at: index, followed: reference?.measures.marks ?? [])
        }
    }

    /// The same findings for the served concert; shown on the console and by the pre-show check.
    nonisolated var servedMapFindings: [ContentFinding] {
        served.map { mapFindings(in: $0.document.concert) } ?? []
    }

    /// Publishes the served concert if the catalogue holds a newer revision than listeners have.
    package func refresh() async throws(ContentFault) {
        let wanted: (concert: Int64, revision: Int)?
        do throws(CatalogueError) { wanted = try await catalogue.servedRevision() } catch {
            throw .catalogue(error)
        }
        guard let wanted else { return }
        if let now = served, now.id == wanted.concert, now.document.tree.revision >= wanted.revision {
            return
        }
        // Another program may have chosen it; it is looked at again when the show is unlocked.
        if let now = served, now.id != wanted.concert, isShowLocked() { return }
        listeners.publish(wanted.concert, try await catalogue.content(of: wanted.concert))
    }

    /// Every two seconds until cancelled: publishes changes that other programs (`baton content import`) made.
    package func watchForChanges() async {
        while !Task.isCancelled {
            // If the catalogue cannot be read now, listeners keep what they have until the next try.
            if isStale { await republishFromDisk() }
            do throws(ContentFault) { try await refresh() } catch {}
            try? await Task.sleep(for: .seconds(2))
        }
    }

    /// Publishes what is on disk, whatever was published before: after a takeover another concert may have the same
    /// number.
    package func republishFromDisk() async {
        isStale = true
        do throws(ContentFault) {
            let wanted: (concert: Int64, revision: Int)?
            do throws(CatalogueError) { wanted = try await catalogue.servedRevision() } catch {
                throw .catalogue(error)
            }
            if let wanted {
                listeners.publish(wanted.concert, try await catalogue.content(of: wanted.concert), anew: true)
            }
            isStale = false
        } catch {
            // The next call of `watch` tries again; listeners keep the present concert.
        }
    }

    package func close() {
        listeners.hub.close()
        editors.close()
    }

    // MARK: Editing

    /// Stores an edit, publishes it if listeners have this concert, and notifies the other editors.
    package func edit(_ id: Int64, _ edit: ContentEdit) async throws(ContentFault) -> ContentEditResult {
        let outcome = try await catalogue.edit(id, edit, checking: ContentRules.fault)
        await notifyEditors(id, outcome, by: edit.author, edit.label)
        return outcome
    }

    /// - Parameter stuck: revision of an edit that could not be undone; the edit before it is undone instead.
    func undo(_ id: Int64, by author: String, passing stuck: Int?) async throws(ContentFault)
        -> ContentEditResult
    {
        let outcome = try await catalogue.undo(
            id, by: author, passing: stuck, checking: ContentRules.fault)
        await notifyEditors(id, outcome, by: author, "undo")
        return outcome
    }

    func redo(_ id: Int64, by author: String, passing stuck: Int?) async throws(ContentFault)
        -> ContentEditResult
    {
        let outcome = try await catalogue.redo(
            id, by: author, passing: stuck, checking: ContentRules.fault)
        await notifyEditors(id, outcome, by: author, "redo")
        return outcome
    }

    /// Restores a concert, or one node of it, to an earlier revision.
    /// - Parameter seen: the newest revision that the author has seen.
    func restore(
        _ id: Int64, revision: Int, node: ContentNodeID, seen: Int, by author: String, label: String
    ) async throws(ContentFault) -> ContentEditResult {
        let outcome = try await catalogue.restore(
            id, revision: revision, node: node, seen: seen, by: author, label: label,
            checking: ContentRules.fault)
        await notifyEditors(id, outcome, by: author, label)
        return outcome
    }

    /// Creates a concert.
    /// - Returns: its number.
    package func createConcert(
        _ changes: [ContentChange], by author: String, label: String
    ) async throws(ContentFault) -> Int64 {
        let id = try await catalogue.makeConcert(
            changes, author: author, label: label, checking: ContentRules.fault)
        try await refresh()
        editors.pass(
            "concerts",
            AudienceConcert.json(EditorNotice(concert: id, revision: nil, author: author, label: "made")))
        return id
    }

    package func serve(_ id: Int64, by author: String) async throws(ContentFault) {
        try await catalogue.serveConcert(id)
        try await refresh()
        editors.pass(
            "concerts",
            AudienceConcert.json(EditorNotice(concert: id, revision: nil, author: author, label: "served")))
    }

    private func notifyEditors(_ id: Int64, _ outcome: ContentEditResult, by author: String, _ label: String)
        async
    {
        guard outcome.hasChanged else { return }
        if served?.id == id { listeners.publish(id, outcome.tree) }
        let notice = EditorNotice(concert: id, revision: outcome.tree.revision, author: author, label: label)
        editors.pass("edit", AudienceConcert.json(notice))
    }

    /// Stores the bytes of an image or document that has been checked.
    package nonisolated func storeAsset(
        _ bytes: [UInt8], as name: AssetName, in place: ContentAsset.Folder, _ kind: ContentAssetKind
    )
        throws(CatalogueError) -> ContentAsset
    {
        let digest = Digest(of: bytes).description
        try shelf.keep(bytes, digest: digest)
        return ContentAsset(
            place: place, name: name, digest: digest, type: kind.type, byteCount: bytes.count)
    }
}

/// Message to the editors' pages about a change by another editor.
struct EditorNotice: Encodable {
    var concert: Int64
    var revision: Int?
    var author: String
    var label: String
}
