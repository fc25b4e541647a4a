import Foundation
import Listening
import ReferenceStore
import Testing

@testable import Preparation

/// A recorded evening becomes a further reference of its pieces; one that is refused changes nothing.
@Suite(.serialized) struct EveningReferenceTests {
    private let stage: EveningStage
    private let minuet = EveningStage.minuet

    init() throws {
        stage = try EveningStage()
        try stage.copyModel(EveningStage.minuet)
    }

    private func references() throws -> [StoredReference] {
        try ModelFolder(path: stage.modelsFolder).loadModel(minuet).referenceDetails
    }

    /// The largest distance of the new reference's bars from the truth, apart from the first and the last.
    private func largestError(_ truth: [Double], cutAt second: Double) throws -> Double {
        let found = try #require(try references().last).measures.marks.map { $0.onset.seconds + second }
        #expect(found.count == truth.count)
        return zip(found, truth).dropFirst().dropLast().map { abs($0 - $1) }.max() ?? 0
    }

    @Test func theShowLogLeadsToThePiece() async throws {
        let onsets = try EveningStage.measures(minuet, "gentle")
        try stage.addPart(
            EveningStage.noise(seconds: 30) + EveningStage.samples(minuet, "gentle")
                + EveningStage.noise(seconds: 20), at: 100)
        try stage.writeLog(onsets.enumerated().map { (130 + $1, 0, $0) }, pieces: [minuet])
        let result = try await stage.reference().add(minuet)
        #expect(result.isWritten && result.measures == 64 && result.segments.count == 1)
        #expect(abs(result.segments[0].place.seconds - 30 - onsets[0]) < 0.2)
        #expect(result.sentences.count == 1 && result.sentences[0].contains("from beginning to end"))
        #expect(try references().map(\.name) == ["dance", EveningStage.name])
        let lead = try #require(try references().first).measures.marks[0].onset.seconds
        #expect(try largestError(onsets, cutAt: result.segments[0].place.seconds - 30 - lead) < 0.25)
        // The same evening is not added twice.
        await #expect(throws: PreparationError.self) { try await stage.reference().add(minuet) }
        #expect(try references().count == 2)
    }

    @Test func aLogThatLeadsElsewhereDoesNotHinder() async throws {
        try stage.addPart(
            EveningStage.samples(minuet, "gentle") + EveningStage.noise(seconds: 200), at: 0)
        try stage.writeLog((0..<64).map { (200 + 1.2 * Double($0), 0, $0) }, pieces: [minuet])
        let result = try await stage.reference(onlyChecks: true).add(minuet)
        #expect(result.sentences.contains { $0.contains("does not sound like it") })
        #expect(try references().count == 1 && !result.isWritten)
    }

    @Test func aRestartOfTheServerLeavesASilentGap() async throws {
        let samples = try EveningStage.samples(minuet, "gentle")
        let (stop, next) = (60 * 22_050, Int(62.5 * 22_050))
        try stage.addPart(EveningStage.noise(seconds: 5) + samples[..<stop], at: 10)
        try stage.addPart(Array(samples[next...]), at: 10 + 5 + 62.5)
        let result = try await stage.reference().add(minuet)
        #expect(result.sentences.contains { $0.contains("2.5 s of the recording are missing near bar") })
        #expect(Set(result.doubtful.map(\.place.part)).isSubset(of: [1, 2]))
        #expect(try references().count == 2)
    }

    @Test func aRehearsalWithAStopIsTakenTogether() async throws {
        let samples = try EveningStage.samples(minuet, "gentle")
        let onsets = try EveningStage.measures(minuet, "gentle")
        // The players stop in bar 40 and begin again two bars before, at the same place of the repeat.
        try stage.addPart(
            EveningStage.noise(seconds: 5) + samples[..<Int((onsets[39] + 0.7) * 22_050)]
                + EveningStage.noise(seconds: 12) + samples[Int(onsets[36] * 22_050)...], at: nil)
        let result = try await stage.reference().add(minuet)
        #expect(result.segments.count == 2)
        #expect(result.sentences.contains { $0.contains("taken together from 2 passages") })
        #expect(try references().count == 2)
    }

    @Test func aPieceThatWasNotPlayedToItsEndIsRefused() async throws {
        let before = try stage.modelBytes(minuet)
        try stage.addPart(Array(try EveningStage.samples(minuet, "gentle").prefix(60 * 22_050)), at: nil)
        await #expect {
            try await stage.reference().add(minuet)
        } throws: { error in
            (error as? PreparationError)?.sentences.last?.contains("was not played completely: ") == true
        }
        #expect(try stage.modelBytes(minuet) == before)
    }

    @Test func anotherPieceIsNotHeard() async throws {
        try stage.addPart(try EveningStage.samples(EveningStage.bach, "swift"), at: nil)
        await #expect {
            try await stage.reference().add(minuet)
        } throws: { error in
            (error as? PreparationError)?.sentences.last?.contains("is not heard in the recording") == true
        }
    }
}
