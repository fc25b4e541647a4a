import NetworkLinks

/// MQTT topics under which the audience's stream and files are published, as retained messages below
/// `baton/NAME/audience`.
///
/// | topic | payload |
/// |---|---|
/// | `live`, `message`, `title`, `people` | the sections of the audience's stream, JSON |
/// | `files` | `RelayManifest`: the list of files and their revision |
/// | `file/SLOT/N` | part N of a file, see `RelayFileParts` |
struct RelayTopics: Equatable, Sendable {
    /// The name of the concert's server in the topics, in the place of NAME.
    package let serverName: String

    /// The sections of the audience's stream that are published unchanged.
    static let relayedSections = ["live", "message", "title", "people"]

    func sectionTopic(_ section: String) -> String { MQTTTopics.makeTopic(serverName, "audience/\(section)") }

    var manifestTopic: String { MQTTTopics.makeTopic(serverName, "audience/files") }

    func partTopic(_ number: Int, of slot: String) -> String {
        MQTTTopics.makeTopic(serverName, "audience/file/\(slot)/\(number)")
    }

    /// A topic filter for all parts of a file.
    func allPartsTopicFilter(of slot: String) -> String {
        MQTTTopics.makeTopic(serverName, "audience/file/\(slot)/+")
    }

    /// The topic that holds 1 while the concert's server is connected to the broker; the broker sets it to 0 if the
    /// server dies.
    var serverOnlineTopic: String { MQTTTopics.makeTopic(serverName, "online") }
}
