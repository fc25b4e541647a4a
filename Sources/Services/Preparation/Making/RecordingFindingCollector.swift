import Basics
import Hosting
import ReferenceStore
import ScoreFiles
import Sound

/// Collects errors, warnings and notes about a recording and its measures.
struct RecordingFindingCollector {
    /// Level at or below which a recording counts as silent, in dBFS: the lowest bit of 16-bit sound.
    private static let silenceDecibels = -90.0

    /// A recording with fewer samples per second, such as a telephone's memo, lacks the highest of the bands that
    /// are compared.
    private static let leastSampleRate = 16_000.0

    private let console: any PreparationObserver
    /// Warnings and notes with their severity, already told to the observer.
    private(set) var findings: [String] = []
    /// The same as sentences, without severity.
    private(set) var sentences: [String] = []
    private var errors: [String] = []

    init(console: any PreparationObserver) { self.console = console }

    /// The warning about a recording with few samples a second; nil for other recordings.
    static func lowRateSentence(_ rate: SampleRate) -> String? {
        guard rate.hertz < leastSampleRate else { return nil }
        return
            "It has only \(Int(rate.hertz)) samples a second, like a voice memo: its bars are found less exactly. "
            + "Give a better recording if there is one."
    }

    mutating func add(_ severity: MeasureTimesFinding.Severity, _ sentence: String) {
        guard severity != .error else {
            errors.append(sentence)
            return
        }
        console.printLine("\(severity.rawValue): \(sentence)")
        findings.append("\(severity.rawValue): \(sentence)")
        sentences.append(sentence)
    }

    /// - Parameter file: the name that begins each sentence; nil for sentences without.
    mutating func addSurveyFindings(_ survey: RecordingQuality, channel: AudioChannelChoice, file: String?) {
        let file = file.map { "\($0): " } ?? ""
        let heard: Double =
            switch channel {
            case .meanOfAllChannels where survey.isHeardFromChannel1: survey.channelRMSDecibels[0]
            case .meanOfAllChannels: survey.mixRMSDecibels
            case .singleChannel(let number):
                survey.channelRMSDecibels.indices.contains(number - 1)
                    ? survey.channelRMSDecibels[number - 1] : 0
            }
        if heard <= Self.silenceDecibels {
            add(
                .error,
                "\(file)There is nothing to hear in \(channel == .meanOfAllChannels ? "it" : "channel \(channel)")."
            )
        }
        if let sentence = Self.lowRateSentence(survey.sampleRate) { add(.warning, file + sentence) }
        if survey.duration.value > ModelFolder.longestSeconds {
            let error = ReferenceStoreError.referenceTooLong(
                reference: file.isEmpty ? "The recording" : file, seconds: survey.duration.value,
                limitSeconds: ModelFolder.longestSeconds)
            add(.error, error.sentence)
        }
        if let cutShort = survey.truncationSentence { add(.error, file + cutShort) }
        for finding in survey.problemSentences where finding != survey.truncationSentence {
            add(.warning, file + finding)
        }
    }

    /// Ends the preparation if any error was collected.
    /// - Throws: ``PreparationError`` with all collected errors.
    func throwCollectedErrors() throws {
        guard errors.isEmpty else { throw PreparationError(errors) }
    }
}
