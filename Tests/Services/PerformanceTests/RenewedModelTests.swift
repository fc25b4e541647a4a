import Following
import Foundation
import Podium
import Repository
import Synchronization
import Testing

@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

/// A piece that is prepared anew is taken by the running show, and the console says so.
@Suite(.ownThreads) struct RenewedModelTests {
    private static let minuet = "petzold-anna-magdalena-notebook-minuet-in-g"
    private let folder: ServeFolder
    private let said = Sentences()

    private final class Sentences: Sendable {
        private let held = Mutex<[String]>([])
        var all: [String] { held.withLock { $0 } }
        func add(_ sentence: String) { held.withLock { $0.append(sentence) } }
    }

    init() throws {
        folder = try ServeFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/Models", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Repository.root.path + "/Models/" + Self.minuet,
            toPath: folder.path + "/Models/" + Self.minuet)
    }

    /// A show of one piece that was given these commands.
    private func makeChanger(
        after words: [String]
    ) throws -> (ProgrammeChanger, FollowerExchange, ShowProgramme) {
        let loader = ReferenceModelLoader(
            modelsFolderPath: folder.path + "/Models", recordingsFolderPath: Repository.recordings.path)
        let concert = ConcertProgramme(
            title: "Tonight", loadedModels: [try loader.loadModelWithSections(Self.minuet)])
        let builder = ShowProgrammeBuilder(
            recordingsFolderPath: Repository.recordings.path, dataFolder: folder.path)
        var podium = Podium(course: try builder.buildProgramme(of: concert, folders: [Self.minuet]))
        for word in words {
            let command = try PodiumCommand(words: word.split(separator: " ").map(String.init))
            _ = podium.process(
                .command(command, by: CommandSender(name: "Clara", role: .technician), epoch: nil), at: .zero)
        }
        let waiting = WaitingFollower(programme: concert, sampleRate: LiveFolder.rate)
        let lane = try FollowLane(waiting)
        let exchange = FollowerExchange(lane, first: waiting, programme: podium.course)
        let changer = ProgrammeChanger(
            inbox: ShowEngine.makeInbox(to: lane, for: podium, isActiveServer: true, at: .zero),
            exchange: exchange, loader: loader, builder: builder,
            notify: { [said] in said.add($0) },
            makeFollower: { programme, _, _ in
                FollowerBox(WaitingFollower(programme: programme, sampleRate: LiveFolder.rate))
            })
        return (changer, exchange, podium.course)
    }

    private func prepareAnew() throws {
        let path = "\(folder.path)/Models/\(Self.minuet)/model.json"
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: path)
    }

    @Test func aPieceThatIsAwaitedIsFollowedAsItWasPreparedAnew() async throws {
        let (changer, exchange, programme) = try makeChanger(after: [])
        await changer.takeModels()
        #expect(!exchange.hasPrepared(for: programme), "nothing has changed")
        try prepareAnew()
        await changer.takeModels()
        #expect(exchange.hasPrepared(for: programme))
        #expect(said.all.isEmpty, "it is not followed yet")
        #expect(exchange.handOverRenewed(for: programme, at: 0, isAwaited: true))
        await changer.takeModels()
        #expect(said.all.count == 1 && said.all[0].contains("as it was prepared anew"))
        await changer.takeModels()
        #expect(said.all.count == 1)
    }

    @Test func aPieceThatIsPlayedGoesOnAndTheConsoleSaysThatItWaits() async throws {
        let (changer, exchange, programme) = try makeChanger(after: ["take", "tap"])
        try prepareAnew()
        await changer.takeModels()
        await changer.takeModels()
        #expect(!exchange.hasPrepared(for: programme))
        #expect(said.all.count == 1 && said.all[0].contains("when this performance"))
    }
}
