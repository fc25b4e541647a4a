import Catalogue
import Content
import Editor
import Following
import Hosting
import Performance
import Platform
import Podium
import Presenting
import Recordings
import ScoreLibrary
import WebServer

/// The sound of a server: its own source, and the one that a rehearsal may switch to a tablet's microphone.
struct ServerSound: Sendable {
    let own: any SoundSource
    let switchable: RehearsalSoundSource
}

/// The parts that several services share, opened before any service is created. Its extensions make the services, each
/// from these parts and the services that it names as parameters.
struct SharedParts: Sendable {
    let settings: ConcertServerSettings
    let components: PerformanceComponents
    let sound: ServerSound
    let catalogue: CatalogueStore
    let contentEditor: ConcertEditor
    let library: Library
    let uploadQuota: UploadQuota
    let diskReserve: DiskReserve
    let recordingStore: RecordingStore
    let passwordHasher = PasswordHasher(waitingLimit: 32)
    /// The folder of the show's log, for the service that keeps the shown slides there.
    let showLogPlace: ShowLogPlace
    let certificate: ServerCertificate

    init(
        settings: ConcertServerSettings, components: PerformanceComponents, sound: ServerSound
    ) async throws {
        let dataFolder = settings.performanceSettings.dataFolder
        let recordingsFolder = settings.performanceSettings.recordingsFolderPath
        let inbox = components.inbox
        certificate = try ServerCertificate(settings.webSettings)
        (self.settings, self.components, self.sound) = (settings, components, sound)
        catalogue = try CatalogueStore(path: Self.cataloguePath(of: settings))
        contentEditor = try await EditorService.open(
            catalogue: catalogue, data: dataFolder,
            start: InitialContent(
                recordingsFolderPath: recordingsFolder, modelsFolderPath: settings.modelsFolder,
                programme: components.showProgramme,
                secret: components.showProgramme.secretEncores(heard: nil)),
            // The servers of a pair copy their content from each other.
            previousNames: components.failoverCoordinator == nil
                ? components.openedShow.previousProgramme?.pieces.map(\.name) : nil,
            isShowLocked: { inbox.newestSnapshot.state.isLocked }, say: printToStandardError)
        library = try await Library.open(
            catalogue: catalogue, data: dataFolder, recordings: recordingsFolder,
            programme: FollowablePiece.pieces(of: components.showProgramme),
            resumesImports: components.failoverCoordinator == nil, say: printToStandardError)
        uploadQuota = UploadQuota(
            catalogue: catalogue, assets: contentEditor.assetStore, scores: library.assetStore)
        diskReserve = DiskReserve(folder: dataFolder)
        recordingStore = RecordingStore(data: dataFolder)
        showLogPlace = ShowLogPlace(
            components.openedShow.recorder.writer.showFolder, components.openedShow.recorder.origin)
    }

    /// The file of the catalogue: accounts, content, scores and their remarks.
    static func cataloguePath(of settings: ConcertServerSettings) -> String {
        settings.performanceSettings.dataFolder + "/catalogue.sqlite"
    }

    var dataFolder: String { settings.performanceSettings.dataFolder }
    var recordingsFolder: String { settings.performanceSettings.recordingsFolderPath }
    var inbox: ShowInbox { components.inbox }
    var consoleStream: ConsoleStream { components.consoleStream }
    /// The other server's connection; nil for a single server.
    var pair: FailoverCoordinator? { components.failoverCoordinator }
    var show: OpenedShow { components.openedShow }
    /// Publishes the served concert to listeners.
    var publisher: ConcertPublisher { contentEditor.publisher }

    /// True if this server is the active one of a pair, or has no other.
    var isActiveServer: @Sendable () -> Bool {
        { [pair] in pair.map { $0.role == .main } ?? true }
    }

    /// The time of the show.
    var clock: @Sendable () -> ShowTime {
        { [clock = show.clock] in clock.now }
    }

    /// Draws and prints parts of scores.
    var printing: PartPrinting {
        PartPrinting { [library] in
            await library.makePrintResponse(printing: $0, part: $1, in: $2, remarks: $3)
        }
    }
}
