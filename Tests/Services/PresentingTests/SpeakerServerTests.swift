import Floor
import Hosting
import Podium
import PresentingProtocol
import Synchronization
import Testing
import WebServer

@testable import Performance
@testable import Presenting
@testable import ShowStages
@testable import TestHelpers

/// Outputs that are known only after their show engine.
private final class LaterOutputs: ShowOutput {
    let outputs = Mutex<[any ShowOutput]>([])

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        for output in outputs.withLock({ $0 }) { output.performEffect(effect, of: course) }
    }

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        for output in outputs.withLock({ $0 }) { output.receiveSnapshot(snapshot) }
    }
}

private final class Collected<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])
    var all: [Value] { kept.withLock { $0 } }
    func add(_ value: Value) { kept.withLock { $0.append(value) } }
}

/// Speakers' programs against the whole service, in one process.
@Suite(.ownThreads) struct SpeakerServerTests {
    private let later = LaterOutputs()
    private let said = Collected<String>()
    private let show: ServeStage
    private let service: PresentingService

    init() throws {
        show = try ServeStage(outputs: [later])
        let said = said
        service = try PresentingService(
            PresentingSettings(address: "127.0.0.1", port: 0, code: nil), code: nil, data: show.folder.path,
            show: show.desk.inbox, showLog: ShowLogPlace(show.folder.path),
            clock: TimeOfDayConverter(now: .zero),
            consoles: ConsoleStream(EventHub())
        ) { said.add($0) }
        later.outputs.withLock { $0 = service.showOutputs }
        try show.start()
    }

    private var port: Int? {
        said.all.first.flatMap { $0.split(separator: ":").last }.flatMap { Int($0.dropLast(2)) }
    }

    private func whileServing(_ body: (Int) async throws -> Void) async throws {
        let serving = Task { [service] in try? await service.run() }
        defer { serving.cancel() }
        #expect(await eventually { port != nil })
        try await body(port ?? 0)
    }

    private func client(_ name: String, _ port: Int, _ events: Collected<PresentingClient.Event>)
        -> PresentingClient
    {
        PresentingClient(endpoints: [.init(address: "127.0.0.1", port: port)], name: name) { events.add($0) }
    }

    /// The registered speaker of this name. A speaker hears of the registration with its effect; the snapshot, which
    /// has it too, comes a moment later.
    private func registered(_ name: String) async throws -> FloorPresenter {
        func listed() -> FloorPresenter? {
            show.desk.inbox.newestSnapshot.state.floor?.presenters.first { $0.name == name }
        }
        #expect(await eventually { listed() != nil })
        return try #require(listed())
    }

    @Test func aServerThatIsNoLongerActiveSendsItsSpeakersAway() async throws {
        try await whileServing { port in
            let events = Collected<PresentingClient.Event>()
            let anna = client("Anna", port, events)
            let run = Task { try await anna.run() }
            defer { run.cancel() }
            #expect(await eventually { events.all.count == 1 })
            show.desk.queueStateChange { $0.isActiveServer = false }
            #expect(await eventually { events.all.contains(.disconnected) })
            #expect(await anna.perform(.askForFloor) == .notConnected)
            // Nobody new is let in either.
            let bert = client("Bert", port, Collected())
            await #expect(throws: PresentingClient.Fault.self) { try await bert.run() }
            show.desk.queueStateChange { $0.isActiveServer = true }
            #expect(
                await eventually {
                    events.all.contains { if case .registered(1, _, true) = $0 { true } else { false } }
                })
        }
    }

    @Test func aPageWhoseSpeakerWasRemovedDoesNotComeBack() throws {
        let shown = ShownDocuments()
        let slides = SlideStore(data: show.folder.path, limitBytes: 1_000, shown: shown)
        let pages = PagePresenters(show: show.desk.inbox, slides: slides, drawings: DrawingBoard())
        let anna = try #require(pages.begin(name: "Anna", from: "192.0.2.7"))
        let bert = try #require(pages.begin(name: "Bert", from: "192.0.2.7"))
        pages.markRemoved(PagePresenter.identity(of: anna))
        #expect(pages.isRemoved(anna) && !pages.isRemoved(bert))
        #expect(pages.session(of: anna, from: "192.0.2.7") == nil)
        #expect(pages.session(of: bert, from: "192.0.2.7") != nil)
    }

    @Test func aPageIsAnsweredSoManyTimesEachSecond() throws {
        let slides = SlideStore(data: show.folder.path, limitBytes: 1_000, shown: ShownDocuments())
        let pages = PagePresenters(show: show.desk.inbox, slides: slides, drawings: DrawingBoard())
        let token = try #require(pages.begin(name: "Anna", from: "192.0.2.7"))
        let session = try #require(pages.session(of: token, from: "192.0.2.7"))
        var answered = 0
        for _ in 0..<1_000 where session.beginRequest() {
            answered += 1
            session.endRequest()
        }
        #expect((100..<1_000).contains(answered))
    }

    @Test func whoComesBackWithTheFloorIsToldOnce() async throws {
        try await whileServing { port in
            let (before, events) = (Collected<PresentingClient.Event>(), Collected<PresentingClient.Event>())
            let first = client("Anna", port, before)
            let run = Task { try await first.run() }
            defer { run.cancel() }
            #expect(await eventually { before.all.count == 1 })
            let anna = try await registered("Anna").id
            await show.desk.inbox.submitEvent(
                .floor(
                    .moderator(action: .grant(to: anna)), by: CommandSender(name: "mia", role: .technician))
            ).expectDone()
            #expect(await eventually { before.all.contains(.floorGranted) })
            // The same name from the same machine takes the place of the earlier connection.
            let again = client("Anna", port, events)
            let rerun = Task { try await again.run() }
            defer { rerun.cancel() }
            #expect(await eventually { events.all.contains(.floorGranted) })
            guard case .presenters = await again.perform(.listPresenters) else {
                Issue.record("the list did not come")
                return
            }
            #expect(events.all.filter { $0 == .floorGranted }.count == 1)
            #expect(before.all.filter { $0 == .floorGranted }.count == 1)
        }
    }

    @Test func speakersFindEachOtherAndHandOn() async throws {
        try await whileServing { port in
            let (events, others) = (Collected<PresentingClient.Event>(), Collected<PresentingClient.Event>())
            let (anna, bert) = (client("Anna", port, events), client("Bert", port, others))
            let runs = [Task { try await anna.run() }, Task { try await bert.run() }]
            defer { for run in runs { run.cancel() } }
            #expect(await eventually { events.all.count == 1 && others.all.count == 1 })
            let (first, second) = (try await registered("Anna").id, try await registered("Bert").id)
            let ids = show.desk.inbox.newestSnapshot.state.floor?.presenters ?? []
            let mia = CommandSender(name: "mia", role: .technician)
            await show.desk.inbox.submitEvent(
                .floor(.moderator(action: .grant(to: first)), by: mia)
            ).expectDone()
            #expect(await eventually { events.all.contains(.floorGranted) })
            let listed = await anna.perform(.listPresenters)
            #expect(
                listed
                    == .presenters(
                        ids.map {
                            ListedPresenter(
                                id: $0.id.rawValue, isConnected: true, hasFloor: $0.id == first, name: $0.name
                            )
                        }))
            #expect(
                await anna.perform(.signal(.handOver(to: second.rawValue, seconds: 0))) == .done
            )
            #expect(
                await eventually {
                    events.all.contains(.floorWithdrawn) && others.all.contains(.floorGranted)
                })
            #expect(await anna.perform(.signal(.next)) == .refused(code: 1))
            // Whoever the moderator removes does not come back.
            await show.desk.inbox.submitEvent(
                .floor(.moderator(action: .remove(presenter: second)), by: mia)
            ).expectDone()
            await #expect(throws: PresentingClient.Fault.removed) { try await runs[1].value }
            #expect(await anna.perform(.unregister) == .done)
            try await runs[0].value
        }
    }
}
