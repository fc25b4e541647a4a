import Foundation
import Hosting
import Sound
import Testing

@testable import Preparation
@testable import WebServer

/// A piece begins with a part of an evening that the server recorded.
@Suite struct EveningRangeTests {
    private let evening: EveningStage
    private let stage: PreparationStage

    init() throws {
        evening = try EveningStage()
        // The first sound comes an hour after the beginning of the show; between the parts ten seconds are missing.
        try evening.addPart(Self.steps([0.1, 0.2, 0.3, 0.4]), at: 3_600)
        try evening.addPart(Self.steps([0.5, 0.6, 0.7, 0.8]), at: 3_614)
        stage = try PreparationStage(evenings: [
            RecordedEvening(
                name: EveningStage.name, title: "Rehearsal", pieces: ["Prelude"], isRunning: false,
                parts: evening.parts)
        ])
    }

    /// A second of sound for each value.
    private static func steps(_ values: [Float]) -> [Float] {
        values.flatMap { value in (0..<22_050).map { $0 % 2 == 0 ? value : -value } }
    }

    private struct Range: Encodable {
        var evening = EveningStage.name
        var from: Double
        var to: Double
    }

    private func take(_ range: Range, for piece: String) async throws -> (status: Int, json: [String: Any]) {
        let answer = try await stage.ask(.post, "/api/prepare/pieces/\(piece)/evenings", range)
        await stage.service.queue.waitUntilDone()
        return answer
    }

    @Test func theListSaysWhereTheSoundLiesFromTheFirstSoundOn() async throws {
        let list = try await stage.ask(.get, "/api/prepare/evenings").json
        let first = try #require((list["evenings"] as? [[String: Any]])?.first)
        #expect(first["title"] as? String == "Rehearsal" && first["seconds"] as? Double == 18)
        let parts = try #require(first["parts"] as? [[String: Any]])
        #expect(parts.map { $0["from"] as? Double } == [0, 14])
        #expect(parts.map { $0["number"] as? Int } == [1, 2])
    }

    @Test func thePresentPlaceCountsFromTheFirstSoundAndRunsAheadOfTheFile() async throws {
        let silent = try await stage.ask(.get, "/api/prepare/evenings/now").json
        #expect(silent["seconds"] is NSNull && silent["sentence"] as? String == "Nothing is recorded.")
        stage.evenings.present.withLock {
            $0 = PresentRecording(
                name: EveningStage.name, isRecording: true, sentence: "The sound is being recorded.",
                partNumber: 2, partSeconds: 4.5)
        }
        let place = try await stage.ask(.get, "/api/prepare/evenings/now").json
        #expect(place["evening"] as? String == EveningStage.name && place["seconds"] as? Double == 18.5)
        // A part whose file has no sound yet has no place yet.
        stage.evenings.present.withLock { $0.partNumber = 3 }
        #expect(try await stage.ask(.get, "/api/prepare/evenings/now").json["seconds"] is NSNull)
    }

    @Test func thePageIsToldThatAnEditorMayNotUseEvenings() async throws {
        #expect(try await stage.ask(.get, "/api/prepare/rights").json["evenings"] as? Bool == false)
    }

    @Test func aPartOfAnEveningBecomesTheMainRecordingOfAPiece() async throws {
        let piece = try await stage.makePiece()
        #expect(try await take(Range(from: 1, to: 4), for: piece).status == 200)
        let record = try await stage.service.library.record(piece)
        let recording = try #require(record.mainRecording)
        #expect(recording.name == EveningStage.name && recording.isReady)
        #expect(abs(recording.seconds - 3) < 0.001)
        let samples = try SoundFileReader(path: stage.store.soundPath(of: piece, recording)).readAll()
        #expect(abs(abs(samples[11_025]) - 0.2) < 0.001 && abs(abs(samples[55_125]) - 0.4) < 0.001)
    }

    @Test func whatIsMissingInAPartOfAnEveningIsSilentAndSaid() async throws {
        let piece = try await stage.makePiece()
        _ = try await take(Range(from: 3, to: 15), for: piece)
        let recording = try #require(try await stage.service.library.record(piece).mainRecording)
        #expect(abs(recording.seconds - 12) < 0.001)
        let job = try #require(await stage.service.queue.newestJob(of: piece))
        #expect(job.sentence?.contains("10.0 s are missing at 0:01") == true)
    }

    @Test func aSecondPartOfTheSameEveningIsNamedByItsBeginning() async throws {
        let piece = try await stage.makePiece()
        _ = try await take(Range(from: 0, to: 3), for: piece)
        _ = try await take(Range(from: 14, to: 17), for: piece)
        let record = try await stage.service.library.record(piece)
        #expect(record.recordings.map(\.name) == [EveningStage.name, EveningStage.name + " 0:14"])
        #expect(record.main == record.recordings.first?.id)
    }

    @Test(arguments: [(5.0, 3.0), (0, 1), (-1, 5), (5, 10), (0, 600), (0, 6_000)])
    func aRangeWithoutSoundOrLengthIsRefused(from: Double, to: Double) async throws {
        let piece = try await stage.makePiece()
        let answer = try await take(Range(from: from, to: to), for: piece)
        #expect(answer.status == 422 && ["bad-range", "too-long"].contains(answer.json["code"] as? String))
        #expect(try await stage.service.library.record(piece).pending.isEmpty)
    }

    @Test func anEveningThatWasDeletedMeanwhileGetsASentence() async throws {
        let piece = try await stage.makePiece()
        stage.evenings.deleteAll()
        let answer = try await take(Range(from: 0, to: 3), for: piece)
        #expect(answer.status == 422 && answer.json["code"] as? String == "no-evening")
    }

    @Test func onlyThoseWhoMayBothPrepareAndHearRecordingsMayTakeAnEvening() {
        let access = stage.service.routes.filter { $0.path.hasSuffix("/evenings") }.map(\.access)
        #expect(access == [.roles([.administrator]), .roles([.administrator])])
    }
}
