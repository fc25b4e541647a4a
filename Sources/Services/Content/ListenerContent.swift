import Catalogue
import Synchronization
import WebServer

/// What listeners find now, and their live stream. Any thread.
package final class ListenerContent: Sendable {
    /// More listeners than the largest hall has seats on phones; each costs some kilobytes. A whole audience may
    /// stand behind one address, but two addresses do not hold everything.
    package static let shares = ResourceQuota.Shares(
        total: 6_000, reserve: 100, perAddress: 2_500, perAccount: 64)

    /// Files by their digests.
    package let shelf: AssetStore
    /// The audience's live stream.
    package let hub = EventHub(ListenerContent.shares)
    private let newest = Mutex<ContentServed?>(nil)
    private let onChange = Mutex<(@Sendable () -> Void)?>(nil)

    package init(shelf: AssetStore) {
        self.shelf = shelf
        hub.keep("content", Array("null".utf8))
    }

    /// What listeners find; nil while there is no concert. At once.
    package var served: ContentServed? { newest.withLock { $0 } }

    /// Registers the one who is called after what listeners find has changed.
    package func whenChanged(_ action: @escaping @Sendable () -> Void) { onChange.withLock { $0 = action } }

    /// Shows a concert to listeners, unless they find a newer state of it.
    /// - Parameter anew: true shows it whatever is shown now: another server's concert may have the same number.
    package func show(_ id: Int64, _ tree: ContentTree, anew: Bool = false) {
        let old = served
        // Another task may have been quicker.
        if !anew, let old, old.id == id, old.document.tree.revision >= tree.revision { return }
        let new = ContentServed(id, tree, shelf: shelf, after: old)
        newest.withLock { $0 = new }
        guard old.map({ !new.isSame(as: $0) }) ?? true else { return }
        // All pieces are new to whoever had another concert.
        let changed = old.map { $0.id == id ? new.changed(since: $0) : Array(new.pieces.keys.sorted()) } ?? []
        hub.publish(
            "content",
            AudienceConcert.json(
                AudienceContent(
                    revision: new.revision, pieces: changed, versions: new.parts?.versions)))
        onChange.withLock { $0 }?()
    }
}

/// The audience's section `content`.
package struct AudienceContent: Encodable {
    package var revision: String
    /// Names of the pieces that changed with it.
    package var pieces: [String]
    /// Of all parts of the concert; nil where it is not served in parts.
    package var versions: AudienceParts.Versions?

    package init(revision: String, pieces: [String], versions: AudienceParts.Versions?) {
        self.revision = revision
        self.pieces = pieces
        self.versions = versions
    }
}
