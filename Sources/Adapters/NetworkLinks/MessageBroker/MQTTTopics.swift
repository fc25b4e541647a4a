/// Makes and checks the MQTT topic names of this program: "baton/NAME/…".
public enum MQTTTopics {
    public static func makeTopic(_ name: String, _ leaf: String) -> String { "baton/\(name)/\(leaf)" }

    /// True if the text can be one level of a topic.
    public static func isTopicLevel(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy {
                !"/+#".unicodeScalars.contains($0) && $0.value > 0x20 && $0.value != 0x7F
            }
    }

    /// True if messages can be published to the topic: it has no wildcards and no control characters, and is not too
    /// long.
    static func isTopic(_ topic: String) -> Bool {
        (1...1_024).contains(topic.utf8.count)
            && topic.unicodeScalars.allSatisfy {
                $0 != "+" && $0 != "#" && $0.value >= 0x20 && $0.value != 0x7F
            }
    }
}
