import Basics
import Concert
import Following
import Foundation
import Podium
import Score
import Synchronization
import Testing
import Titles

@testable import Audience
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers
@testable import WebServer

/// A podium whose effects go to the audience's stream, as the desk brings them there.
final class Hall {
    var podium: Podium
    let hub = EventHub()
    let output: AudienceOutput
    private(set) var effects: [PodiumEffect] = []
    private let clock: Box

    init(
        _ course: ShowProgramme, content: PublishedConcert?, state: PodiumState? = nil,
        at milliseconds: Int64 = 0
    ) {
        podium = state.map { Podium(course: course, continuing: $0) } ?? Podium(course: course)
        let time = Box(milliseconds)
        clock = time
        output = AudienceOutput(
            hub: hub, show: "evening", content: { content },
            clock: { time.value })
    }

    private final class Box: Sendable {
        private let held: Mutex<Int64>
        init(_ value: Int64) { held = Mutex(value) }
        var value: Int64 { held.withLock { $0 } }
        func add(_ step: Int64) { held.withLock { $0 += step } }
    }

    /// Gives a command 20 ms later and carries out what follows.
    @discardableResult
    func obey(_ words: String...) throws -> [PodiumEffect] { try obey(words) }

    @discardableResult
    func obey(_ words: [String]) throws -> [PodiumEffect] {
        let command = try PodiumCommand(words: words)
        clock.add(20)
        let effects = podium.process(
            .command(command, by: CommandSender(name: "Ines", role: .technician), epoch: nil),
            at: ShowTime(milliseconds: clock.value))
        for case .refused(let refusal) in effects { Issue.record("\(words): \(refusal.sentence)") }
        for effect in effects { output.performEffect(effect, of: podium.course) }
        self.effects += effects
        picture()
        return effects
    }

    /// Something else than a command.
    func take(_ event: PodiumEvent, after milliseconds: Int64 = 20) {
        clock.add(milliseconds)
        for effect in podium.process(event, at: ShowTime(milliseconds: clock.value)) {
            output.performEffect(effect, of: podium.course)
        }
        picture()
    }

    func picture() {
        output.receiveSnapshot(
            ShowEngineSnapshot(
                now: ShowTime(milliseconds: clock.value), programme: podium.course, state: podium.state,
                measureFraction: 0,
                newestReport: nil, isActiveServer: true, nextCueCountdown: nil))
    }

    struct Live: Decodable, Equatable {
        var show: String
        var epoch: String
        var sequence: Int64
        var piece: Int?
        var pieceName: String?
        var measure: Int?
        var played: Int?
        var view: String
        var phase: String
        var isBrokenOff: Bool
    }

    struct Message: Decodable, Equatable {
        var id: String
        var title: String
    }

    var live: Live {
        get throws { try JSONDecoder().decode(Live.self, from: Data(try #require(hub.newestValue("live")))) }
    }

    var message: Message? {
        get throws {
            try JSONDecoder().decode(Message?.self, from: Data(try #require(hub.newestValue("message"))))
        }
    }
}

@Suite struct AudienceTitleTests {
    private func shown(
        _ number: Int?, onPhones: Bool = true, hidden: Bool = false, blank: ScreenBlank = .none
    )
        -> ShownTitle
    {
        ShownTitle(
            piece: 0, number: number, isHidden: hidden, blank: blank, isByHand: true, isFadeEnded: false,
            isOnPhones: onPhones)
    }

    @Test func phonesGetTheTitleOnlyWhereItIsAllowedAndNothingWhileItIsHidden() throws {
        let list = try TitleList([
            Title(texts: [TitleText(language: "de", text: "Eins"), TitleText(language: "en", text: "")])
        ])
        let plain = try ShowProgramme(
            title: "Tonight",
            pieces: [
                ShowPiece(
                    name: try PieceName("A, B: C"), folder: "a",
                    measures: try MeasureMap(
                        marks: [PlayedMeasure(printed: 1, onset: ReferenceTime(seconds: 0))],
                        end: ReferenceTime(seconds: 1)))
            ])
        let sung = try plain.replacingTitles(of: 0, by: list)
        #expect(AudienceTitleSection(shown(1, onPhones: false), of: sung) == nil)
        #expect(AudienceTitleSection(shown(1), of: plain) == nil, "a piece without titles")
        #expect(AudienceTitleSection(nil, of: sung) == nil)
        let section = try #require(AudienceTitleSection(shown(1), of: sung))
        #expect(section.texts == ["de": "Eins"] && section.languages == ["de", "en"])
        for other in [shown(nil), shown(1, hidden: true), shown(1, blank: .black)] {
            #expect(AudienceTitleSection(other, of: sung)?.texts == [:])
        }
    }
}

extension PublishedConcert {
    /// A show of the same pieces.
    func course() throws -> ShowProgramme {
        try ShowProgramme(
            title: "Evening",
            pieces: zip(catalogueConcert.concert.pieces, catalogueConcert.pieceNodes).map { piece, nodes in
                try ShowPiece(
                    name: piece.name, folder: nodes.recordingsFolder,
                    measures: MeasureMap(
                        marks: piece.measures, end: .init(seconds: (piece.musicEndSeconds ?? 0) + 1)))
            })
    }
}

@Suite(.ownThreads) struct AudienceOutputTests {
    let stage: ContentStage
    let served: PublishedConcert

    init() async throws {
        stage = try await ContentStage()
        served = try #require(stage.desk.servedConcert)
    }

    private func hall() throws -> Hall { Hall(try served.course(), content: served) }

    @Test(arguments: [(Evening.Kind.concert, #"[{"name":"Bo Ek","role":"violin"}]"#), (.rehearsal, "[]")])
    func phonesGetThePeopleOfAConcert(_ kind: Evening.Kind, _ people: String) throws {
        let evening = Evening("Gala", kind: kind, people: [Performer(name: "Bo Ek", role: "violin")])
        let hall = Hall(try ShowProgramme(evening, pieces: served.course().pieces), content: nil)
        try hall.obey("hold")
        #expect(hall.hub.newestValue("people") == Array(people.utf8))
    }

    @Test func afterItsLastMusicTheConcertIsOver() throws {
        let hall = try hall()
        let last = hall.podium.course.pieces.count - 1
        let measure = hall.podium.course.pieces[last].playedMeasureCount - 1
        try hall.obey("piece", "\(last + 1)", "p:\(measure)")
        #expect(try hall.live.view == "live")
        #expect(try hall.live.phase == "during")
        // As often as a follower speaks at least.
        for _ in 0..<3 {
            hall.take(
                .followerReport(
                    FollowerReport(
                        piece: last, position: ScorePosition(played: measure, fraction: 0.9), printed: nil,
                        state: .finished, order: hall.podium.state.order)), after: 5_000)
        }
        #expect(try hall.live.view == "ended")
        #expect(try hall.live.phase == "over")
        try hall.obey("piece", "1")
        #expect(try hall.live.phase == "during")
    }

    @Test func aHardStopBreaksAPieceOffUnlessItIsInItsLastMeasure() throws {
        let hall = try hall()
        try hall.obey("piece", "1", "p:2")
        try hall.obey("panic")
        #expect(try !hall.live.isBrokenOff, "the audience is frozen")
        try hall.obey("panic")
        #expect(try hall.live.view == "ended" && hall.live.isBrokenOff)
        try hall.obey("panic-over")
        #expect(try hall.live.view == "live" && !hall.live.isBrokenOff)
        try hall.obey("intermission", "on")
        #expect(try hall.live.view == "ended" && !hall.live.isBrokenOff, "an intermission is none")
        try hall.obey("intermission", "off")
        try hall.obey("goto", "p:\(hall.podium.course.pieces[0].playedMeasureCount - 1)")
        try hall.obey("panic")
        try hall.obey("panic")
        #expect(try hall.live.view == "ended" && !hall.live.isBrokenOff)
    }

    @Test func nothingIsLiveBeforeTheMusic() throws {
        let hall = try hall()
        #expect(try hall.live.view == "ended")
        #expect(try hall.live.phase == "before")
        #expect(try hall.live.piece == nil)
        #expect(try hall.message == nil)
    }

    @Test func theStreamSaysWhatThePacketsSay() throws {
        let hall = try hall()
        for words in [
            ["goto", "3"], ["nudge", "1"], ["piece", "3", "10"], ["goto", "22"], ["nudge", "-1"],
        ] {
            try hall.obey(words)
            // The positions that AirOutput would send for the same effects.
            let sent = hall.effects.reversed().compactMap { effect -> LivePosition? in
                if case .showPosition(let shown) = effect {
                    hall.podium.course.livePositionForPhones(shown)
                } else {
                    nil
                }
            }.first
            #expect(try hall.live.pieceName == sent?.piece.text)
            #expect(try hall.live.measure == sent?.measure)
            #expect(try hall.live.played == hall.podium.state.shown?.played)
            #expect(try hall.live.piece == hall.podium.state.shown?.piece)
        }
        try hall.obey("intermission", "on")
        #expect(try hall.live.view == "ended")
        #expect(try hall.live.measure == nil)
    }

    @Test func sequenceRisesWithEveryEventAndEpochNeverFalls() throws {
        let hall = try hall()
        var last = try hall.live
        for words in [
            ["take"], ["goto", "3"], ["freeze", "on"], ["goto", "9"], ["freeze", "off"], ["blackout", "on"],
            ["goto", "5"],
            ["blackout", "off"], ["release"], ["goto", "12"],
        ] {
            try hall.obey(words)
            let now = try hall.live
            #expect(now == last || now.sequence > last.sequence, "\(words)")
            #expect(try #require(BatonEpoch(now.epoch)) >= #require(BatonEpoch(last.epoch)), "\(words)")
            last = now
        }
    }

    @Test func aFrozenAudienceKeepsItsMeasureAndADarkOneSeesNoneEarly() throws {
        let hall = try hall()
        try hall.obey("goto", "3")
        try hall.obey("freeze", "on")
        try hall.obey("goto", "9")
        #expect(try hall.live.view == "frozen")
        #expect(try hall.live.measure == 3)
        try hall.obey("freeze", "off")
        #expect(try hall.live.measure == 9)
        try hall.obey("blackout", "on")
        #expect(try hall.live.view == "black")
    }

    @Test func aPieceThatBeginsInTheDarkIsNeverShownForAMoment() throws {
        let hall = try hall()
        try hall.obey("blackout", "on")
        let before = hall.hub.newestEventID
        try hall.obey("goto", "1")
        #expect(try hall.live.view == "black")
        // One event for the position and the view together, none in between that would have been bright.
        #expect(hall.hub.newestEventID - before <= 2)
    }

    @Test func aRestartGoesOnWithTheNumbersAndShowsNoMessageAgain() throws {
        let course = try served.course()
        let hall = Hall(course, content: served)
        try hall.obey("goto", "7")
        try hall.obey("message", "Welcome", "Enjoy the concert.", "BUTTON", "Will do")
        let (live, message) = (try hall.live, try #require(try hall.message))
        // The show's clock goes on over a restart.
        let again = Hall(course, content: served, state: hall.podium.state, at: 5_000)
        again.picture()
        #expect(try again.message == message)
        again.take(.restarted)
        #expect(try again.message == message)
        #expect(try again.live.measure == live.measure)
        #expect(try again.live.sequence > live.sequence)
        #expect(try again.live.epoch == live.epoch)
        try again.obey("withdraw")
        #expect(try again.message == nil)
        try again.obey("message", "Welcome", "Enjoy the concert.", "BUTTON", "Will do")
        #expect(try #require(try again.message).id != message.id)
    }

    @Test func aPictureAlonePutsEverythingRight() throws {
        let hall = try hall()
        try hall.obey("goto", "7")
        try hall.obey("message", "Hello", "", "AUTO", "")
        // Another server, which saw no effect of all this.
        let other = Hall(hall.podium.course, content: served, state: hall.podium.state)
        other.picture()
        #expect(try other.live.measure == 7)
        #expect(try other.live.view == "live")
        #expect(try other.message?.title == "Hello")
        // A listener who changes from the first server to this one is not shown it twice.
        #expect(try other.message?.id == hall.message?.id)
        other.take(.failoverTermChanged(2))
        other.take(.restarted)
        #expect(try other.message?.id == hall.message?.id)
    }

    @Test func aPieceThatTheContentLacksIsNamedAllTheSame() throws {
        let name = try PieceName("Nobody, Nothing: At all")
        let marks = [
            PlayedMeasure(printed: 1, onset: .init(seconds: 0)),
            PlayedMeasure(printed: 2, onset: .init(seconds: 2)),
        ]
        let course = try ShowProgramme(
            title: "x",
            pieces: [
                try ShowPiece(
                    name: name, folder: "x", measures: try MeasureMap(marks: marks, end: .init(seconds: 4)))
            ])
        let hall = Hall(course, content: served)
        try hall.obey("goto", "2")
        #expect(try hall.live.piece == nil)
        #expect(try hall.live.pieceName == name.text)
        #expect(try hall.live.measure == 2)
    }

    /// The content's map ends early, begins late, lacks a bar in the middle, or has fewer repeats than the show plays.
    @Test(arguments: [
        ([1, 2, 3], [1, 2, 3, 4, 5], [0, 1, 2, 2, 2]), ([2, 3], [1, 2, 3], [nil, 0, 1]),
        ([1, 2, 4], [1, 2, 3, 4], [0, 1, 1, 2]), ([1, 2, 1, 2, 3], [1, 2, 1, 2, 9, 3], [0, 1, 2, 3, 3, 4]),
        ([1, 2, 3], [1, 2, 1, 2, 3, 4], [0, 1, 0, 1, 2, 2]),
    ])
    func aBarThatTheMapDoesNotHaveIsTheLastOneBefore(map: [Int], played: [Int], shown: [Int?]) async throws {
        let stage = try await ContentStage()
        let piece = try stage.first(.piece)
        let rows = map.enumerated().map { "\($0.element) \($0.offset * 2)" }.joined(separator: "\\n")
        let answer = try await stage.edit(
            #"{"base": 1, "changes": [{"set": "\#(piece)", "field": "measures", "to": "\#(rows)"}]}"#)
        #expect(answer.status == .ok, "\(String(buffer: answer.body))")
        let content = try #require(stage.desk.servedConcert)
        let marks = played.enumerated().map {
            PlayedMeasure(printed: $0.element, onset: .init(seconds: Double($0.offset)))
        }
        let show = try ShowPiece(
            name: content.catalogueConcert.concert.pieces[0].name, folder: "x",
            measures: MeasureMap(marks: marks, end: .init(seconds: Double(played.count))))
        let hall = Hall(try ShowProgramme(title: "x", pieces: [show]), content: content)
        for (index, wanted) in shown.enumerated() {
            try hall.obey("goto", "p:\(index)")
            #expect(try hall.live.measure == played[index])
            #expect(try hall.live.played == wanted, "bar \(played[index])")
        }
    }

    @Test func contentInAnotherOrderIsCountedAsTheAudienceCounts() throws {
        let course = try served.course()
        let turned = try ShowProgramme(title: "x", pieces: Array(course.pieces.reversed()))
        let hall = Hall(turned, content: served)
        try hall.obey("goto", "4")
        #expect(try hall.live.piece == 4)
        #expect(try hall.live.pieceName == served.catalogueConcert.concert.pieces[4].name.text)
    }
}
