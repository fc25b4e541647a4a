import BackupLink
import Basics
import Floor
import Foundation
import Podium
import Testing
import Titles
import WebServer

@testable import Hosting
@testable import Screen
@testable import ShowStages

@Suite struct ScreenOutputTests {
    private let hub = EventHub()
    private let consoles = EventHub()
    private let output: ScreenOutput

    init() { output = ScreenOutput(hub: hub, consoles: ConsoleStream(consoles), beats: ScreenBeats()) }

    private func sung() throws -> ShowProgramme {
        let titles = [
            Title(
                texts: [TitleText(language: "de", text: "Erste"), TitleText(language: "en", text: "First")],
                fadeIn: 0.5),
            Title(texts: [TitleText(language: "de", text: "Zweite")]),
        ]
        return try madeCourse().replacingTitles(of: 0, by: TitleList(titles))
    }

    private var screen: String { String(decoding: hub.newestValue("screen") ?? [], as: UTF8.self) }

    private func snapshot(_ podium: Podium) -> ShowEngineSnapshot {
        ShowEngineSnapshot(
            now: .zero, programme: podium.course, state: podium.state, measureFraction: 0,
            isActiveServer: true)
    }

    @Test func aScreenThatComesLateHasTheWholeState() throws {
        #expect(
            screen
                == #"{"blank":"none","fadeEnded":false,"hidden":false,"slide":null,"title":null,"video":null}"#
        )
        output.performEffect(
            .titleChanged(
                ShownTitle(
                    piece: 0, number: 1, isHidden: false, blank: .none, isByHand: true, isFadeEnded: false)),
            of: try sung())
        #expect(
            screen == #"{"blank":"none","fadeEnded":false,"hidden":false,"slide":null,"title":{"fadeIn":0.5,"#
                + #""fadeOut":0,"number":1,"order":["de","en"],"piece":0,"position":null,"texts":{"de":"Erste","en":"First"}},"video":null}"#
        )
    }

    private struct Backup: PairedServer {
        let role = ServerRole.backup
        let isFollowingActiveServer: Bool
        let otherServerAddress: String? = "http://10.0.0.2:8080"

        func askOtherServer(_ question: [UInt8]) async throws(ExplainedError) -> [UInt8] {
            throw BackupLinkAnswerError.notConnected
        }
    }

    @Test func aScreenLearnsWhichServerLeadsAndWhereTheOtherOneIs() throws {
        func server(_ pair: (any PairedServer)?, leads: Bool) throws -> String {
            var now = snapshot(Podium(course: try sung()))
            now.isActiveServer = leads
            return String(decoding: JSONBody.encode(ScreenServer(now, of: pair)), as: UTF8.self)
        }
        #expect(try server(nil, leads: true) == #"{"isCurrent":true,"leads":true,"other":null,"term":1}"#)
        let other = #""other":"http://10.0.0.2:8080","term":1}"#
        #expect(
            try server(Backup(isFollowingActiveServer: true), leads: false)
                == #"{"isCurrent":true,"leads":false,"# + other)
        #expect(
            try server(Backup(isFollowingActiveServer: false), leads: false)
                == #"{"isCurrent":false,"leads":false,"# + other)
        output.receiveSnapshot(snapshot(Podium(course: try sung())))
        #expect(hub.newestValue("server") != nil)
    }

    @Test func theSnapshotPutsAnEditedTextRightAndNothingIsSentTwice() throws {
        var podium = Podium(course: try sung())
        let anna = CommandSender(name: "anna", role: .technician)
        _ = podium.process(.command(.title(.next), by: anna, epoch: nil), at: .zero)
        output.receiveSnapshot(snapshot(podium))
        #expect(screen.contains("Erste"))
        let id = hub.newestEventID
        output.receiveSnapshot(snapshot(podium))
        #expect(hub.newestEventID == id)
        let edited = try podium.course.replacingTitles(
            of: 0, by: TitleList([Title(texts: [TitleText(language: "de", text: "Neu")])]))
        _ = podium.process(.programmeChanged(edited), at: .zero)
        output.receiveSnapshot(snapshot(podium))
        #expect(screen.contains("Neu"))
    }

    @Test func aSpeakersSlideIsOnTheScreenWithTheTitleAndBlanksLieOverWhatTheyShould() throws {
        var podium = Podium(course: try sung())
        let anna = CommandSender(name: "anna", role: .technician)
        let speaker = CommandSender(name: "Bert", role: .presenter)
        let first = FloorPresenter.ID(rawValue: 1)
        let slides = FloorDocument(id: "abc", owner: first, name: "", kind: .slides, pages: 3)
        let events: [PodiumEvent] = [
            .command(.title(.next), by: anna, epoch: nil),
            .floor(.register(name: "Bert", address: "127.0.0.1", connection: "7"), by: speaker),
            .floor(.documentReady(document: slides), by: speaker),
            .floor(.moderator(action: .grant(to: first)), by: anna),
            .floor(.presenter(id: first, action: .goToPage(number: 2)), by: speaker),
        ]
        for event in events { _ = podium.process(event, at: .zero) }
        output.receiveSnapshot(snapshot(podium))
        #expect(
            screen.contains(#""slide":{"document":"abc","image":"\/api\/floor\/pages\/abc\/2","page":2}"#)
                || screen.contains(
                    #""slide":{"document":"abc","image":"/api/floor/pages/abc/2","page":2}"#)
        )
        #expect(screen.contains("Erste") && screen.contains(#""blank":"none""#))
        // A title that changes keeps the slide.
        for effect in podium.process(.command(.title(.next), by: anna, epoch: nil), at: .zero) {
            output.performEffect(effect, of: podium.course)
        }
        #expect(screen.contains("Zweite") && screen.contains(#""page":2"#))
        // A speaker's blank takes the slide away, the moderator's one everything.
        _ = podium.process(
            .floor(.presenter(id: first, action: .blank(colour: .white)), by: speaker), at: .zero)
        output.receiveSnapshot(snapshot(podium))
        #expect(screen.contains(#""blank":"none""#) && screen.contains(#""slide":null"#))
        _ = podium.process(.floor(.moderator(action: .blank(colour: .white)), by: anna), at: .zero)
        output.receiveSnapshot(snapshot(podium))
        #expect(screen.contains(#""blank":"white""#))
        _ = podium.process(.command(.title(.blank(.black)), by: anna, epoch: nil), at: .zero)
        output.receiveSnapshot(snapshot(podium))
        #expect(screen.contains(#""blank":"black""#))
        // When everything of the speakers is stopped, the titles go on.
        for event in [
            PodiumEvent.command(.title(.blank(.none)), by: anna, epoch: nil),
            .floor(.moderator(action: .stop), by: anna),
        ] {
            _ = podium.process(event, at: .zero)
        }
        output.receiveSnapshot(snapshot(podium))
        #expect(screen.contains("Zweite") && screen.contains(#""slide":null"#))
        #expect(screen.contains(#""blank":"none""#))
    }

    @Test func theConsolesKnowTheListByItsRevision() throws {
        var podium = Podium(course: try sung())
        let anna = CommandSender(name: "anna", role: .technician)
        _ = podium.process(.command(.title(.next), by: anna, epoch: nil), at: .zero)
        output.receiveSnapshot(snapshot(podium))
        let section = String(decoding: consoles.newestValue("titles") ?? [], as: UTF8.self)
        #expect(section.contains(#""count":2"#) && section.contains(#""number":1"#))
        #expect(section.contains(#""followsMusic":false"#) && section.contains(#""revision":"0.1""#))
        output.receiveSnapshot(snapshot(Podium(course: try madeCourse())))
        let empty = String(decoding: consoles.newestValue("titles") ?? [], as: UTF8.self)
        #expect(empty.contains(#""count":0"#) && empty.contains(#""revision":"0.2""#))
        #expect(consoles.newestValue("screens") == Array("[]".utf8))
    }
}
