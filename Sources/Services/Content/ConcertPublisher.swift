import Catalogue
import Score
import Synchronization
import WebServer

/// The concert that listeners get now, and their live stream. Callable on any thread.
package final class ConcertPublisher: Sendable {
    /// The limits on connected listeners. The total exceeds the seats of the largest hall; each connection costs some
    /// kilobytes. A whole audience may share one network address, but two addresses cannot take all connections.
    package static let listenerQuota = ResourceQuota.Limits(
        total: 6_000, reserve: 100, perAddress: 2_500, perAccount: 64)

    /// The asset store with the files of all concerts.
    package let assetStore: AssetStore
    /// The audience's live stream.
    package let audienceEventHub = EventHub(ConcertPublisher.listenerQuota)
    private let publishedConcert = Mutex<PublishedConcert?>(nil)
    private let secret = Mutex<(names: Set<PieceName>, change: Int)>(([], 0))
    private let onChange = Mutex<(@Sendable () -> Void)?>(nil)

    package init(assetStore: AssetStore) {
        self.assetStore = assetStore
        audienceEventHub.setStateSectionForNewListeners("content", Array("null".utf8))
    }

    /// The concert that listeners get now; nil if there is none. Reading it does not wait.
    package var servedConcert: PublishedConcert? { publishedConcert.withLock { $0 } }

    /// Sets the action that is called after the published concert has changed.
    package func setChangeAction(_ action: @escaping @Sendable () -> Void) {
        onChange.withLock { $0 = action }
    }

    /// Publishes a concert to listeners unless they have a newer revision of it.
    /// - Parameter anew: true to publish the concert even if listeners seem to have it, because after a takeover
    ///   another concert may have the same number.
    package func publishConcert(_ id: Int64, _ tree: ConcertTree, anew: Bool = false) {
        let old = servedConcert
        // Another task may have published a newer revision in the meantime.
        if !anew, let old, old.id == id, old.catalogueConcert.contentTree.revision >= tree.revision { return }
        let new = PublishedConcert(
            id, tree, shelf: assetStore, secret: secret.withLock { $0 }, after: old)
        publishedConcert.withLock { $0 = new }
        guard old.map({ !new.hasSameContent(as: $0) }) ?? true else { return }
        // Listeners who had another concert must load all pieces.
        let changed =
            old.map {
                $0.id == id ? new.changedPieceNames(since: $0) : Array(new.audiencePiecesByName.keys.sorted())
            } ?? []
        audienceEventHub.publishStateSection(
            "content",
            AudienceConcert.encodeJSON(
                AudienceContentSection(
                    revision: new.revision, pieces: changed, versions: new.separateAudienceDocuments?.versions
                )))
        onChange.withLock { $0 }?()
    }

    /// Leaves pieces out of whichever concert is published: encores that were not played yet.
    package func keepSecret(_ names: Set<PieceName>) {
        let isNews = secret.withLock { secret in
            guard secret.names != names else { return false }
            secret = (names, secret.change + 1)
            return true
        }
        guard isNews, let served = servedConcert else { return }
        publishConcert(served.id, served.catalogueConcert.contentTree, anew: true)
    }

    /// Publishes that there is no concert. Listeners who come get none; open pages keep what they have loaded.
    package func withdrawConcert() {
        let had = publishedConcert.withLock { published in
            defer { published = nil }
            return published != nil
        }
        guard had else { return }
        audienceEventHub.publishStateSection("content", Array("null".utf8))
        onChange.withLock { $0 }?()
    }
}

/// The section `content` of the audience's live stream.
package struct AudienceContentSection: Encodable {
    package var revision: String
    /// The names of the pieces that changed with this revision.
    package var pieces: [String]
    /// The versions of all parts of the concert; nil if it is not served in parts.
    package var versions: AudienceConcertDocuments.Versions?

    package init(revision: String, pieces: [String], versions: AudienceConcertDocuments.Versions?) {
        self.revision = revision
        self.pieces = pieces
        self.versions = versions
    }
}
