import Podium
import Repository
import Testing

@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

/// An intermission that cannot be planned is refused, instead of vanishing from a programme that was accepted.
@Suite(.ownThreads) struct ProgrammeIntermissionTests {
    private static let pieces = Array(Repository.concert.prefix(2))

    private func change(_ pieces: [String], _ intermissions: [Int]) async throws -> ProgrammeChangeOutcome {
        let folder = try ServeFolder()
        return await change(
            pieces, intermissions,
            of: try IdleProgrammeChanger(
                models: Repository.root.path + "/Models", recordings: folder.path))
    }

    private func change(
        _ pieces: [String], _ intermissions: [Int], of idle: IdleProgrammeChanger
    ) async -> ProgrammeChangeOutcome {
        await idle.changer.changeProgramme(
            to: WantedProgramme(
                pieces: pieces, intermissions: intermissions, revision: idle.revision),
            by: CommandSender(name: "Clara", role: .technician))
    }

    @Test(arguments: [[99], [-1], [1], [0, 2]]) func impossibleIntermissionIsRefused(_ wanted: [Int])
        async throws
    {
        guard case .notPossible(let sentence) = try await change(Self.pieces, wanted) else {
            Issue.record("\(wanted) was taken")
            return
        }
        #expect(sentence.contains("no intermission") && sentence.contains("only be 0"), "\(sentence)")
    }

    @Test func onePieceHasNoIntermission() async throws {
        guard case .notPossible(let sentence) = try await change([Self.pieces[0]], [0]) else {
            Issue.record("0 was taken")
            return
        }
        #expect(sentence.contains("at least two pieces"), "\(sentence)")
    }

    @Test func aChangeWaitsUntilThePiecesOfAContinuedShowAreLoaded() async throws {
        let folder = try ServeFolder()
        let idle = try IdleProgrammeChanger(
            models: Repository.root.path + "/Models", recordings: folder.path, isLoaded: false)
        async let outcome = change([Self.pieces[0]], [0], of: idle)
        let loaded = FollowerBox(WaitingFollower(title: "Tonight", sampleRate: LiveFolder.rate))
        #expect(
            idle.exchange.keepPrepared(loaded, for: idle.programme, continuing: idle.exchange.newest.box))
        #expect(idle.exchange.handOver(for: idle.programme))
        guard case .notPossible(let sentence) = await outcome else {
            Issue.record("the intermission was taken")
            return
        }
        #expect(sentence.contains("at least two pieces"), "\(sentence)")
    }
}
