import NetworkLinks

/// The retained MQTT topics of the audience's stream: `baton/NAME/audience/SECTION`, each with a ``RelayMessage``.
struct RelayTopics: Equatable, Sendable {
    /// The name of the concert's server in the topics, in the place of NAME.
    let serverName: String

    /// The sections of the audience's stream that relays repeat.
    static let sections = ["live", "message", "title", "people", "content"]

    func sectionTopic(_ section: String) -> String { MQTTTopics.makeTopic(serverName, "audience/\(section)") }

    /// A topic filter for all sections.
    var allSectionsFilter: String { sectionTopic("+") }

    /// The topic that holds 1 while the concert's server is connected to the broker; the broker sets it to 0 if the
    /// server dies.
    var serverOnlineTopic: String { MQTTTopics.makeTopic(serverName, "online") }
}
