import Hosting

/// A server's state, which a screen must know before it shows that server's content; docs/console-api.md describes it.
///
/// A screen listens to both servers of a pair. It shows the content of the leading one. While it hears no leading
/// server, it shows the content of one that follows the leading one.
struct ScreenServer: Encodable, Equatable {
    /// True while this server leads the show.
    var leads: Bool
    /// True while this server says what the leading one says: it leads itself, or hears and copies the leading one.
    var isCurrent: Bool
    /// The term of the leading server; it rises with each takeover.
    var term: UInt32
    /// The address of the other server's pages; nil without one.
    @OrNull var other: String?

    init(_ snapshot: ShowEngineSnapshot, of pair: (any PairedServer)?) {
        leads = snapshot.isActiveServer
        isCurrent = leads || pair?.isFollowingActiveServer ?? false
        term = snapshot.state.epoch.term
        _other = OrNull(wrappedValue: pair?.otherServerAddress)
    }
}
