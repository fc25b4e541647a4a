import MessageBroker

/// Where the audience's side of a concert lies at the broker: retained topics below `baton/NAME/audience`.
///
/// | topic | payload |
/// |---|---|
/// | `live`, `message` | the sections of the audience's stream, JSON |
/// | `files` | `RelayManifest`: which files there are, and the revision they make up |
/// | `file/SLOT/N` | part N of a file, see `RelayParcel` |
struct RelayTopics: Equatable, Sendable {
    /// What stands in the place of NAME.
    let name: String

    /// The sections of the audience's stream that are carried as they are.
    static let sections = ["live", "message"]

    func section(_ section: String) -> String { BrokerTopics.topic(name, "audience/\(section)") }

    var manifest: String { BrokerTopics.topic(name, "audience/files") }

    func part(_ number: Int, of slot: String) -> String {
        BrokerTopics.topic(name, "audience/file/\(slot)/\(number)")
    }

    /// A filter: all parts of a file.
    func parts(of slot: String) -> String { BrokerTopics.topic(name, "audience/file/\(slot)/+") }

    /// 1 while the server that serves the concert reaches the broker, which sets it to 0 when the server dies.
    var server: String { BrokerTopics.topic(name, "online") }
}
