import BackupLink
import Basics
import Podium
import Synchronization
import Testing

@testable import Composition
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers
@testable import WebServer

/// Counts the effects of the show. Everything a service needs: this type, and its place in a list.
private final class Counting: HostedService, ShowOutput {
    private let effects = Mutex(0)

    var count: Int { effects.withLock { $0 } }

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/count", .anybody) { [self] _ in .json(["count": count]) },
            WebRoute(.post, "/api/count", .anybody) { _ in .succeeded },
        ]
    }

    var showOutputs: [any ShowOutput] { [self] }

    var watchedFaults: [WatchedFault] {
        [WatchedFault(id: "counting") { [self] _ in count > 0 ? "Something was counted; read it." : nil }]
    }

    var preShowCheckItems: [PreShowCheckItem] {
        [
            PreShowCheckItem(id: "counting", title: "Counting") { _ in
                PreShowCheckVerdict(.pass, "It counts.")
            }
        ]
    }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) { effects.withLock { $0 += 1 } }
}

/// A service that nothing else knows: what the list it stands in makes of it.
@Suite(.ownThreads) struct SmallServiceTests {
    private struct Other: PairedServer {
        var otherServerAddress: String? { nil }
        let role: ServerRole
        let isFollowingActiveServer = true

        func askOtherServer(_ question: [UInt8]) async throws(ExplainedError) -> [UInt8] {
            throw BackupLinkAnswerError.notConnected
        }
    }

    @Test func itsOutputGetsEffectsAndItsFaultIsRaised() async throws {
        let counting = Counting()
        let stage = try ServeStage(outputs: counting.showOutputs)
        try stage.start()
        try await stage.give("goto 3").expectDone()
        #expect(counting.count > 0)
        var watch = FaultMonitor(
            showInbox: stage.desk.inbox, followLane: stage.lane, input: SpokenInput([SoundSourceStatus()]),
            packetSender: nil,
            oscOutput: nil,
            brokerOutputs: [], dataFolderPath: stage.folder.path, serviceFaults: counting.watchedFaults)
        watch.checkForFaults()
        #expect(
            await stage.wait {
                stage.desk.inbox.newestSnapshot.openFaults.contains { $0.id == "counting" }
            })
        stage.stop()
    }

    @Test func aLostInputIsToldWithItsReasonAndWhatToDo() async throws {
        let stage = try ServeStage()
        try stage.start()
        let lost = SoundSourceStatus(
            isLost: true, failureReason: "There is no device “room”. Look for another.",
            remedy: "choose another")
        var watch = FaultMonitor(
            showInbox: stage.desk.inbox, followLane: stage.lane, input: SpokenInput([lost]),
            packetSender: nil,
            oscOutput: nil, brokerOutputs: [], dataFolderPath: stage.folder.path, serviceFaults: [])
        watch.checkForFaults()
        #expect(
            await stage.wait {
                stage.desk.inbox.newestSnapshot.openFaults.contains {
                    $0.sentence.contains(
                        "is gone (There is no device “room”. Look for another); choose another. ")
                }
            })
        stage.stop()
    }

    @Test func aDropoutIsToldWhenItHappensAndNotThoseFromBefore() async throws {
        let stage = try ServeStage()
        try stage.start()
        let before = SoundSourceStatus(overruns: 2)
        var watch = FaultMonitor(
            showInbox: stage.desk.inbox, followLane: stage.lane,
            input: SpokenInput([before, before, SoundSourceStatus(overruns: 3)]), packetSender: nil,
            oscOutput: nil, brokerOutputs: [], dataFolderPath: stage.folder.path, serviceFaults: [])
        func told() -> [TechnicalFaultRecord] {
            stage.desk.inbox.newestSnapshot.openFaults.filter { $0.id == "dropouts" }
        }
        watch.checkForFaults()
        watch.checkForFaults()
        try await stage.give("goto 3").expectDone()
        #expect(told().isEmpty)
        watch.checkForFaults()
        #expect(await stage.wait { told().first?.sentence.contains("(dropout 3)") == true })
        stage.stop()
    }

    @Test func itsItemIsPartOfTheCheck() async throws {
        let stage = try ServeStage()
        try stage.start()
        let sections = Mutex<[PreShowCheckSection]>([])
        let check = PreShowCheck(
            PreShowCheck.CheckedComponents(
                followLane: stage.lane, input: SpokenInput([SoundSourceStatus(rms: 0.1)]),
                dataFolderPath: stage.folder.path,
                schedulingPolicies: { [] }, describeBackup: { nil }, referenceModels: { [] },
                listeningSeconds: 0.2,
                serviceItems: Counting().preShowCheckItems), showInbox: stage.desk.inbox
        ) { section in sections.withLock { $0.append(section) } }
        #expect(check.start())
        #expect(
            await stage.wait {
                sections.withLock { $0.last?.items.first { $0.id == "counting" }?.sentence == "It counts." }
            })
        stage.stop()
    }

    @Test func aServerThatIsNotActiveTakesNoChangesOfIt() async {
        for (role, status) in [(ServerRole.main, 200), (.backup, 503)] {
            let routes = ConcertServer.routesRefusingChangesUnlessActive(
                of: [Counting()], changedOnlyBy: Other(role: role))
            let change = routes.first { $0.method == .post }
            #expect(await change?.answered().status == status)
        }
    }
}

extension WebRoute {
    /// The answer to an empty request of nobody.
    fileprivate func answered() async -> WebResponse {
        await response(
            to: WebRequest(
                path: path, pathParameters: [:], queryParameters: [:], rawQuery: "", person: nil,
                sessionToken: nil,
                deviceMark: nil,
                visitorAddress: "127.0.0.1", isOwnMachine: true, contentType: "", origin: "", body: [],
                uploadedFile: nil))
    }
}
