import Catalogue
import Foundation
import Hummingbird
import Logging
import Platform
import Podium
import RouterTesting
import Testing

@testable import Audience
@testable import Composition
@testable import Console
@testable import Content
@testable import DiaryKeeping
@testable import Editor
@testable import Hosting
@testable import Performance
@testable import Practice
@testable import Preparation
@testable import Presenting
@testable import Recordings
@testable import ScoreLibrary
@testable import Screen
@testable import ShowStages
@testable import SignIn
@testable import Stands
@testable import Students
@testable import TestHelpers
@testable import TimeCodeSending
@testable import WebServer

/// Every address of the server is decided in docs/console-api.md, and every role meets it as decided there.
@Suite(.ownThreads) struct RouteRightsTests {
    /// The token is the role.
    private struct ByRole: Accounts {
        func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
            .wrongCredentials
        }
        func findPerson(token: String) async -> WebPerson? {
            WebRole(rawValue: token).map { WebPerson(id: token, name: token, role: $0) }
        }
        func signOut(token: String) async {}
        func changePassword(
            of person: WebPerson, from old: String, to new: String, keeping token: String?
        ) async -> PasswordChangeOutcome { .wrongPassword }
    }

    private struct NoDesk: ConsoleBackend {
        func executeCommand(_ order: CommandRequest, by person: WebPerson) async -> WebResponse { .succeeded }
        func respondWithCueList(piece: Int, asCSV: Bool) async -> WebResponse { .succeeded }
        func replaceCueList(
            piece: Int, _ body: [UInt8], asCSV: Bool, replacing old: String?, by person: WebPerson
        ) async
            -> WebResponse
        {
            .succeeded
        }
        func respondWithProgramme() async -> WebResponse { .succeeded }
        func changeProgramme(to wanted: WantedProgramme, by person: WebPerson) async -> WebResponse {
            .succeeded
        }
        func respondWithEvenings() async -> WebResponse { .succeeded }
        func earlierShowReport(_ show: String) async -> WebResponse { .succeeded }
        func planEvening(_ wanted: WantedEvening?, as id: String) async throws -> WebResponse { .succeeded }
        func beginEvening(_ wanted: WantedEvening?, by person: WebPerson) async -> WebResponse { .succeeded }
        func respondWithSound() async -> WebResponse { .succeeded }
        func chooseSoundDevice(_ name: String, channel: Int?) async -> WebResponse { .succeeded }
        func measureSilence() async -> WebResponse { .succeeded }
        func startPreShowCheck(by person: WebPerson) async -> WebResponse { .succeeded }
        func currentShowReport() async -> WebResponse { .succeeded }
        func health() async -> WebResponse { .succeeded }
    }

    private let folder: ServeFolder
    /// All addresses but those of signing in.
    private let brought: [WebRoute]
    private let routes: [WebRoute]
    private let settings: WebSettings

    init() async throws {
        folder = try ServeFolder()
        try folder.write("<!doctype html>", to: "pages/index.html")
        let catalogue = try CatalogueStore(path: folder.path + "/catalogue.sqlite")
        let content = try ConcertEditor(catalogue: catalogue, data: folder.path, recordings: nil)
        let library = try await Library.open(
            catalogue: catalogue, data: folder.path, recordings: nil, programme: []
        ) { _ in }
        let evenings = RecordingsService(
            store: RecordingStore(data: folder.path), recorder: nil, offSentence: "", retention: .standard,
            stream: ConsoleStream(EventHub()), say: { _ in })
        let services: [any HostedService] = [
            AudienceService(content.publisher, show: "evening", clock: { 0 }),
            EditorService(content, quota: nil),
            LibraryService(library, quota: nil, programme: try madeCourse()) { _ in },
            try StandsService(
                data: folder.path, shelf: library, catalogue: catalogue,
                clock: { .zero }, show: try ShowInbox(wakeSignal: WakeSignal(), snapshot: madeSnapshot()),
                scoreChanges: library.changedScores, say: { _ in },
                printing: PartPrinting { _, _, _, _ in .succeeded },
                crop: { _, _ in .succeeded }),
            RemarkingService(
                catalogue: catalogue, shelf: library, isActive: { true },
                printing: PartPrinting { _, _, _, _ in .succeeded }),
            ConsoleService(
                ConsoleOutput(
                    stream: ConsoleStream(EventHub()), started: "", wall: TimeOfDayConverter(now: .zero),
                    server: { ServerJSON(role: "alone", term: 1, version: "0") })),
            OutputTargetsService(
                receivers: nil, settings: nil, cueTargets: CueTargets(),
                inbox: try ShowInbox(wakeSignal: WakeSignal(), snapshot: madeSnapshot()),
                dataFolder: folder.path),
            TimeCodeService(
                TimeCodeSettings(), show: try ShowInbox(wakeSignal: WakeSignal(), snapshot: madeSnapshot()),
                consoles: ConsoleStream(EventHub()), data: folder.path, maySend: { true }),
            SecurePagesService(
                certificate: try ServerCertificate(WebSettings()), hostNames: [], isShowLocked: { false }),
            evenings,
            try await ScreenService(
                show: try ShowInbox(wakeSignal: WakeSignal(), snapshot: madeSnapshot()),
                preparedTitles: PreparedTitleLists(
                    builder: ShowProgrammeBuilder(
                        recordingsFolderPath: folder.path, dataFolder: folder.path),
                    modelsFolderPath: folder.path),
                consoles: ConsoleStream(EventHub()), catalogue: catalogue),
            EveningReferenceService(
                data: folder.path, modelsFolder: folder.path, recordings: folder.path,
                program: URL(fileURLWithPath: "/bin/false"), reserve: DiskReserve(folder: folder.path)),
            try PreparationService(
                data: folder.path, models: folder.path, recordings: folder.path, evenings: evenings,
                worker: InProcessWorker(), say: { _ in }),
            try StudentsService(
                data: folder.path, models: folder.path, recordings: folder.path, catalogue: catalogue),
            PracticeService(catalogue: catalogue, converter: TabExchangeConverter()),
            AccountsService(catalogue: catalogue, hasher: PasswordHasher()),
            try DiaryKeepingService(
                data: folder.path, catalogue: catalogue, runningShow: { nil },
                runningEvening: { nil },
                programme: { .empty(title: "") },
                say: { _ in }),
        ]
        brought =
            ConsoleRoutes(desk: NoDesk(), events: EventHub()).routes
            + PresentingService(
                nil, code: nil, data: folder.path,
                show: try ShowInbox(wakeSignal: WakeSignal(), snapshot: madeSnapshot()),
                showLog: ShowLogPlace(folder.path), clock: TimeOfDayConverter(now: .zero),
                consoles: ConsoleStream(EventHub()), say: { _ in }
            ).floorRoutes
            + FirstAccountRoutes(
                catalogue: catalogue, hasher: PasswordHasher(), code: FirstAccountCode(),
                isActiveServer: { true }
            ).routes
            + ConcertServer.routesRefusingChangesUnlessActive(of: services, changedOnlyBy: nil)
        settings = WebSettings(port: 0, pagesPath: folder.path + "/pages")
        let signIns = SignInService(accounts: ByRole(), settings: settings, readMilliseconds: { 0 })
        routes = signIns.routes + brought + StreamCarriers().routes
    }

    /// The roles of a cell; nil for anybody. `signed in` is every role.
    private static func roles(_ cell: String) throws -> Set<WebRole>? {
        if cell == "anybody" { return nil }
        if cell == "signed in" { return Set(WebRole.allCases) }
        return Set(
            try cell.components(separatedBy: ", ").map { try #require(WebRole(rawValue: $0), "“\($0)”") })
    }

    private static func name(_ route: WebRoute) -> String { "\(route.method.rawValue) \(route.path)" }

    private static func written(_ access: RouteAccess) -> String {
        switch access {
        case .anybody: "anybody"
        case .signedIn: "signed in"
        case .roles(let roles):
            WebRole.allCases.filter(roles.contains).map(\.rawValue).joined(separator: ", ")
        }
    }

    @Test func everyAddressIsDecidedAndNoneIsDecidedThatIsNotThere() throws {
        let decided = try Documents.rows(of: "console-api.md", under: "Every address and who may use it")
        let real = routes.map { "| `\(Self.name($0))` | \(Self.written($0.access)) |" }
        let table = decided.map { "| `\($0[0])` | \($0[1]) |" }
        #expect(Set(table) == Set(real), "the table should be:\n\(real.sorted().joined(separator: "\n"))")
        #expect(table.count == real.count)
    }

    /// The show's microphone and the heartbeats of screens store nothing.
    @Test func aFullDiskClosesAllThatStoresAndNothingElse() async {
        let full = DiskReserve(folder: "/", readDiskSpace: { _ in (0, 1 << 30) })
        var open: Set<String> = []
        for route in ConcertServer.routesCheckingDiskSpace(brought, full)
        where route.changesState && route.method != .delete && route.writeCheck == nil {
            open.insert(Self.name(route))
        }
        #expect(
            open == [
                "POST /api/microphones", "POST /api/microphones/:microphone/blocks", "PUT /api/microphone",
                "POST /api/screens/:name/beat",
            ])
    }

    @Test func whatTheCueEditorOffersIsWhatMayBeWritten() async throws {
        let decided = Dictionary(
            uniqueKeysWithValues: try Documents.rows(of: "console-api.md", under: "Who may write which cues")
                .map { ($0[0], $0[1]) })
        let server = try WebServer(
            settings: settings, accounts: ByRole(), routes: brought)
        try await server.makeApplication().test { client in
            for role in WebRole.staff {
                let answer = try await client.execute(
                    uri: "/api/cue-kinds", method: .get, headers: [.cookie: "baton_session=\(role.rawValue)"]
                ) { $0 }
                let told = try JSONDecoder().decode([String].self, from: Data(buffer: answer.body))
                #expect(told == decided[role.rawValue]?.components(separatedBy: ", "), "\(role)")
            }
        }
    }

    @Test func everyRoleIsAdmittedAndTurnedAwayAsDecided() async throws {
        let decided = Dictionary(
            try Documents.rows(of: "console-api.md", under: "Every address and who may use it")
                .map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = try WebServer(
            settings: settings, accounts: ByRole(), routes: brought, logger: logger)
        let routes = routes
        try await server.makeApplication().test { client in
            for route in routes {
                let cell = try #require(decided[Self.name(route)], "\(Self.name(route)) is not decided")
                let roles = try Self.roles(cell)
                for role in [nil] + WebRole.allCases.map(Optional.some) {
                    let person = role.map { WebPerson(id: $0.rawValue, name: $0.rawValue, role: $0) }
                    let may = roles.map { roles in role.map(roles.contains) ?? false } ?? true
                    #expect(
                        route.access.admits(person) == may, "\(Self.name(route)): \(person?.name ?? "nobody")"
                    )
                    // Asked only where nothing may come of it.
                    guard !may else { continue }
                    var headers = HTTPFields()
                    if let role { headers[.cookie] = "baton_session=\(role.rawValue)" }
                    headers[.init("X-Baton")!] = "1"
                    let path = route.path.split(separator: "/").map { $0.first == ":" ? "1" : $0 }
                    let answer = try await client.execute(
                        uri: "/" + path.joined(separator: "/"),
                        method: .init(rawValue: route.method.rawValue)!, headers: headers
                    ) { $0 }
                    let wanted: HTTPResponse.Status = role == nil ? .unauthorized : .forbidden
                    #expect(answer.status == wanted, "\(Self.name(route)) as \(person?.name ?? "nobody")")
                }
            }
        }
    }
}
