import Following
import Foundation
import Hosting
import Performance
import Practice
import Recordings
import ServiceLifecycle
import SignIn
import WebServer

/// The running server of `baton serve`: creates all services, starts them and stops them in order.
package struct ConcertServer: Sendable {
    package static let version = "0.3"

    /// The services in the order of their start; they are stopped in reverse order.
    let services: [any Service]
    private let nextEvening: NextEvening
    /// True if the server stopped because a person has begun the next evening, which the next start begins.
    package var beginsNextEvening: Bool { nextEvening.isRequested }
    /// The entrance of the show engine, through which services send commands and events.
    package let showEngineInbox: ShowInbox

    /// Opens tonight's show and creates all services. If one cannot be created, a show that is new is deleted again.
    /// - Parameters:
    ///   - concert: what follows the music; a ``WaitingFollower`` if the models are not ready to follow yet.
    ///   - folders: the folders of the pieces that `concert` follows; none if the programme is empty.
    ///   - place: where the follower begins.
    ///   - input: the server's own sound; in a rehearsal, a tablet's microphone may replace it.
    package init(
        concert: any LiveAudioFollower, folders: [String], place: ProgrammePosition,
        input: any SoundSource, settings: ConcertServerSettings
    ) async throws {
        try WebServer.checkAddress(of: settings.webSettings)
        // Checked before anything creates the file.
        let isNewFolder = !FileManager.default.fileExists(atPath: SharedParts.cataloguePath(of: settings))
        let sound = ServerSound(own: input, switchable: RehearsalSoundSource(input))
        let components = try await PerformanceComponents(
            settings.performanceSettings, concert: concert, folders: folders, place: place,
            input: sound.switchable,
            stream: ConsoleStream(WebServer.makeConsoleHub(settings.webSettings.limits)),
            makeFollower: settings.makeFollower,
            packets: { try await settings.makePacketSender($0, concert.programme, $1) },
            say: printToStandardError)
        do {
            let shared = try await SharedParts(
                settings: settings, components: components, sound: sound)
            services = try await Self.makeServices(of: shared, isNewFolder: isNewFolder)
        } catch {
            components.deleteUnstartedShow()
            throw error
        }
        showEngineInbox = components.inbox
        nextEvening = components.nextEvening
    }

    /// Creates the services, each after those that it needs.
    private static func makeServices(
        of shared: SharedParts, isNewFolder: Bool
    ) async throws -> [any Service] {
        let recorder = shared.makeRecorder()
        let recordings = shared.makeRecordings(recorder: recorder)
        let presenting = shared.makePresenting()
        let stands = try shared.makeStands(recordings: recordings)
        let hosted: [any HostedService] = [
            shared.makeAudience(),
            shared.makeEditor(),
            shared.makeScoreLibrary(),
            stands,
            shared.makeRemarking(stands: stands),
            shared.makeConsole(),
            OutputTargetsService(shared.components),
            MIDIService(shared.components),
            shared.makeTimeCode(),
            shared.makeSecurePages(),
            recordings,
            try await shared.makeScreen(),
            presenting,
            shared.makeEveningReferences(),
            try shared.makePreparation(recordings: recordings),
            try shared.makeStudents(stands: stands),
            PracticeService(catalogue: shared.catalogue, converter: TabExchangeConverter()),
            AccountsService(catalogue: shared.catalogue, hasher: shared.passwordHasher),
            try shared.makeDiaryKeeping(),
        ]
        let replication = try await shared.makeReplication(of: hosted, isNewFolder: isNewFolder)
        let performance = try await shared.makePerformance(
            services: hosted, replication: replication, recorder: recorder)
        let web = try await shared.makeWebServer(
            services: hosted, presenting: presenting, performance: performance, replication: replication)
        return inStartOrder(hosted, performance: performance, replication: replication, web: web)
    }

    /// Services stop in reverse: the recording is completed before downloads are waited for.
    private static func inStartOrder(
        _ hosted: [any HostedService], performance: PerformanceService, replication: (any Service)?,
        web: WebServer
    ) -> [any Service] {
        let recording: [any Service] = hosted.filter { $0 is RecordingsService }
        let others: [any Service] = hosted.filter { !($0 is RecordingsService) }
        return [performance] + others + (replication.map { [$0] } ?? []) + [web] + recording
    }

    /// Runs the server until the process is interrupted, a person begins the next evening, or a service fails.
    package func run(until interruption: ShutdownSignal) async throws {
        let ends: [any Service] = [interruption, nextEvening]
        var configuration = ServiceGroupConfiguration(
            services: (services + ends).map {
                .init(
                    service: NamedService(service: $0), successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            }, logger: WebServer.standardLogger)
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        try await ServiceGroup(configuration: configuration).run()
    }
}

/// A service that the group's log calls by its type. Otherwise the group would describe all its contents at the start.
private struct NamedService: Service, CustomStringConvertible {
    let service: any Service

    var description: String { "\(type(of: service))" }
    func run() async throws { try await service.run() }
}
