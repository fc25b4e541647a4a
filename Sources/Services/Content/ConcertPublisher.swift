import Catalogue
import Synchronization
import WebServer

/// The concert that listeners get now, and their live stream. Callable on any thread.
package final class ConcertPublisher: Sendable {
    /// Limits of listeners: more than the largest hall has seats; each costs some kilobytes. A whole audience may
    /// share one network address, but two addresses cannot use up everything.
    package static let listenerQuota = ResourceQuota.Shares(
        total: 6_000, reserve: 100, perAddress: 2_500, perAccount: 64)

    /// Asset store with the files of all concerts.
    package let shelf: AssetStore
    /// The audience's live stream.
    package let hub = EventHub(ConcertPublisher.listenerQuota)
    private let newest = Mutex<PublishedConcert?>(nil)
    private let onChange = Mutex<(@Sendable () -> Void)?>(nil)

    package init(shelf: AssetStore) {
        self.shelf = shelf
        hub.keep("content", Array("null".utf8))
    }

    /// The concert that listeners get now; nil if there is none. Does not wait.
    package var served: PublishedConcert? { newest.withLock { $0 } }

    /// Sets the action that is called after the published concert has changed.
    package func setChangeAction(_ action: @escaping @Sendable () -> Void) {
        onChange.withLock { $0 = action }
    }

    /// Publishes a concert to listeners unless they have a newer revision of it.
    /// - Parameter anew: true publishes it in any case: after a takeover another concert may have the same number.
    package func publish(_ id: Int64, _ tree: ContentTree, anew: Bool = false) {
        let old = served
        // Another task may have published a newer revision in the meantime.
        if !anew, let old, old.id == id, old.document.tree.revision >= tree.revision { return }
        let new = PublishedConcert(id, tree, shelf: shelf, after: old)
        newest.withLock { $0 = new }
        guard old.map({ !new.isSame(as: $0) }) ?? true else { return }
        // Listeners who had another concert must load all pieces.
        let changed = old.map { $0.id == id ? new.changed(since: $0) : Array(new.pieces.keys.sorted()) } ?? []
        hub.publish(
            "content",
            AudienceConcert.json(
                AudienceContentSection(
                    revision: new.revision, pieces: changed, versions: new.parts?.versions)))
        onChange.withLock { $0 }?()
    }
}

/// Section `content` of the audience's stream.
package struct AudienceContentSection: Encodable {
    package var revision: String
    /// Names of the pieces that changed with this revision.
    package var pieces: [String]
    /// The versions of all parts of the concert; nil if it is not served in parts.
    package var versions: AudienceParts.Versions?

    package init(revision: String, pieces: [String], versions: AudienceParts.Versions?) {
        self.revision = revision
        self.pieces = pieces
        self.versions = versions
    }
}
