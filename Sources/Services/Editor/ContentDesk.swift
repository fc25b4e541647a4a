import Catalogue
import Concert
import Content
import Digests
import Foundation
import Score
import Synchronization
import WebServer

/// The content of tonight's concert: reads and edits the catalogue, and tells listeners and editors what changed.
package actor ContentDesk {
    static let editorStreams = ResourceQuota.Shares(total: 200, reserve: 40, perAddress: 100, perAccount: 16)

    package nonisolated let catalogue: CatalogueStore
    /// Where listeners get what is published here.
    package nonisolated let listeners: ListenerContent
    /// Where recordings lie, for the editors' preview; nil where there are none.
    package nonisolated let recordings: String?
    /// Of the prepared models, which know the measures that are followed; nil where there are none.
    package nonisolated let models: String?
    /// The editors' stream: who changed what.
    package nonisolated let editors = EventHub(ContentDesk.editorStreams)
    /// ZIPs of whole concerts are packed and read one at a time.
    nonisolated let zips = OneAtATime()
    /// What listeners find may be another server's concert of before: it is read again until that succeeds.
    private var isStale = false
    private nonisolated let followed = Mutex<[ContentStart.Reference]>([])
    /// True under show lock: listeners then keep the concert they find; its texts may still be corrected.
    nonisolated let isShowLocked: @Sendable () -> Bool

    /// - Parameters:
    ///   - data: the server's data folder; assets lie in `assets` below it.
    ///   - isShowLocked: asked before listeners get another concert.
    package init(
        catalogue: CatalogueStore, data: String, recordings: String?, models: String? = nil,
        isShowLocked: @escaping @Sendable () -> Bool = { false }
    ) throws(CatalogueError) {
        self.isShowLocked = isShowLocked
        self.catalogue = catalogue
        self.recordings = recordings
        self.models = models
        listeners = ListenerContent(shelf: try AssetStore(folder: data + "/assets"))
    }

    /// What listeners find now; nil while there is no concert. Any thread, at once.
    package nonisolated var served: ContentServed? { listeners.served }

    package nonisolated var shelf: AssetStore { listeners.shelf }

    /// Tonight's programme as it is followed, against which content is checked.
    package nonisolated func follow(_ references: [ContentStart.Reference]) {
        followed.withLock { $0 = references }
    }

    /// Where the maps of a concert do not fit the measures that are followed tonight, in the concert's order.
    package nonisolated func mapFindings(in concert: ConcertContent) -> [ContentFinding] {
        let references = followed.withLock { $0 }
        return concert.pieces.enumerated().flatMap { index, piece in
            let reference = references.first { $0.name == piece.name }
            return ContentCheck.followedFindings(piece, at: index, followed: reference?.measures.marks ?? [])
        }
    }

    /// The same of what listeners find now; for the console and the check before the show.
    nonisolated var servedMapFindings: [ContentFinding] {
        served.map { mapFindings(in: $0.document.concert) } ?? []
    }

    /// Looks whether what listeners should find is newer than what they find.
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
        listeners.show(wanted.concert, try await catalogue.content(of: wanted.concert))
    }

    /// Brings changes of other programs (`baton content import`) to the listeners. Until the task is cancelled.
    package func watch() async {
        while !Task.isCancelled {
            // A catalogue that cannot be read now is tried again; what listeners have stays meanwhile.
            if isStale { await reread() }
            do throws(ContentFault) { try await refresh() } catch {}
            try? await Task.sleep(for: .seconds(2))
        }
    }

    /// Shows what is on the disk, whatever was shown before: another server's concert may have the same number.
    package func reread() async {
        isStale = true
        do throws(ContentFault) {
            let wanted: (concert: Int64, revision: Int)?
            do throws(CatalogueError) { wanted = try await catalogue.servedRevision() } catch {
                throw .catalogue(error)
            }
            if let wanted {
                listeners.show(wanted.concert, try await catalogue.content(of: wanted.concert), anew: true)
            }
            isStale = false
        } catch {
            // What cannot be read now is looked for again; listeners keep what they have.
        }
    }

    package func close() {
        listeners.hub.close()
        editors.close()
    }

    // MARK: Editing

    /// What an editor did: kept, shown to listeners where they see that concert, told to the other editors.
    package func edit(_ id: Int64, _ edit: ContentEdit) async throws(ContentFault) -> ContentEditResult {
        let outcome = try await catalogue.edit(id, edit, checking: ContentRules.fault)
        await tell(id, outcome, by: edit.author, edit.label)
        return outcome
    }

    /// - Parameter stuck: an edit that could not be taken back before: the one before it is.
    func undo(_ id: Int64, by author: String, passing stuck: Int?) async throws(ContentFault)
        -> ContentEditResult
    {
        let outcome = try await catalogue.undo(
            id, by: author, passing: stuck, checking: ContentRules.fault)
        await tell(id, outcome, by: author, "undo")
        return outcome
    }

    func redo(_ id: Int64, by author: String, passing stuck: Int?) async throws(ContentFault)
        -> ContentEditResult
    {
        let outcome = try await catalogue.redo(
            id, by: author, passing: stuck, checking: ContentRules.fault)
        await tell(id, outcome, by: author, "redo")
        return outcome
    }

    /// A concert, or one node of it, as it was at a revision.
    /// - Parameter seen: the newest revision its author knows of.
    func restore(
        _ id: Int64, revision: Int, node: ContentNodeID, seen: Int, by author: String, label: String
    ) async throws(ContentFault) -> ContentEditResult {
        let outcome = try await catalogue.restore(
            id, revision: revision, node: node, seen: seen, by: author, label: label,
            checking: ContentRules.fault)
        await tell(id, outcome, by: author, label)
        return outcome
    }

    /// Makes a concert of its own.
    package func make(
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

    private func tell(_ id: Int64, _ outcome: ContentEditResult, by author: String, _ label: String) async {
        guard outcome.hasChanged else { return }
        if served?.id == id { listeners.show(id, outcome.tree) }
        let notice = EditorNotice(concert: id, revision: outcome.tree.revision, author: author, label: label)
        editors.pass("edit", AudienceConcert.json(notice))
    }

    /// Keeps bytes that were checked.
    package nonisolated func keep(
        _ bytes: [UInt8], as name: AssetName, in place: ContentAsset.Place, _ kind: ContentAssetKind
    )
        throws(CatalogueError) -> ContentAsset
    {
        let digest = Digest(of: bytes).description
        try shelf.keep(bytes, digest: digest)
        return ContentAsset(
            place: place, name: name, digest: digest, type: kind.type, byteCount: bytes.count)
    }
}

/// What editors are told of each other.
struct EditorNotice: Encodable {
    var concert: Int64
    var revision: Int?
    var author: String
    var label: String
}
