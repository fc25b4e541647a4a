import Hosting
import WebServer

/// Answers the console's requests about the show: commands, cue lists, the pre-show check, the report.
package protocol ConsoleBackend: Sendable {
    /// Executes a command and responds once it is on disk: 200 with `{"ok":true,"epoch":"1.5"}`, or an error that says
    /// why it was refused.
    func executeCommand(_ order: CommandRequest, by person: WebPerson) async -> WebResponse

    /// Returns the cue list of a piece, as JSON or as CSV.
    /// - Parameter piece: the index of the piece, from 0.
    func respondWithCueList(piece: Int, asCSV: Bool) async -> WebResponse

    /// Replaces the cue list of a piece.
    /// - Parameter old: the fingerprint of the list to be replaced, the `ETag` of its answer; nil replaces whichever
    ///   there is.
    func replaceCueList(
        piece: Int, _ body: [UInt8], asCSV: Bool, replacing old: String?, by person: WebPerson
    )
        async -> WebResponse

    /// Returns the programme, the prepared pieces that can be added, and the catalogue's concerts.
    func respondWithProgramme() async -> WebResponse

    /// Changes the programme.
    func changeProgramme(to wanted: WantedProgramme, by person: WebPerson) async -> WebResponse

    /// Returns the evenings that are planned, and the earlier ones whose programme another one can have.
    func respondWithEvenings() async -> WebResponse

    /// Plans an evening or changes its plan; nil drops it.
    func planEvening(_ wanted: WantedEvening?, as id: String) async throws -> WebResponse

    /// Ends the evening and begins another one; nil for one that nobody has named yet.
    func beginEvening(_ wanted: WantedEvening?, by person: WebPerson) async -> WebResponse

    /// Returns the sound input and the devices that can be chosen.
    func respondWithSound() async -> WebResponse

    /// Changes to another sound device.
    func chooseSoundDevice(_ name: String, channel: Int?) async -> WebResponse

    /// Measures the silence of the hall for five seconds.
    func measureSilence() async -> WebResponse

    /// Starts the pre-show check, whose progress is published in the section `check`.
    func startPreShowCheck(by person: WebPerson) async -> WebResponse

    /// Returns the report about the show so far, for the report page.
    func currentShowReport() async -> WebResponse
    func earlierShowReport(_ show: String) async -> WebResponse

    /// Tells a load balancer or monitor whether this server works: 200, or 503 with a sentence. Needs no sign-in.
    func health() async -> WebResponse
}

/// A command as a client sent it: a name and arguments that are not parsed yet.
package struct CommandRequest: Equatable, Sendable {
    package let name: String
    package let arguments: [String]
    /// The epoch that the command's sender saw last, such as “1.4”; nil if the sender gave none.
    package let lastSeenEpoch: String?
    /// A text by which the page tells its device from others of the same account; nil if the sender gave none.
    package let device: String?
    /// The sender's name for this command. A command that comes again with the same id is not carried out again.
    package let id: String?

    package init(
        name: String, arguments: [String] = [], lastSeenEpoch: String? = nil, device: String? = nil,
        id: String? = nil
    ) {
        self.device = device
        self.name = name
        self.arguments = arguments
        self.lastSeenEpoch = lastSeenEpoch
        self.id = id
    }

    /// The command's name and its arguments.
    package var nameAndArguments: [String] { [name] + arguments }
}

extension CommandRequest: Decodable {
    private enum CodingKeys: String, CodingKey { case command, arguments, epoch, device, id }

    private static let longestDevice = 64

    /// An argument of a command: a JSON string, or a number or boolean converted to text.
    private struct CommandArgument: Decodable {
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
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        name = try fields.decode(String.self, forKey: .command)
        arguments = try fields.decodeIfPresent([CommandArgument].self, forKey: .arguments)?.map(\.text) ?? []
        lastSeenEpoch = try fields.decodeIfPresent(String.self, forKey: .epoch)
        device = try fields.decodeIfPresent(String.self, forKey: .device).map {
            String($0.prefix(Self.longestDevice))
        }
        id = try fields.decodeIfPresent(String.self, forKey: .id)
    }
}
