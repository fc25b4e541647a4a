import Basics
import Hosting
import PresentingProtocol
import ServiceLifecycle
import WebServer

/// Serves speakers who show slides: their page, their port, their files, and the moderator's routes.
package struct PresentingService: HostedService {
    private let settings: PresentingSettings?
    private let code: SpeakersCode?
    private let show: ShowInbox
    private let showLog: ShowLogPlace
    private let clock: TimeOfDayConverter
    private let say: @Sendable (String) -> Void
    private let slides: SlideStore
    private let drawings = DrawingBoard()
    private let shown = ShownDocuments()
    private let connections = PresentingConnections()
    private let videoDoors = OpenDoors()
    private let guesses = CodeGuesses()
    private let pagePresenters: PagePresenters
    private let consoles: ConsoleStream

    /// Creates the service.
    /// - Parameters:
    ///   - settings: the port for presenters; nil if there is none.
    ///   - code: the code with which guests join on the page; nil if only people with an account may.
    ///   - data: the server's data folder.
    ///   - showLog: the log of the show, from which the event's PDF is made.
    ///   - clock: the show's time of day.
    ///   - consoles: the consoles' stream, which gets the section `floor`.
    ///   - say: called with messages for people.
    package init(
        _ settings: PresentingSettings?, code: SpeakersCode?, data: String, show: ShowInbox,
        showLog: ShowLogPlace, clock: TimeOfDayConverter, consoles: ConsoleStream,
        say: @escaping @Sendable (String) -> Void
    ) {
        (self.settings, self.code, self.show, self.showLog) = (settings, code, show, showLog)
        (self.clock, self.consoles, self.say) = (clock, consoles, say)
        slides = SlideStore(
            data: data, limitBytes: (settings?.limits ?? PresentingLimits()).largestPDF, shown: shown)
        pagePresenters = PagePresenters(show: show, slides: slides, drawings: drawings)
    }

    /// The moderator's and the speakers' routes, and the images of the pages. They are not among ``routes``, because
    /// people may speak, and the moderator may stop everything, also while the disk is nearly full; slides that arrive
    /// are checked here.
    package var floorRoutes: [WebRoute] {
        FloorRoutes(
            show: show, slides: slides,
            eventPDF: EventPDF(slides: slides, showLog: showLog, clock: clock),
            presenters: pagePresenters
        ).routes
            + PresentRoutes(
                show: show, slides: slides, drawings: drawings, presenters: pagePresenters, code: code,
                limits: settings?.limits ?? PresentingLimits(), guesses: guesses
            ).routes
    }

    package var showOutputs: [any ShowOutput] {
        [connections, shown, drawings, pagePresenters, FloorOutput(consoles: consoles, code: code)]
    }

    package var replicatedFolders: [ReplicatedFolder] { [slides.replicatedFolder] }

    /// The show engine of a server that is not active refuses everything itself.
    package var refusesChangesWhileInactive: Bool { true }

    package func run() async throws {
        let tidying = Task(priority: .utility) { await readLogAndTidy() }
        defer { tidying.cancel() }
        guard let settings else { return try await gracefulShutdown() }
        let server = PresentingServer(address: settings.address, port: settings.port, limits: settings.limits)
        do {
            try await cancelWhenGracefulShutdown { try await serveSpeakers(server, settings) }
        } catch is CancellationError {
        } catch let error as PresentingServer.ListeningError {
            throw ExplainedError(
                "--present \(settings.address):\(settings.port) cannot be listened on "
                    + "(\(error.reason)); choose another address or port.")
        }
    }

    /// After a restart: puts earlier drawings on the board, and deletes the files of earlier shows if this server
    /// is the active one.
    private func readLogAndTidy() async {
        let log: LoggedSlides
        do { log = try LoggedSlides(show: showLog.folder) } catch {
            say("The speakers' earlier drawings cannot be read from the show log (\(error)).\n")
            return
        }
        shown.complete(with: log.shownDocuments)
        let documents = { @Sendable [show] in show.newestSnapshot.state.floor?.documents ?? [] }
        let known = Set(documents().map(\.id))
        drawings.restore(log.drawings.filter { known.contains($0.key.document) })
        // A server that stands by has copies of files of which it may not know the documents yet.
        guard show.newestSnapshot.isActiveServer else { return }
        await slides.deleteForgotten(known: documents)
    }

    /// Listens until the task is cancelled. A listener that broke, as when the process has too many open files, is
    /// opened again: the show goes on without speakers meanwhile.
    private func serveSpeakers(_ server: PresentingServer, _ settings: PresentingSettings) async throws {
        var hasListened = false
        while true {
            do {
                try await server.run { port in
                    say("Speakers connect to \(settings.address):\(port).\n")
                } serve: { [show, slides, drawings, connections, videoDoors, guesses] connection, reader in
                    connections.add(connection)
                    let entrance = PresenterEntrance(
                        connection: connection.name, show: show, slides: slides, drawings: drawings)
                    var session = PresenterSession(
                        connection: connection, settings: settings, slides: slides, entrance: entrance,
                        doors: videoDoors, guesses: guesses)
                    await session.run(&reader)
                    connections.remove(connection)
                }
                hasListened = true
            } catch let error as PresentingServer.ListeningError where !hasListened {
                throw error
            } catch {
                try Task.checkCancellation()
                hasListened = true
                say(
                    "Speakers cannot connect at the moment (\(error)). The port is opened again in five "
                        + "seconds.\n")
            }
            try await Task.sleep(for: .seconds(5))
        }
    }
}
