import MessageBroker

/// MQTT topics under which the audience's stream and files are published, as retained messages below
/// `baton/NAME/audience`.
///
/// | topic | payload |
/// |---|---|
/// | `live`, `message` | the sections of the audience's stream, JSON |
/// | `files` | `RelayManifest`: the list of files and their revision |
/// | `file/SLOT/N` | part N of a file, see `RelayFileParts` |
struct RelayTopics: Equatable, Sendable {
    /// The name of the concert's server in the topics, in the place of NAME.
    package let name: String

    /// The sections of the audience's stream that are published unchanged.
    static let sections = ["live", "message"]

    func section(_ section: String) -> String { BrokerTopics.topic(name, "audience/\(section)") }

    var manifest: String { BrokerTopics.topic(name, "audience/files") }

    func part(_ number: Int, of slot: String) -> String {
        BrokerTopics.topic(name, "audience/file/\(slot)/\(number)")
    }

    /// A topic filter for all parts of a file.
    func parts(of slot: String) -> String { BrokerTopics.topic(name, "audience/file/\(slot)/+") }

    /// The topic that holds 1 while the concert's server is connected to the broker; the broker sets it to 0 if the
    /// server dies.
    var serverOnline: String { BrokerTopics.topic(name, "online") }
}
