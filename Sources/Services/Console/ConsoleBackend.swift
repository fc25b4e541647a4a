import WebServer

/// The console's access to the show. The implementation encodes the bodies.
package protocol ConsoleBackend: Sendable {
    /// Executes a command and answers when it is on the disk: 200 `{"ok":true,"epoch":"1.5"}`, or a refusal.
    func command(_ order: CommandRequest, by person: WebPerson) async -> WebResponse

    /// The cue list of a piece.
    /// - Parameter piece: counts from 0.
    func cues(piece: Int, asCSV: Bool) async -> WebResponse

    /// Replaces the cue list of a piece.
    func setCues(piece: Int, _ body: [UInt8], asCSV: Bool, by person: WebPerson) async -> WebResponse

    /// Begins the check before a show; its progress is published in the section `check`.
    func startCheck(by person: WebPerson) async -> WebResponse

    /// The report about the show so far, for the report page.
    func report() async -> WebResponse

    /// Tells a load balancer or monitor whether this server works: 200, or 503 with a sentence. Needs no sign-in.
    func health() async -> WebResponse
}

/// A command as words, not parsed yet.
package struct CommandRequest: Equatable, Sendable {
    package let name: String
    package let arguments: [String]
    /// The epoch that its sender saw, for example “1.4”.
    package let epoch: String?

    package init(name: String, arguments: [String] = [], epoch: String? = nil) {
        self.name = name
        self.arguments = arguments
        self.epoch = epoch
    }

    /// Name and arguments.
    package var words: [String] { [name] + arguments }
}

extension CommandRequest: Decodable {
    private enum Key: String, CodingKey { case command, arguments, epoch }

    /// A text, or another plain JSON value converted to text.
    private struct Word: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let flag = try? value.decode(Bool.self) {
                text = flag ? "on" : "off"
            } else if let number = try? value.decode(Int.self) {
                text = String(number)
            } else if let number = try? value.decode(Double.self) {
                text = String(number)
            } else {
                text = try value.decode(String.self)
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        name = try fields.decode(String.self, forKey: .command)
        arguments = try fields.decodeIfPresent([Word].self, forKey: .arguments)?.map(\.text) ?? []
        epoch = try fields.decodeIfPresent(String.self, forKey: .epoch)
    }
}
