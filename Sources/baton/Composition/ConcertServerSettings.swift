import BackupLink
import protocol Diary.OutsideSource
import Following
import Foundation
import Performance
import Presenting
import Recordings
import TimeCode
import TimeCodeSending
import WebServer

/// The settings of a server that are chosen before it starts.
package struct ConcertServerSettings: Sendable {
    /// The data folder of a server if no other one is given.
    package static let defaultDataFolder = "Data"

    package var performanceSettings: PerformanceComponents.Settings
    package var webSettings: WebSettings
    /// The folder of prepared models.
    package var modelsFolder: String
    /// The secret shared by the two servers of a pair; nil for a single server.
    package var linkKey: BackupLinkKey?
    /// The name of this server in the topics of a broker.
    package var serverNameInTopics: String
    /// The length of the listening test in the pre-show check, in seconds.
    package var preShowListeningSeconds: Double
    /// The path of the true measure times, against which the report on the performance judges the follower; nil for no
    /// judgement.
    package var trueMeasureTimesPath: String?
    /// The reason why the sound device is not chosen on the console, as a sentence; nil if it is.
    package var soundFixedBecause: String?
    /// The recording of the sound: on or off, and the time for which recordings are kept.
    package var recordingSettings: RecordingSettings
    /// The port for speakers who show slides; nil if there is none.
    package var presentingSettings: PresentingSettings?
    /// The code with which speakers join on the page `/present`; nil if only people with an account may.
    package var speakersCode: SpeakersCode?
    /// True if listeners who are not in the hall may follow tonight's pieces by their phones' own microphones.
    package var listenersMayFollow = false
    /// The rate, the labels and the outputs of the time code; nothing is sent without an output.
    package var timeCode = TimeCodeSettings()
    package var film = FilmClock.settings
    /// The outside sources that people may ask from the diary.
    package var outsideSources: [any OutsideSource] = []
    /// Makes the follower of a programme that is changed while the server runs.
    package var makeFollower: ProgrammeChanger.FollowerMaker
    /// The program `baton`, which works on references in processes of its own.
    package var program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    package var makePacketSender: PacketSenderMaker

    /// Settings of the recorder.
    package struct RecordingSettings: Equatable, Sendable {
        /// The reason why nothing is recorded, as a sentence for people; nil if the sound is recorded.
        package var offSentence: String?
        package var retention: RecordingRetention

        package init(offSentence: String?, retention: RecordingRetention = .standard) {
            (self.offSentence, self.retention) = (offSentence, retention)
        }
    }

    /// A function that opens the sender of the packets to phones, or returns nil if no packets are sent. The sender
    /// calls the given closure before each packet and sends it only if the result is true.
    package typealias PacketSenderMaker =
        @Sendable (OpenedShow, ConcertProgramme, @escaping @Sendable () -> Bool) async throws ->
        PhonePacketSender?

    package init(
        performanceSettings: PerformanceComponents.Settings, webSettings: WebSettings, modelsFolder: String,
        linkKey: BackupLinkKey? = nil, serverNameInTopics: String = "hall",
        preShowListeningSeconds: Double = 30,
        trueMeasureTimesPath: String? = nil, recordingSettings: RecordingSettings,
        soundFixedBecause: String? = nil,
        makeFollower: @escaping ProgrammeChanger.FollowerMaker,
        makePacketSender: @escaping PacketSenderMaker
    ) {
        self.performanceSettings = performanceSettings
        self.webSettings = webSettings
        self.modelsFolder = modelsFolder
        self.linkKey = linkKey
        self.serverNameInTopics = serverNameInTopics
        self.preShowListeningSeconds = preShowListeningSeconds
        self.trueMeasureTimesPath = trueMeasureTimesPath
        self.recordingSettings = recordingSettings
        self.soundFixedBecause = soundFixedBecause
        self.makeFollower = makeFollower
        self.makePacketSender = makePacketSender
    }
}
