import Floor
import Foundation
import Podium
import Testing

@Suite struct FloorInPodiumTests {
    private static let speaker = CommandSender(name: "Anna", role: .presenter)

    private static func withSpeaker() -> Stage {
        var stage = Stage()
        stage.take(
            .floor(.register(name: "Anna", address: "127.0.0.1", connection: "7"), by: speaker))
        let slides = FloorDocument(
            id: "a", owner: FloorPresenter.ID(rawValue: 1), name: "", kind: .slides, pages: 9)
        stage.take(.floor(.documentReady(document: slides), by: speaker))
        return stage
    }

    private static let first = FloorPresenter.ID(rawValue: 1)

    @Test func aShowWithoutSpeakersIsWrittenAsBefore() throws {
        let text = json(Stage().state)
        #expect(!text.contains("floor"))
        #expect(try back(text, as: PodiumState.self).floor == nil)
    }

    @Test func floorEventsAndEffectsAreReadableAndReadBack() throws {
        let event = PodiumEvent.floor(.moderator(action: .grant(to: Self.first)), by: anna)
        #expect(
            json(event)
                == #"{"by":{"name":"anna","role":"technician"},"floor":{"moderator":{"action":{"grant":{"to":1}}}}}"#
        )
        #expect(try back(json(event), as: PodiumEvent.self) == event)
        var stage = Self.withSpeaker()
        let effects = stage.take(event)
        #expect(
            json(effects[0]) == #"{"floor":{"holderChanged":{"epoch":"1.1","to":1}}}"#)
        #expect(try back(json(effects), as: [PodiumEffect].self) == effects)
        #expect(try back(json(stage.state), as: PodiumState.self) == stage.state)
    }

    @Test func onlyTheTechnicianModerates() {
        var stage = Self.withSpeaker()
        for event in [
            FloorEvent.moderator(action: .grant(to: Self.first)),
            .presenter(id: .moderator, action: .nextPage),
        ] {
            let effects = stage.take(.floor(event, by: Self.speaker))
            #expect(refusal(effects) == .notAllowed && effects.count == 1)
        }
        #expect(stage.state.floor?.holder == nil)
        stage.take(.floor(.moderator(action: .grant(to: Self.first)), by: anna))
        #expect(stage.state.floor?.holder == Self.first)
    }

    @Test func aRefusalOfTheFloorChangesNothing() {
        var stage = Self.withSpeaker()
        let before = stage.state
        let effects = stage.take(.floor(.presenter(id: Self.first, action: .nextPage), by: Self.speaker))
        #expect(effects.count == 1 && effects[0].refusal?.code == .noFloor)
        #expect(refusal(effects) == nil, "the consoles are not told")
        #expect(stage.state == before)
    }

    @Test func everyRefusalOfTheFloorHasItsCode() {
        for code in FloorRefusal.Code.allCases {
            #expect(CommandRefusalCode(rawValue: code.rawValue) != nil, "\(code)")
        }
    }

    @Test func aLoanEndsAtTheTick() {
        var stage = Self.withSpeaker()
        stage.take(
            .floor(.register(name: "Bert", address: "127.0.0.1", connection: "8"), by: Self.speaker))
        stage.take(.floor(.moderator(action: .grant(to: Self.first)), by: anna))
        let second = FloorPresenter.ID(rawValue: 2)
        stage.take(
            .floor(.presenter(id: Self.first, action: .lend(to: second, seconds: 3)), by: Self.speaker))
        #expect(stage.state.floor?.holder == second)
        #expect(stage.podium.nextTickDue == ShowTime(milliseconds: 3_000))
        stage.now = ShowTime(milliseconds: 3_000)
        stage.take(.tick)
        #expect(stage.state.floor?.holder == Self.first)
    }

    @Test func theFloorGoesOnAfterARestartAndOnTheOtherServer() throws {
        var stage = Self.withSpeaker()
        stage.take(.floor(.moderator(action: .grant(to: Self.first)), by: anna))
        let saved = try back(json(stage.state), as: PodiumState.self)
        stage.podium = Podium(course: stage.podium.course, continuing: saved)
        let effects = stage.take(.restarted)
        #expect(stage.state.floor?.holder == Self.first)
        #expect(stage.state.floor?.screen.content == .page(document: "a", number: 1))
        #expect(effects.count { if case .floor = $0 { true } else { false } } == 2)
        stage.take(.failoverTermChanged(2))
        #expect(stage.state.floor?.epoch == FloorEpoch(term: 2) && stage.state.floor?.holder == Self.first)
    }
}
