import Foundation
import Podium
import Testing

@testable import ShowLog

@Suite struct ShowReportTests {
    let scratch = ScratchFolder()

    /// Ten measures of two seconds each, a hold, a fault.
    func playedShow() throws -> String {
        let folder = try ServerDataFolder(path: scratch.path + "/data")
        let path = try folder.makeShowFolder(title: "Evening", began: "2026-05-04-193000")
        let writer = try ShowLogWriter(show: path, title: "Evening", started: "2026-05-04T19:30:00Z")
        var show = PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: PlayedShow.course()),
            from: 5_000)
        for measure in 0..<10 {
            show.take(show.word(piece: 0, played: measure, fraction: 0))
            show.now += 2_000
            if measure == 4 { show.take(.fault(TechnicalFault(id: "input", sentence: "The input is gone."))) }
            if measure == 5 { show.take(.faultEnded("input")) }
            _ = show.recorder.recordTraffic(
                PacketAndClientCounts(packets: UInt64(measure) * 10, clients: ["osc": 1, "console": 1]),
                at: ShowTime(milliseconds: show.now))
        }
        show.command("lock", "on")
        show.command("piece", "2")
        _ = show.recorder.recordNote("Applause", at: ShowTime(milliseconds: show.now))
        _ = show.recorder.recordShowEnd(at: ShowTime(milliseconds: show.now + 500))
        return path
    }

    @Test func theReportTellsWhatWasPlayedWhenAndByWhom() throws {
        let path = try playedShow()
        let report = try ShowReport(show: path)
        #expect(report.title == "Evening" && report.started == "2026-05-04T19:30:00Z")
        #expect(report.ended != nil && report.lastedMilliseconds == 25_500 && report.missingLines == 0)
        #expect(report.pieces.map(\.name).count == 3)
        let rows = report.pieces[0].measures
        #expect(rows.map(\.played) == Array(0..<10) && rows.map(\.at) == (0..<10).map { 5_000 + 2_000 * $0 })
        let inner = rows.dropFirst().dropLast()
        #expect(inner.allSatisfy { $0.liveSeconds == 2 && $0.referenceSeconds == 2.125 })
        #expect(rows.first?.liveSeconds == nil && rows.last?.liveSeconds == nil)
        #expect(report.folder == URL(fileURLWithPath: path).lastPathComponent)
        #expect(report.interventions.map(\.what) == ["lock on", "piece 2"])
        #expect(report.interventions.allSatisfy { $0.who == "Ada" })
        #expect(report.interventions[0].refused == nil && report.interventions[1].refused != nil)
        #expect(
            report.faults == [.init(at: 15_000, until: 17_000, id: "input", sentence: "The input is gone.")])
        #expect(report.holders.first == .init(atMilliseconds: 5_000, stateName: "follower"))
        #expect(report.packets.last == [25_000, 90] && report.clients == [[7_000, 2]])
        #expect(report.notes.map(\.text) == ["Applause"])
        let again = try LogJSON.decode(ShowReport.self, from: report.json)
        #expect(again == report)
    }

    @Test func theMeasureInWhichTheFollowerFindsTheMusicHasNoTempo() throws {
        let folder = try ServerDataFolder(path: scratch.path + "/found")
        let path = try folder.makeShowFolder(title: "Evening", began: "2026-05-04-193000")
        let writer = try ShowLogWriter(show: path, title: "Evening", started: "2026-05-04T19:30:00Z")
        var show = PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: PlayedShow.course()))
        for piece in 0..<2 {
            show.command("piece", "\(piece + 1)")
            // Measures of two seconds; the follower is sure of the first one after 1.4 s.
            show.now += 1_400
            show.take(show.word(piece: piece, played: 0, fraction: 0.7))
            show.now += 600
            for measure in 1..<5 {
                show.take(show.word(piece: piece, played: measure, fraction: 0))
                show.now += 2_000
            }
        }
        _ = show.recorder.recordShowEnd(at: ShowTime(milliseconds: show.now))
        for piece in try ShowReport(show: path).pieces.prefix(2) {
            #expect(piece.measures.map(\.played) == Array(0..<5))
            #expect(piece.measures.map(\.liveSeconds) == [nil, 2, 2, 2, nil])
        }
    }

    @Test func aFalseStartIsNotInTheReport() throws {
        let folder = try ServerDataFolder(path: scratch.path + "/false")
        let path = try folder.makeShowFolder(title: "Evening", began: "2026-05-04-193000")
        let writer = try ShowLogWriter(show: path, title: "Evening", started: "2026-05-04T19:30:00Z")
        var show = PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: PlayedShow.course()))
        show.command("begin")
        show.now += 28_000
        show.command("begin")
        for measure in 0..<5 {
            show.take(show.word(piece: 0, played: measure, fraction: 0))
            show.now += 2_000
        }
        _ = show.recorder.recordShowEnd(at: ShowTime(milliseconds: show.now))
        #expect(
            try ShowReport(show: path).pieces[0].measures.map(\.at) == (0..<5).map { 28_000 + 2_000 * $0 })
    }

    @Test func theLastStateOfAPieceEndsWhereAnotherPieceBegins() throws {
        let folder = try ServerDataFolder(path: scratch.path + "/left")
        let path = try folder.makeShowFolder(title: "Evening", began: "2026-05-04-193000")
        let writer = try ShowLogWriter(show: path, title: "Evening", started: "2026-05-04T19:30:00Z")
        var show = PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: PlayedShow.course()))
        for piece in [0, 1, 0] {
            show.command("piece", "\(piece + 1)")
            show.now += 1_000
            show.take(show.word(piece: piece, played: 0, fraction: 0))
            show.now += 10_000
        }
        _ = show.recorder.recordShowEnd(at: ShowTime(milliseconds: show.now))
        let states = try ShowReport(show: path).pieces.map(\.states)
        let left = states[0].indices.filter { states[0][$0].stateName == ShowReport.leftStateName }
        #expect(left.count == 1 && left[0] > 0 && left[0] < states[0].count - 1)
        let begins = try #require(states[1].first).atMilliseconds
        #expect(left.allSatisfy { states[0][$0].atMilliseconds == begins })
    }

    @Test func aMeasureInWhichSomebodyMovedThePlaceHasNoTempo() throws {
        let folder = try ServerDataFolder(path: scratch.path + "/moved")
        let path = try folder.makeShowFolder(title: "Evening", began: "2026-05-04-193000")
        let writer = try ShowLogWriter(show: path, title: "Evening", started: "2026-05-04T19:30:00Z")
        var show = PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: PlayedShow.course()))
        for measure in 0..<12 where measure != 4 {
            show.take(show.word(piece: 0, played: measure, fraction: 0))
            show.now += 1_000
            // Half-way through measure 3 somebody says that it is measure 4; measure 8 is noted only.
            if measure == 3 { show.command("nudge", "1") }
            if measure == 8 { show.command("note", "Violas late") }
            show.now += 1_000
        }
        _ = show.recorder.recordShowEnd(at: ShowTime(milliseconds: show.now))
        let rows = try ShowReport(show: path).pieces[0].measures
        #expect(rows.contains { $0.played == 4 && $0.at == 7_000 })
        let broken = rows.dropLast().filter { $0.liveSeconds == nil }.map(\.played)
        #expect(broken == [0, 3, 4])
        #expect(rows.allSatisfy { $0.liveSeconds ?? 2 == 2 })
    }

    @Test func aChangedOrderOfTheProgrammeLeavesEachPieceItsOwnMeasures() throws {
        let folder = try ServerDataFolder(path: scratch.path + "/changed")
        let path = try folder.makeShowFolder(title: "Evening", began: "2026-05-04-193000")
        let writer = try ShowLogWriter(show: path, title: "Evening", started: "2026-05-04T19:30:00Z")
        let whole = PlayedShow.course(pieces: 4).pieces
        let (first, second, third, encore) = (whole[0], whole[1], whole[2], whole[3])
        var show = PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: try ShowProgramme(title: "Evening", pieces: [first, second, third])))
        func play(_ piece: Int, from measure: Int) {
            for played in measure..<measure + 5 {
                show.take(show.word(piece: piece, played: played, fraction: 0))
                show.now += 2_000
            }
        }
        play(0, from: 0)
        // In the middle of the first piece the third comes before it, the second is left out, and an encore is added.
        show.take(.programmeChanged(try ShowProgramme(title: "Evening", pieces: [third, first, encore])))
        play(1, from: 5)
        show.command("piece", "3")
        play(2, from: 0)
        _ = show.recorder.recordShowEnd(at: ShowTime(milliseconds: show.now))
        let report = try ShowReport(show: path)
        let playedByName = Dictionary(
            uniqueKeysWithValues: report.pieces.map { ($0.name, $0.measures.map(\.played)) })
        #expect(playedByName[first.name.text] == Array(0..<10))
        #expect(playedByName[encore.name.text] == Array(0..<5))
        #expect(playedByName[third.name.text] == [])
        #expect(report.pieces.count == 3)
        // The measure in which the programme changed has its tempo.
        let rows = try #require(report.pieces.first { $0.name == first.name.text }).measures
        #expect(rows.dropFirst().dropLast().allSatisfy { $0.liveSeconds == 2 })
    }

    @Test func accuracyIsTheDistanceFromTheTruth() throws {
        var report = try ShowReport(show: try playedShow())
        scratch.write(
            Array("measure,time\n".utf8)
                + (1...11).flatMap { Array("\($0),\(Double($0 - 1) * 2 - ($0 == 4 ? 0.7 : 0.1))\r\n".utf8) },
            to: "truth.csv")
        let truth = try TrueMeasureTimes(file: scratch.path + "/truth.csv")
        report.addAccuracy(piece: 0, comparedWith: truth, beginsAt: ShowTime(milliseconds: 5_000))
        let accuracy = try #require(report.accuracy)
        #expect(accuracy.measures == 10 && accuracy.missed == 1)
        #expect(accuracy.medianSeconds == 0.1 && accuracy.worstSeconds == 0.7)
        #expect(accuracy.within300Milliseconds == 0.818 && accuracy.withinOneSecond == 0.909)
        report.addAccuracy(piece: 0, comparedWith: truth)
        #expect(report.accuracy?.medianSeconds == 0 && report.accuracy?.isBeginningEstimated == true)
    }

    @Test func aTruthThatIsNoneIsRefusedByRow() {
        scratch.write(Array("measure,time\n1,0\n2,soon\n".utf8), to: "truth.csv")
        let path = scratch.path + "/truth.csv"
        #expect(throws: ShowLogFault.unreadableMeasureTimeRow(path: path, row: 3)) {
            try TrueMeasureTimes(file: path)
        }
    }
}
