import Audience
import Console
import DiaryKeeping
import Editor
import Foundation
import Hosting
import Performance
import Podium
import Presenting
import Recordings
import ScoreLibrary
import Screen
import ShowLog
import TimeCodeSending

/// The services of the evening: listeners, content, console, sound, screen, speakers and diary.
extension SharedParts {
    /// Serves the pages of listeners. Relays receive the same stream over each broker.
    func makeAudience() -> AudienceService {
        AudienceService(
            publisher, show: show.startTimestamp,
            relayFeeds: components.brokerOutputs.map(makeRelayPublisher),
            clock: { [clock] in clock().milliseconds })
    }

    private func makeRelayPublisher(broker: BrokerOutput) -> RelayPublisher {
        RelayPublisher(
            name: settings.serverNameInTopics, findBrokerClient: { broker.client },
            eventHub: publisher.audienceEventHub, clock: { [clock] in clock().milliseconds })
    }

    func makeEditor() -> EditorService {
        EditorService(
            contentEditor, quota: uploadQuota,
            programme: EditorService.FollowedProgramme(
                atStart: components.showProgramme, recordingsFolderPath: recordingsFolder,
                modelsFolderPath: settings.modelsFolder, say: printToStandardError),
            sections: EditorService.SectionsTaker(
                data: dataFolder,
                take: { [changer = components.programmeChanger] in
                    await changer.takeModels()
                    return await changer.takeSections()
                }))
    }

    func makeScoreLibrary() -> LibraryService {
        LibraryService(
            library, quota: uploadQuota, programme: components.showProgramme, say: printToStandardError)
    }

    /// The consoles' sections of the show; ``makeConsoleRoutes(performance:replication:)`` answers their commands.
    func makeConsole() -> ConsoleService {
        let (pair, inbox, publisher) = (pair, inbox, publisher)
        return ConsoleService(
            ConsoleOutput(
                stream: consoleStream, started: show.startTimestamp,
                goneOn: show.isContinued ? show.podium.state : nil, wall: show.timeOfDayConverter,
                server: {
                    ServerJSON(
                        role: pair?.role.rawValue ?? "alone", term: inbox.newestSnapshot.state.epoch.term,
                        version: ConcertServer.version, otherServer: pair?.otherServer)
                },
                messages: { publisher.servedConcert?.catalogueConcert.preparedMessages ?? [] },
                cueProblem: components.cueTargets.unsendableReason),
            plans: PlannedEvenings(dataFolder: dataFolder).replicatedFolder)
    }

    /// Makes the recorder of the evening; nil if the sound is not recorded. A show that is continued adds parts to its
    /// earlier recording.
    func makeRecorder() -> SoundRecorder? {
        guard settings.recordingSettings.offSentence == nil else { return nil }
        return SoundRecorder(
            rate: sound.switchable.rate,
            name: { [showLogPlace] in ServerDataFolder.name(ofShow: showLogPlace.folder) },
            title: { [inbox] in inbox.newestSnapshot.programme.evening.name },
            pieces: { [inbox] in
                let programme = inbox.newestSnapshot.programme
                return programme.isEmpty ? [] : programme.pieces.map { ("\($0.name)", $0.folder) }
            },
            store: recordingStore, diskReserve: diskReserve,
            readShowTime: { [clock] in clock().milliseconds })
    }

    func makeRecordings(recorder: SoundRecorder?) -> RecordingsService {
        RecordingsService(
            store: recordingStore, recorder: recorder,
            offSentence: settings.recordingSettings.offSentence ?? "",
            retention: settings.recordingSettings.retention, stream: consoleStream,
            erasures: RecordingErasures(catalogue: catalogue, isActiveServer: isActiveServer),
            say: printToStandardError)
    }

    func makeTimeCode() -> TimeCodeService {
        TimeCodeService(
            settings.timeCode, show: inbox, consoles: consoleStream, data: dataFolder,
            ports: components.midiConnections.ports, showFolder: { [showLogPlace] in showLogPlace.folder }
        ) { [pair] in pair?.maySendOutputs ?? true }
    }

    func makeScreen() async throws -> ScreenService {
        try await ScreenService(
            show: inbox,
            preparedTitles: PreparedTitleLists(
                builder: components.programmeBuilder, modelsFolderPath: settings.modelsFolder),
            consoles: consoleStream, catalogue: catalogue, pair: pair)
    }

    func makePresenting() -> PresentingService {
        PresentingService(
            settings.presentingSettings, code: settings.speakersCode, data: dataFolder, show: inbox,
            showLog: showLogPlace, clock: show.timeOfDayConverter, consoles: consoleStream,
            say: printToStandardError)
    }

    func makeDiaryKeeping() throws -> DiaryKeepingService {
        let (showLogPlace, inbox) = (showLogPlace, inbox)
        return try DiaryKeepingService(
            data: dataFolder, catalogue: catalogue,
            runningShow: { ServerDataFolder.name(ofShow: showLogPlace.folder) },
            runningEvening: { showLogPlace.origin.folder },
            programme: { inbox.newestSnapshot.announcedProgramme }, isActiveServer: isActiveServer,
            modelsFolder: settings.modelsFolder, sources: settings.outsideSources, say: printToStandardError)
    }
}
