import Foundation
import Synchronization
import Testing

@testable import Concert
@testable import Preparation

/// The forecast of a prepared piece comes with it, is completed in the background, and gives way to people.
@Suite struct ForecastTests {
    private static func forecast() throws -> PieceForecast {
        try JSONDecoder().decode(
            PieceForecast.self,
            from: Data(
                """
                {"rightShare": 0.9, "low": 0.8, "high": 0.95, "literalCopies": [], "advice": ["Add one."],
                 "barsPerSecond": 0.5, "tempoVariation": 0.1}
                """.utf8))
    }

    private static func trials() throws -> TroubleTrials {
        try JSONDecoder().decode(
            TroubleTrials.self,
            from: Data(
                """
                {"trials": [{"trouble": "hall", "recording": "a", "rightShare": 0.7}], "doubtByBar": [null, 0.5],
                 "passages": [{"from": 2, "to": 2, "playedFrom": 1, "playedTo": 1, "troubles": ["hall"],
                               "isWrong": false, "sentence": "Hesitates at bar 2 in a large, noisy hall."}]}
                """.utf8))
    }

    private static func written() throws -> PreparationWorkResult {
        .written(sentence: "Prepared.", forecast: try forecast())
    }

    /// A piece whose preparation and trials have these results, after both have ended.
    private static func prepared(_ trials: PreparationWorkResult) async throws -> (PreparationStage, String) {
        let stage = try PreparationStage(worker: ScriptedWorker(results: [try written(), trials]))
        let piece = try await stage.makePieceWithTwoBars()
        try await stage.service.queue.submit(.prepare(folder: "piece"), of: piece)
        await stage.service.queue.waitUntilDone()
        return (stage, piece)
    }

    @Test func aPreparedPieceGetsItsForecastAndThenItsDifficultBars() async throws {
        let (stage, piece) = try await Self.prepared(.tried(try Self.trials()))
        let json = try await stage.ask(.get, "/api/prepare/pieces/\(piece)").json
        let forecast = try #require(json["forecast"] as? [String: Any])
        #expect(forecast["rightShare"] as? Double == 0.9)
        #expect(json["triesTrouble"] as? Bool == false)
        let trouble = try #require(forecast["trouble"] as? [String: Any])
        #expect((trouble["passages"] as? [[String: Any]])?.first?["playedFrom"] as? Int == 1)
        // The piece is still the one that was prepared, and all of it survives a restart.
        let record = try await stage.service.library.record(piece)
        #expect(record.prepared?.revision == record.revision)
        try stage.restartAfterKill()
        #expect(try await stage.service.library.record(piece).forecast?.trouble == Self.trials())
    }

    @Test func aMarkLeavesAPiecePreparedAndAMovedBarDoesNot() async throws {
        let (stage, piece) = try await Self.prepared(.tried(nil))
        try stage.makeModel(in: try #require(await stage.service.library.record(piece).prepared).folder)
        func isPrepared() async throws -> Bool {
            let record = try await stage.service.library.record(piece)
            let answer = try await stage.respond(.get, "/api/prepare/pieces")
            let listed = try #require(
                try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
            let isChanged = try #require(listed.first { $0["id"] as? String == piece }?["isChanged"] as? Bool)
            #expect(isChanged == (record.prepared?.revision != record.revision))
            return !isChanged
        }
        #expect(try await isPrepared())
        _ = try await stage.service.library.edit(
            piece, [.mark(id: "m", bar: "b", kind: .rehearsal, text: "A")], label: "", author: "Clara")
        #expect(try await isPrepared())
        _ = try await stage.service.library.edit(
            piece, [.number(bar: "b", number: 7)], label: "", author: "Clara")
        #expect(try await !isPrepared())
    }

    @Test func theTrialsGiveWayToWhatPeopleAskForAndBeginAgain() async throws {
        let worker = TryingWorker(written: try Self.written(), tried: .tried(try Self.trials()))
        let stage = try PreparationStage(worker: worker)
        let piece = try await stage.makePieceWithTwoBars()
        let queue = stage.service.queue
        try await queue.submit(.prepare(folder: "piece"), of: piece)
        for await _ in worker.begunTrials { break }
        // The first trials never end by themselves; somebody prepares the piece again.
        let second = try await queue.submit(.prepare(folder: "piece"), of: piece)
        await queue.waitUntilDone()
        #expect(try await queue.job(second, of: piece).state == .done)
        let record = try await stage.service.library.record(piece)
        #expect(record.forecast?.trouble == (try Self.trials()) && record.pending.isEmpty)
    }

    @Test func trialsThatFailLeaveTheForecastAsItWas() async throws {
        let (stage, piece) = try await Self.prepared(.failed(sentences: ["No sound."]))
        let record = try await stage.service.library.record(piece)
        #expect(record.forecast == (try Self.forecast()))
        #expect(record.forecast?.trouble == nil && record.pending.isEmpty)
    }
}

/// A worker whose first trials last until they are interrupted.
private final class TryingWorker: PreparationWorker {
    private let written, tried: PreparationWorkResult
    private let trialCount = Mutex(0)
    let begunTrials: AsyncStream<Void>
    private let beginning: AsyncStream<Void>.Continuation

    init(written: PreparationWorkResult, tried: PreparationWorkResult) {
        (self.written, self.tried) = (written, tried)
        (begunTrials, beginning) = AsyncStream.makeStream()
    }

    func perform(
        _ work: PreparationWork, in folder: String,
        progress: @escaping @Sendable (PreparationProgress) -> Void
    ) async -> PreparationWorkResult {
        guard case .tryTrouble = work else { return written }
        guard
            trialCount.withLock({
                $0 += 1; return $0 == 1
            })
        else { return tried }
        beginning.yield()
        let (endless, continuation) = AsyncStream<Void>.makeStream()
        for await _ in endless {}
        continuation.finish()
        return .failed(sentences: ["It was interrupted."])
    }
}
