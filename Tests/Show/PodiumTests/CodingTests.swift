import Concert
import Foundation
import Podium
import Score
import Testing

/// As the show log writes.
func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try! encoder.encode(value), as: UTF8.self)
}

func back<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
}

@Suite struct CodingTests {
    @Test func eventsAreReadableAndReadBack() throws {
        let stage = Stage()
        let events: [(PodiumEvent, String?)] = [
            (.tick, #"{"tick":true}"#), (.restarted, #"{"restarted":true}"#),
            (.failoverTermChanged(3), #"{"term":3}"#),
            (
                .command(.nudgePosition(1), by: anna, epoch: BatonEpoch(term: 1, handoverCount: 4)),
                #"{"by":{"name":"anna","role":"technician"},"command":["nudge","1"],"epoch":"1.4"}"#
            ),
            (.command(.fireStandbyCue, by: CommandSender(name: "x", role: .showControl)), nil),
            (
                .fault(TechnicalFault(id: "disk", sentence: "Full.")),
                #"{"fault":{"id":"disk","sentence":"Full."}}"#
            ),
            (.faultEnded("disk"), #"{"faultEnded":"disk"}"#),
            (.setPreShowCheck(true), #"{"check":true}"#), (.setPreShowCheck(false), #"{"check":false}"#),
            (.followerReport(stage.word(3, 0.5, candidates: [1, 2])), nil),
            (.programmeChanged(evening([cue("a", at: 1)])), nil),
        ]
        for (event, text) in events {
            if let text { #expect(json(event) == text) }
            #expect(try back(json(event), as: PodiumEvent.self) == event)
        }
        #expect(throws: DecodingError.self) { _ = try back("{}", as: PodiumEvent.self) }
        #expect(throws: (any Error).self) {
            _ = try back(#"{"command":["fly"],"by":{"name":"a","role":"technician"}}"#, as: PodiumEvent.self)
        }
    }

    @Test func effectsAreReadableAndReadBack() throws {
        let place = ScorePosition(played: 3, fraction: 0.5)
        let message = try PushMessage(
            title: "Link", body: "b", style: .button, buttonText: "https://x.example")
        let effects: [PodiumEffect] = [
            .showPosition(
                AudiencePosition(
                    piece: 0, played: 3, printed: 4, epoch: BatonEpoch(term: 1, handoverCount: 2))),
            .endLivePosition,
            .fireCue(cue("a", at: 1), CueFiringDetails(isAutomatic: true, aheadMilliseconds: 20)),
            .standbyChanged("a"),
            .standbyChanged(nil),
            .anchorFollower(piece: 1, at: place, order: 2), .makeFollowerWait(piece: 1, at: nil, order: 3),
            .makeFollowerWait(piece: 1, at: place, order: 3), .showMessage(message), .withdrawMessage,
            .audienceViewChanged(.frozen),
            .panicStep(.safe), .askForHelp([CandidateMeasure(played: 1, printed: 2, probability: 0.25)]),
            .helpOver,
            .holderChanged(.conductor("stand"), BatonEpoch(term: 2, handoverCount: 0)),
            .showNotice(id: "fault", sentence: "Oh."),
        ]
        for effect in effects { #expect(try back(json(effect), as: PodiumEffect.self) == effect) }
        #expect(json(PodiumEffect.standbyChanged(nil)) == #"{"standby":null}"#)
        var stage = Stage()
        let refused = stage.say("goto 99")
        #expect(try back(json(refused), as: [PodiumEffect].self) == refused)
        #expect(throws: DecodingError.self) { _ = try back("{}", as: PodiumEffect.self) }
    }

    @Test func aCourseIsCheckedWhenItIsRead() throws {
        let text = json(evening([cue("a", at: 1)]))
        #expect(try back(text, as: ShowProgramme.self) == evening([cue("a", at: 1)]))
        #expect(throws: (any Error).self) {
            _ = try back(
                text.replacingOccurrences(of: #""played":1"#, with: #""played":99"#), as: ShowProgramme.self)
        }
        #expect(throws: (any Error).self) {
            _ = try back(#"{"title":"t","pieces":[]}"#, as: ShowProgramme.self)
        }
    }

    @Test func aStateReadBackGoesOnAlike() throws {
        var stage = Stage(evening([cue("a", at: 4, early: 300)]))
        stage.play(0...3)
        stage.say("message Hello there")
        stage.hear(3, 0, .lost, candidates: [1, 9])
        let state = try back(json(stage.state), as: PodiumState.self)
        #expect(state == stage.state)
        #expect(Podium(course: stage.podium.course, continuing: state).state == stage.state)
    }

    @Test func aStateOfAnotherCourseIsMended() throws {
        var stage = Stage(evening(second: [cue("z", at: 7)]))
        stage.say("piece 2 7")
        let other = try ShowProgramme(title: "Other", pieces: [firstPiece([cue("a", at: 3)])])
        var podium = Podium(course: other, continuing: stage.state)
        #expect(podium.state.piece == 0)
        #expect(podium.state.standby == nil || podium.state.standby == "a")
        _ = podium.process(.restarted, at: stage.now)
    }
}
