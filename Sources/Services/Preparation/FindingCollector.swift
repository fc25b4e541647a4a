import Hosting
import MusicalTime
import ReferenceStore
import ScoreFiles
import SoundFiles

/// Collects errors, warnings and notes about a recording and its measures.
struct FindingCollector {
    /// Level of the lowest bit of a 16-bit recording, in dBFS.
    private static let silenceDecibels = -90.0

    private let console: PreparationConsole
    /// Warnings and notes that were found; they have been printed already.
    private(set) var findings: [String] = []
    private var errors: [String] = []

    init(console: PreparationConsole) { self.console = console }

    mutating func add(_ severity: MeasureFinding.Severity, _ sentence: String) {
        guard severity != .error else {
            errors.append(sentence)
            return
        }
        console.say("\(severity.rawValue): \(sentence)")
        findings.append("\(severity.rawValue): \(sentence)")
    }

    mutating func addFindings(_ survey: AudioSurvey, channel: ChannelChoice, file: String) {
        let heard: Double =
            switch channel {
            case .mix: survey.mixRMSDecibels
            case .channel(let number):
                survey.channelRMSDecibels.indices.contains(number - 1)
                    ? survey.channelRMSDecibels[number - 1] : 0
            }
        if heard <= Self.silenceDecibels {
            add(
                .error,
                "\(file): there is nothing to hear in \(channel == .mix ? "it" : "channel \(channel)").")
        }
        if survey.duration.value > ModelFolder.longestSeconds {
            let error = ReferenceStoreError.tooLong(
                reference: file, seconds: survey.duration.value, limitSeconds: ModelFolder.longestSeconds)
            add(.error, error.sentence)
        }
        if let cutShort = survey.cutShort { add(.error, "\(file): \(cutShort)") }
        for finding in survey.findings where finding != survey.cutShort {
            add(.warning, "\(file): \(finding)")
        }
    }

    /// - Throws: all errors that were collected.
    func throwErrors() throws(PreparationError) {
        guard errors.isEmpty else { throw PreparationError(errors) }
    }
}
