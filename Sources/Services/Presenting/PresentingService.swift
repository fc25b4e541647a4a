import Hosting
import PresentingProtocol
import ServiceLifecycle
import WebServer

/// Serves speakers who show slides: their port, their files, and the moderator's routes.
package struct PresentingService: HostedService {
    private let settings: PresentingSettings?
    private let show: ShowInbox
    private let say: @Sendable (String) -> Void
    private let slides: SlideStore
    private let connections = PresentingConnections()
    private let consoles: ConsoleStream

    /// Creates the service.
    /// - Parameters:
    ///   - settings: the port for presenters; nil if there is none.
    ///   - data: the server's data folder.
    ///   - consoles: the consoles' stream, which gets the section `floor`.
    ///   - say: called with messages for people.
    package init(
        _ settings: PresentingSettings?, data: String, show: ShowInbox, consoles: ConsoleStream,
        say: @escaping @Sendable (String) -> Void
    ) {
        (self.settings, self.show, self.consoles, self.say) = (settings, show, consoles, say)
        slides = SlideStore(data: data, limitBytes: (settings?.limits ?? PresentingLimits()).largestPDF)
    }

    /// The moderator's routes, and the images of the pages. They are not among ``routes``, because the moderator may
    /// stop everything also while the disk is nearly full.
    package var floorRoutes: [WebRoute] { FloorRoutes(show: show, slides: slides).routes }
    package var showOutputs: [any ShowOutput] { [connections, FloorOutput(consoles: consoles)] }
    /// The show engine of a server that is not active refuses everything itself.
    package var refusesChangesWhileInactive: Bool { true }

    package func run() async throws {
        guard let settings else { return try await gracefulShutdown() }
        await slides.deleteForgotten(known: show.newestSnapshot.state.floor?.documents ?? [])
        let server = PresentingServer(address: settings.address, port: settings.port, limits: settings.limits)
        do {
            try await cancelWhenGracefulShutdown { try await serveSpeakers(server, settings) }
        } catch is CancellationError {
        } catch let error as PresentingServer.ListeningError {
            throw ExplainedError(
                sentence: "--present \(settings.address):\(settings.port) cannot be listened on "
                    + "(\(error.reason)); choose another address or port.")
        }
    }

    /// Listens until the task is cancelled. A listener that broke, as when the process has too many open files, is
    /// opened again: the show goes on without speakers meanwhile.
    private func serveSpeakers(_ server: PresentingServer, _ settings: PresentingSettings) async throws {
        var hasListened = false
        while true {
            do {
                try await server.run { port in
                    say("Speakers connect to \(settings.address):\(port).\n")
                } serve: { [show, slides, connections] connection, reader in
                    connections.add(connection)
                    var session = PresenterSession(
                        connection: connection, settings: settings, show: show, slides: slides)
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
