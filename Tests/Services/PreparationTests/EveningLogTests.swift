import Basics
import Foundation
import ReferenceStore
import Score
import Testing

@testable import Preparation
@testable import ShowLog

/// The show log says where in a recording a piece was played, unless it is of another evening.
@Suite struct EveningLogTests {
    private let stage: EveningStage

    init() throws {
        stage = try EveningStage()
        try stage.copyModel(EveningStage.minuet)
        try stage.copyModel(EveningStage.bach)
    }

    private func measures(_ piece: String) throws -> (String, MeasureMap) {
        let model = try ModelFolder(path: stage.modelsFolder).loadModel(piece).model
        return (model.pieceName.text, model.measures)
    }

    private func ranges(of piece: String) throws -> [Range<Double>] {
        guard case .positions(let positions) = stage.log else { return [] }
        let (name, map) = try measures(piece)
        return EveningStretches(in: positions, piece: name, measures: map).ranges
    }

    @Test func eachPieceIsLookedForWhereTheShowWasInIt() throws {
        try stage.addPart([0], at: 0)
        try stage.writeLog(
            (0..<35).map { (100 + 4 * Double($0), 0, $0) } + (0..<64).map { (300 + 1.5 * Double($0), 1, $0) },
            pieces: [EveningStage.bach, EveningStage.minuet])
        let bach = try #require(try ranges(of: EveningStage.bach).first)
        #expect(try ranges(of: EveningStage.bach).count == 1)
        #expect(
            bach.lowerBound < 100 && bach.lowerBound > 60 && bach.upperBound > 236 && bach.upperBound < 300)
        let minuet = try #require(try ranges(of: EveningStage.minuet).first)
        #expect(minuet.lowerBound < 300 && minuet.lowerBound > 260 && minuet.upperBound > 395)
    }

    @Test func aPieceThatWasRehearsedTwiceHasTwoStretches() throws {
        try stage.addPart([0], at: 0)
        try stage.writeLog(
            (0..<35).map { (100 + 4 * Double($0), 0, $0) }
                + (0..<35).map { (1_000 + 4 * Double($0), 0, $0) },
            pieces: [EveningStage.bach])
        #expect(try ranges(of: EveningStage.bach).count == 2)
    }

    @Test func aRehearsalThatNoListenerSawIsKnownToo() throws {
        try stage.addPart([0], at: 0)
        try stage.writeLog(
            (0..<35).map { (100 + 4 * Double($0), 0, $0) }, pieces: [EveningStage.bach], isRehearsal: true)
        #expect(try ranges(of: EveningStage.bach).count == 1)
    }

    @Test func whereTheFollowerCameInLateThereIsRoomForTheBarsBefore() throws {
        try stage.addPart([0], at: 0)
        let (_, map) = try measures(EveningStage.bach)
        try stage.writeLog((20..<35).map { (400 + 4 * Double($0), 0, $0) }, pieces: [EveningStage.bach])
        let range = try #require(try ranges(of: EveningStage.bach).first)
        #expect(range.lowerBound < 480 - map.marks[20].onset.seconds)
    }

    @Test func withoutALogThereIsASentence() throws {
        try stage.addPart([0], at: 0)
        guard case .unusable(let sentence) = stage.log else {
            Issue.record("there is no log")
            return
        }
        #expect(sentence.contains("no show log"))
    }

    @Test func aLogOfAnotherEveningIsNotBelieved() throws {
        try stage.addPart([0], at: 0)
        try stage.writeLog([(10, 0, 0)], pieces: [EveningStage.bach], started: "2026-11-20T19:00:00Z")
        guard case .unusable(let sentence) = stage.log else {
            Issue.record("the log is of the evening before")
            return
        }
        #expect(sentence.contains("do not fit each other") && sentence.contains("1500 minutes"))
    }

    @Test func aRecordingWithoutAShowNeedsNoLog() throws {
        try stage.addPart([0], at: nil)
        try stage.writeLog([(10, 0, 0)], pieces: [EveningStage.bach])
        guard case .unusable(let sentence) = stage.log else {
            Issue.record("the recording has no show time")
            return
        }
        #expect(sentence.contains("does not say at which time of the show"))
    }
}
