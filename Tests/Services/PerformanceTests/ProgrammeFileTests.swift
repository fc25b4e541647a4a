import Basics
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

/// The programme of the last evening is kept, and used again.
@Suite(.ownThreads) struct ProgrammeFileTests {
    private let folder: ServeFolder
    private let models: ServeFolder

    init() throws { (folder, models) = (try ServeFolder(), try ServeFolder()) }

    private func read(without missing: Set<String> = []) -> (ProgrammeFile.Beginning, [String]) {
        var said: [String] = []
        let beginning = ProgrammeFile.readBeginning(in: folder.path) {
            (piece) throws(ExplainedError) in
            if missing.contains(piece) { throw ExplainedError("There is no piece “\(piece)”.") }
        } say: {
            said.append($0)
        }
        return (beginning, said)
    }

    @Test func aDamagedFileIsSaidAndKept() throws {
        try folder.write("{\"title\": \"To", to: "programme.json")
        let (beginning, said) = read()
        #expect(beginning.programme == nil)
        #expect(!beginning.isComplete)
        #expect(said.count == 1)
        #expect(said.first?.contains("\(folder.path)/programme.json is damaged") == true)
        #expect(said.first?.contains("change it on the console") == true)
        #expect(folder.text("programme.json.kept") == "{\"title\": \"To")
    }

    @Test func withoutAFileNothingIsSaid() {
        let (beginning, said) = read()
        #expect(beginning.programme == nil)
        #expect(beginning.isComplete)
        #expect(said.isEmpty)
    }

    @Test func intermissionsStayBetweenThePiecesThatAreThere() throws {
        let file = ProgrammeFile(Evening("T"), pieces: ["a", "b", "c", "d", "a"], intermissions: [0, 1, 3])
        try file.write(in: folder.path)
        let (whole, _) = read()
        #expect(whole.programme == file)
        let (rest, said) = read(without: ["b"])
        let left = ProgrammeFile(Evening("T"), pieces: ["a", "c", "d", "a"], intermissions: [0, 2])
        #expect(rest.programme == left)
        #expect(!rest.isComplete)
        #expect(said.count == 2)
        let (end, _) = read(without: ["a", "b"])
        #expect(end.programme == ProgrammeFile(Evening("T"), pieces: ["c", "d"], intermissions: [1]))
        let (none, _) = read(without: ["a", "b", "c", "d"])
        #expect(none.programme == nil)
        #expect(!none.isComplete)
    }

    // MARK: Saving

    private final class Posted: Sendable {
        let events = Mutex<[PodiumEvent]>([])
    }

    private let posted = Posted()

    private func makeChanger(
        _ exchange: FollowerExchange, _ lane: FollowLane,
        _ makeFollower: @escaping ProgrammeChanger.FollowerMaker = { _, _, old in old }
    ) throws -> ProgrammeChanger {
        ProgrammeChanger(
            inbox: ShowEngine.makeInbox(
                to: lane, for: Podium(course: try madeCourse()), isActiveServer: true, at: .zero),
            exchange: exchange,
            loader: ReferenceModelLoader(modelsFolderPath: models.path, recordingsFolderPath: models.path),
            builder: ShowProgrammeBuilder(recordingsFolderPath: models.path, dataFolder: folder.path),
            makeFollower: makeFollower)
    }

    private func makeUpkeep(in data: String, keepsFileUntilChange: Bool = false) throws -> ProgrammeUpkeep {
        let waiting = WaitingFollower(title: "Tonight", sampleRate: LiveFolder.rate)
        let lane = try FollowLane(waiting)
        let exchange = FollowerExchange(lane, first: waiting, programme: try madeCourse())
        return ProgrammeUpkeep(
            changer: try makeChanger(exchange, lane), exchange: exchange, dataFolder: data,
            keepsFileUntilChange: keepsFileUntilChange,
            postEvent: { [posted] event in posted.events.withLock { $0.append(event) } }, say: { _ in })
    }

    private func snapshot(_ programme: ShowProgramme) -> ShowEngineSnapshot {
        let podium = Podium(course: programme)
        return ShowEngineSnapshot(
            now: .zero, programme: programme, state: podium.state, measureFraction: 0, newestReport: nil,
            isActiveServer: true, nextCueCountdown: nil)
    }

    private func reversed() throws -> ShowProgramme {
        let course = try madeCourse()
        return try ShowProgramme(title: "Made", pieces: course.pieces.reversed())
    }

    @Test func aFileThatCouldNotBeUsedStaysUntilSomebodyChangesTheProgramme() async throws {
        try folder.write("damaged", to: "programme.json")
        let upkeep = try makeUpkeep(in: folder.path, keepsFileUntilChange: true)
        upkeep.receiveSnapshot(snapshot(try madeCourse()))
        upkeep.receiveSnapshot(snapshot(try madeCourse()))
        await upkeep.close()
        #expect(folder.text("programme.json") == "damaged")
        upkeep.receiveSnapshot(snapshot(try reversed()))
        await upkeep.close()
        #expect(try ProgrammeFile.read(in: folder.path)?.pieces == ["melody-2", "melody-1"])
    }

    @Test func theNewestProgrammeIsWrittenLast() async throws {
        let upkeep = try makeUpkeep(in: folder.path)
        for _ in 0..<50 {
            upkeep.receiveSnapshot(snapshot(try reversed()))
            upkeep.receiveSnapshot(snapshot(try madeCourse()))
        }
        let written = await eventually {
            (try? ProgrammeFile.read(in: folder.path))?.pieces == ["melody-1", "melody-2"]
        }
        #expect(written)
        await upkeep.close()
        #expect(try ProgrammeFile.read(in: folder.path)?.pieces == ["melody-1", "melody-2"])
    }

    @Test func theFaultEndsWhenTheFileCanBeWrittenAgain() async throws {
        let data = folder.path + "/later"
        let upkeep = try makeUpkeep(in: data)
        upkeep.receiveSnapshot(snapshot(try madeCourse()))
        await upkeep.close()
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        await upkeep.close()
        await upkeep.close()
        #expect(try ProgrammeFile.read(in: data)?.pieces == ["melody-1", "melody-2"])
        let events = posted.events.withLock { $0 }
        #expect(events.last == .faultEnded("programme-file"))
        #expect(events.count { $0 == .faultEnded("programme-file") } == 1)
        guard case .fault(let fault) = events.first else {
            Issue.record("no fault was posted")
            return
        }
        #expect(fault.id == "programme-file")
    }

    // MARK: Models

    /// Copies a model of the small concert.
    private func addModel(_ name: String) throws {
        let source = Repository.root.appending(path: "Models/" + Repository.concert[1]).path
        try FileManager.default.copyItem(atPath: source, toPath: "\(models.path)/\(name)")
    }

    /// The address of a model's frames, which is the same for copies that share them.
    private func frameAddress(_ model: ReferenceModel) -> [UInt8] {
        withUnsafeBytes(of: model.tiledFramesByRecording) { Array($0) }
    }

    @Test func modelsThatWereLoadedAtTheStartAreMadeReadyLaterAndNotLoadedAgain() async throws {
        try addModel("piece")
        let loader = ReferenceModelLoader(modelsFolderPath: models.path, recordingsFolderPath: models.path)
        let loaded = try loader.loadUnreadyProgramme(RequestedProgramme("piece,piece"))
        #expect(loaded.pieceModels.allSatisfy { !$0.isReadyToFollow })
        let course = try ShowProgrammeBuilder(recordingsFolderPath: models.path, dataFolder: folder.path)
            .buildProgramme(of: loaded, folders: ["piece", "piece"])
        let waiting = WaitingFollower(programme: loaded, sampleRate: LiveFolder.rate)
        let lane = try FollowLane(waiting)
        let exchange = FollowerExchange(lane, first: waiting, programme: course, isReady: false)
        let made = Mutex<[(kept: [Int?], models: [ReferenceModel])]>([])
        let changer = try makeChanger(exchange, lane) { programme, kept, _ in
            made.withLock { $0.append((kept, programme.pieceModels)) }
            return FollowerBox(WaitingFollower(programme: programme, sampleRate: LiveFolder.rate))
        }
        // Only the date of this file is looked at; whatever else the model consists of is gone.
        for file in try FileManager.default.contentsOfDirectory(atPath: models.path + "/piece")
        where file != "model.json" {
            try FileManager.default.removeItem(atPath: "\(models.path)/piece/\(file)")
        }
        try await changer.followProgramme(course)
        let models = try #require(made.withLock { $0.first })
        #expect(models.kept == [nil, nil], "a follower that waits has nothing to keep")
        #expect(models.models.allSatisfy { $0.isReadyToFollow })
        #expect(frameAddress(models.models[0]) == frameAddress(models.models[1]))
        #expect(exchange.handOver(for: course))
        #expect(exchange.follows(course))
    }

    @Test func afterARefusedChangeAModelThatWasPreparedAnewIsLoadedAgainAndOnce() async throws {
        try addModel("piece")
        let loader = ReferenceModelLoader(modelsFolderPath: models.path, recordingsFolderPath: models.path)
        let one = try loader.loadProgramme(RequestedProgramme("piece"))
        let builder = ShowProgrammeBuilder(recordingsFolderPath: models.path, dataFolder: folder.path)
        let first = LiveFolder.concert(one)
        let lane = try FollowLane(first)
        let exchange = FollowerExchange(
            lane, first: first, programme: try builder.buildProgramme(of: one, folders: ["piece"]))
        let made = Mutex<[(kept: [Int?], models: [ReferenceModel])]>([])
        let changer = try makeChanger(exchange, lane) { programme, kept, _ in
            made.withLock { $0.append((kept, programme.pieceModels)) }
            return FollowerBox(WaitingFollower(title: programme.title, sampleRate: LiveFolder.rate))
        }
        let two = try loader.loadProgramme(RequestedProgramme("piece,piece"))
        let course = try builder.buildProgramme(of: two, folders: ["piece", "piece"])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
            ofItemAtPath: models.path + "/piece/model.json")
        for _ in 0..<2 {
            try await changer.followProgramme(course)
            exchange.dropPrepared()
        }
        #expect(made.withLock { $0.map(\.kept) } == [[nil, nil], [nil, nil]])
        for models in made.withLock({ $0.map(\.models) }) + [two.pieceModels] {
            #expect(frameAddress(models[0]) == frameAddress(models[1]), "pieces of one folder share frames")
        }
        #expect(frameAddress(one.pieceModels[0]) != frameAddress(two.pieceModels[0]))
        try await changer.followProgramme(course)
        #expect(exchange.handOver(for: course))
    }
}
