import Catalogue
import Hosting
import Podium
import ServiceLifecycle
import TimeCode
import Titles
import WebServer

/// The service for the screens: the titles' pages, their stream, the lists of titles, the films, and the screens'
/// settings.
package struct ScreenService: HostedService {
    private let output: ScreenOutput
    private let films: FilmOutput
    private let readShowTime: @Sendable () -> Int64
    private let beats: ScreenBeats
    private let settings: ScreenSettingsStore
    private let showInbox: ShowInbox
    private let preparedTitles: any PreparedTitleKeeping

    /// - Parameters:
    ///   - show: the show whose titles are shown.
    ///   - preparedTitles: the lists of pieces that are not in the programme.
    ///   - consoles: the consoles' stream, which gets the sections `titles` and `screens`.
    ///   - catalogue: stores the settings of the screens.
    ///   - recordings: the folder of recordings, with the films of the pieces.
    ///   - filmSettings: the clock that films keep to.
    ///   - readShowTime: milliseconds of the show.
    ///   - pair: the pair of servers that this one belongs to; nil if it is alone.
    package init(
        show: ShowInbox, preparedTitles: any PreparedTitleKeeping, consoles: ConsoleStream,
        catalogue: CatalogueStore, recordings: String, filmSettings: CodeClock.Settings = FilmClock.settings,
        readShowTime: @escaping @Sendable () -> Int64, pair: (any PairedServer)? = nil
    ) async throws(CatalogueError) {
        (showInbox, self.readShowTime) = (show, readShowTime)
        self.preparedTitles = preparedTitles
        beats = ScreenBeats()
        // A screen is a browser without a sign-in; several may stand behind one address.
        let hub = EventHub(ResourceQuota.Limits(total: 112, reserve: 16, known: 48, perAddress: 16))
        settings = try await ScreenSettingsStore(catalogue: catalogue, hub: hub)
        output = ScreenOutput(hub: hub, consoles: consoles, beats: beats, pair: pair)
        films = FilmOutput(
            shelf: FilmShelf(recordings: recordings), hub: hub, consoles: consoles, beats: beats,
            settings: filmSettings, readShowTime: readShowTime)
    }

    package var showOutputs: [any ShowOutput] { [output, films] }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [showInbox, films] in
            while !Task.isCancelled {
                let programme = showInbox.newestSnapshot.programme
                films.shelf.refresh(pieces: programme.isEmpty ? [] : programme.pieces.map(\.folder))
                try? await Task.sleep(for: .seconds(2))
            }
        }
    }

    package var watchedFaults: [WatchedFault] {
        [
            WatchedFault(id: "film") { [films] in films.findTrouble(in: $0.programme) },
            WatchedFault(id: "film-screen") { [films] _ in films.failedScreens },
        ]
    }

    package var preShowCheckItems: [PreShowCheckItem] {
        [PreShowCheckItem(id: "film", title: "Film") { [films] in films.check($0) }]
    }

    /// The show engine refuses lists of titles while another server is active, and so do the screens' settings; screens
    /// are shown by both servers.
    package var refusesChangesWhileInactive: Bool { true }

    package var replicatedStores: [ReplicatedStore] {
        [ReplicatedStore(.catalogue) { [settings] _ in try? await settings.reread() }]
    }

    package var replicatedFolders: [ReplicatedFolder] { [preparedTitles.replicatedFolder] }

    package var routes: [WebRoute] {
        [
            .stream("/api/screens/:name/stream", .anybody, output.eventHub).openToOtherServer
                .recognisingDevices(named: isSetUp),
            WebRoute(
                .post, "/api/screens/:name/beat", .anybody, bodyLimitBytes: 8_192, answer: handleBeat
            ).openToOtherServer.withoutDiskSpace.identifyingVisitor.recognisingDevices(named: isSetUp),
            WebRoute(.get, "/api/films/:tag", .anybody, answer: sendFilm).openToOtherServer,
        ] + TitleRoutes(showInbox: showInbox, prepared: preparedTitles).routes
            + ScreenSettingsRoutes(store: settings, showInbox: showInbox).routes
    }

    /// True for a screen to which a technician has given settings.
    @Sendable private func isSetUp(_ parameters: [String: String]) -> Bool {
        parameters["name"].map { settings.all[$0] != nil } ?? false
    }

    @Sendable private func handleBeat(_ request: WebRequest) async throws -> WebResponse {
        guard let name = request.pathParameters["name"], Self.isScreenName(name) else {
            return Self.noScreen
        }
        let beat = try JSONBody.decode(ScreenBeats.Beat.self, from: request.body)
        guard beat.isValid else {
            return .refused(422, "bad-beat", "The heartbeat has a value that no screen sends.")
        }
        guard
            beats.take(
                beat, of: name, from: ResourceQuota.Holder(address: request.visitorAddress).network,
                device: request.device)
        else {
            return .refused(
                429, "too-many", "There are \(ScreenBeats.maximumCount) screens already; close one.")
        }
        return .json(
            BeatAnswer(
                now: readShowTime(), known: request.device.newMark))
    }

    /// A screen has no sign-in, so whoever reaches the server may load the films of tonight.
    @Sendable private func sendFilm(_ request: WebRequest) async -> WebResponse {
        guard let film = request.pathParameters["tag"].flatMap(films.shelf.film) else {
            return .refused(404, "no-film", "No piece of tonight has this film.")
        }
        return .file(film.path, contentType: film.format.mediaType, tag: film.tag)
            .withHeader("Cache-Control", "private, max-age=86400, immutable")
    }

    private struct BeatAnswer: Encodable {
        var ok = true
        /// Milliseconds of the show.
        var now: Int64
        /// The mark by which this screen is known from now on; left out if it has the right one.
        var known: String?
    }

    static let noScreen = WebResponse.refused(
        404, "no-screen", "A screen's name has 1 to 40 letters, digits and hyphens, as in /screen/main.")

    static func isScreenName(_ name: String) -> Bool {
        (1...40).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D
            }
    }
}
