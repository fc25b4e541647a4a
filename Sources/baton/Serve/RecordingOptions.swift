import ArgumentParser
import Composition
import Recordings

/// Options that choose whether the sound is recorded.
struct RecordingOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Record the sound of the evening. By default, what a device brings is recorded, and a file is not."
        ))
    var record: Bool?

    @Option(
        help: ArgumentHelp(
            "How many days recordings are kept, or 'forever'; older ones are deleted while the server runs.",
            valueName: "days"))
    var keepRecordings = RecordingRetention.standard

    /// The settings for an input.
    /// - Parameter isDevice: false for a file that is played.
    func settings(isDevice: Bool) -> ConcertServerSettings.RecordingSettings {
        var settings = ConcertServerSettings.RecordingSettings(offSentence: nil, retention: keepRecordings)
        switch record {
        case true: break
        case false: settings.offSentence = "Nothing is recorded: the server was started with --no-record."
        case nil where isDevice: break
        default:
            settings.offSentence =
                "Nothing is recorded: the sound comes from a file. Start the server with --record to record it."
        }
        return settings
    }
}

extension RecordingRetention: ExpressibleByArgument {
    public init?(argument: String) {
        if argument == "forever" {
            self = .forever
        } else {
            guard let days = Int(argument), (1...36_500).contains(days) else { return nil }
            self = .days(days)
        }
    }

    public var defaultValueDescription: String {
        switch self {
        case .forever: "forever"
        case .days(let count): "\(count)"
        }
    }
}
