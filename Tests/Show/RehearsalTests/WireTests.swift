import Basics
import Foundation
import Rehearsal
import Testing

@Suite struct WireTests {
    private func event(_ act: AcceptedAct, own: Bool = false) -> SequencedEvent {
        SequencedEvent(
            sequence: 9_999_999, previousSequence: 9_999_998, id: id(7),
            acceptedAt: CalendarTime(milliseconds: 1_795_261_506_000),
            author: anna.user, isPrivate: own, act: act)
    }

    @Test func aPageTurnIsTheSmallestMessage() throws {
        let text = json(
            RoomMessage.acceptedEvent(event(.turnPagesForAll(PageTurnForAll(part: 12, page: 199)))))
        #expect(text.utf8.count <= 120)
        #expect(
            text == #"{"after":9999998,"at":1795261506000,"id":"00000000-0000-4000-8000-000000000007","#
                + #""seq":9999999,"turn":[12,199],"v":1}"#)
        guard case .acceptedEvent(let read) = try back(text, as: RoomMessage.self) else {
            Issue.record("no event")
            return
        }
        #expect(read.act == .turnPagesForAll(PageTurnForAll(part: 12, page: 199)))
        #expect(read.author == nil)
        let asked = json(
            StandMessage.event(
                RoomEvent(id: id(7), act: .turnPagesForAll(PageTurnForAll(part: 12, page: 199)))))
        #expect(asked == #"{"id":"00000000-0000-4000-8000-000000000007","turn":[12,199],"v":1}"#)
        #expect(json(RoomMessage.followerPage(PageView(page: 199, ahead: 200))).utf8.count <= 120)
    }

    @Test func theLogKeepsWhoTurned() throws {
        let turn = event(.turnPagesForAll(PageTurnForAll(part: 0, page: 1)))
        #expect(try back(json(turn), as: SequencedEvent.self) == turn)
    }

    private func remark(_ shape: RemarkShape) -> Remark {
        Remark(
            id: id(8), layer: publicLayer, author: anna.user, part: 0, page: 3,
            anchor: PagePoint(nearX: 0.1, nearY: 0.2), shape: shape)
    }

    private var shapes: [RemarkShape] {
        get throws {
            [
                .highlight(try Stroke(coordinates: [0, 0, 500, -20])),
                .line(try Stroke(coordinates: [0, 0])),
                .text(try RemarkText("dolce,\n“not” /loud\\")), .stamp(.downBow),
            ]
        }
    }

    @Test func aRemarkSaysThePageItWasDrawnOnAndOlderOnesDoNot() throws {
        var drawn = remark(.stamp(.breath))
        #expect(!json(drawn).contains("paper"))
        drawn.paper = try RemarkPageSize(width: 595, height: 842)
        #expect(json(drawn).contains(#""paper":[595,842]"#))
        #expect(try back(json(drawn), as: Remark.self) == drawn)
        for size in [(0.0, 842.0), (595, .infinity), (595, .nan), (-1, 5)] {
            #expect(throws: RehearsalFault.self) { try RemarkPageSize(width: size.0, height: size.1) }
        }
        let edit = RoomAct.editRemark(RemarkEdit(id(8), paper: try RemarkPageSize(width: 2, height: 3)))
        #expect(
            try back(json(StandMessage.event(RoomEvent(id: id(7), act: edit))), as: StandMessage.self)
                == StandMessage.event(RoomEvent(id: id(7), act: edit)))
    }

    @Test func everyActReadsBack() throws {
        let acts: [RoomAct] =
            [
                .setRoomPublished(true), .renameRoom("x"), .joinRoom(id(1)), .setRole(bert.user, .leader),
                .expelMember(bert.user),
                .readmitMember(bert.user), .handOverRoom(bert.user),
                .beginSession(
                    id(30), publicLayer: publicLayer,
                    performances: [nil, try PerformedPassages(passages: [1...8, 1...9])]),
                .beginSession(id(30), publicLayer: publicLayer, performances: []), .endSession,
                .enterSession(id(40), part: 1),
                .leaveSession, .openPrivateLayer(id(910)), .turnPagesForAll(PageTurnForAll(part: 0, page: 2)),
                .pinpoint(Pinpoint(part: 0, page: 2, point: PagePoint(nearX: 0, nearY: 1), measure: 21)),
                .endPinpoint, .editRemark(RemarkEdit(id(8), anchor: PagePoint(nearX: 0, nearY: 0))),
                .eraseRemark(id(8)),
                .restoreRemark(id(8)),
            ] + (try shapes.map { .placeRemark(remark($0)) })
        for act in acts {
            let message = StandMessage.event(RoomEvent(id: id(7), act: act))
            #expect(try back(json(message), as: StandMessage.self) == message)
            let event = RoomEvent(id: id(7), act: act)
            #expect(try back(json(event), as: RoomEvent.self) == event)
        }
        for message in [
            StandMessage.requestMissedEvents(nil),
            .requestMissedEvents(EventCursor(sharedSequence: 12, privateSequence: 3)),
            .turnedPage(page: 4), .followAgain,
            .latencyEcho(id(1)),
        ] {
            #expect(try back(json(message), as: StandMessage.self) == message)
        }
        #expect(
            json(StandMessage.requestMissedEvents(EventCursor(sharedSequence: 12, privateSequence: 3)))
                == #"{"hello":"12.3","v":1}"#)
    }

    @Test func everythingTheHubSaysReadsBack() throws {
        var hall = Hall.rehearsing()
        var log: [SequencedEvent] = []
        for shape in try shapes {
            var remark = hall.remark(by: bert, shape: shape)
            remark.parts = .all
            log += delivered(hall.say(.placeRemark(remark), bert))
            remark = hall.remark(by: bert, shape: shape)
            log += delivered(hall.say(.placeRemark(remark), bert))
            log += delivered(hall.say(.editRemark(RemarkEdit(remark.id, page: 2)), bert))
            log += delivered(hall.say(.eraseRemark(remark.id), bert))
        }
        let acts: [(RoomAct, ActingUser)] = [
            (.renameRoom("Neu"), anna), (.setRole(bert.user, .leader), anna), (.leaveSession, carl),
            (.expelMember(carl.user), anna),
            (.readmitMember(carl.user), anna), (.handOverRoom(bert.user), anna), (.endSession, bert),
            (.beginSession(id(31), publicLayer: id(901), performances: []), bert),
            (.enterSession(id(43), part: 1), bert),
            (.setRoomPublished(false), bert),
            (.setRoomPublished(true), bert),
            (
                .pinpoint(Pinpoint(part: 0, page: 2, point: PagePoint(nearX: 0, nearY: 1), measure: 21)), bert
            ), (.endPinpoint, bert),
            (.joinRoom(id(24)), ActingUser(user: id(4), name: "D", hasScoreGrant: true, knowsPasskey: true)),
        ]
        for (act, member) in acts { log += delivered(hall.say(act, member)) }
        var messages = log.map { RoomMessage.acceptedEvent($0) }
        messages += [
            .snapshot(try hall.state.snapshot(for: bert)), .receipt(id(7), sequence: 4),
            .followerPage(PageView(page: 3)),
            .livePosition(LivePositionUpdate(movement: 0, position: nil, trust: .lost)), .latencyEcho(id(3)),
        ]
        for message in messages { #expect(try back(json(message), as: RoomMessage.self) == message) }
        for event in log { #expect(try back(json(event), as: SequencedEvent.self) == event) }
    }

    @Test func truncatedMessagesAreRefusedAtEveryByte() throws {
        let message = json(StandMessage.event(RoomEvent(id: id(7), act: .placeRemark(remark(try shapes[0])))))
        for count in 0..<message.utf8.count {
            let cut = Data(message.utf8.prefix(count))
            #expect(throws: (any Error).self) { try JSONDecoder().decode(StandMessage.self, from: cut) }
        }
    }

    @Test func otherVersionsAndUnknownActsAreFaultsWithASentence() {
        let faults: [(String, RehearsalFault)] = [
            (#"{"hello":"new"}"#, .messageWithoutVersion),
            (#"{"v":2,"hello":"new"}"#, .messageOfOtherVersion(2)),
            (#"{"v":1}"#, .unknownMessage),
            (#"{"v":1,"id":"00000000-0000-4000-8000-000000000007","dance":true}"#, .unknownAct),
            (#"{"v":1,"id":"00000000-0000-4000-8000-000000000007","turn":[0,1],"leave":true}"#, .unknownAct),
            (#"{"v":1,"id":"seven","leave":true}"#, .notAnID("seven")),
            (#"{"v":1,"hello":"12"}"#, .invalidEventCursor("12")),
            (#"{"v":1,"hello":"-1.0"}"#, .invalidEventCursor("-1.0")),
        ]
        for (text, fault) in faults {
            #expect(throws: fault) { try back(text, as: StandMessage.self) }
            #expect(fault.sentence.hasSuffix(".") || fault.sentence.hasSuffix("."))
        }
    }

    @Test func aFloodOfPointsIsRefusedOnTheWay() throws {
        let points = Array(repeating: "1", count: 100_000).joined(separator: ",")
        let text = json(StandMessage.event(RoomEvent(id: id(7), act: .placeRemark(remark(try shapes[1])))))
            .replacingOccurrences(of: #""line":[0,0]"#, with: #""line":[\#(points)]"#)
        #expect(throws: RehearsalFault.self) { try back(text, as: StandMessage.self) }
    }

    @Test func numbersBeyondAllBoundsAreRefused() {
        for text in [
            #"{"v":1,"id":"00000000-0000-4000-8000-000000000007","turn":[0,1e99]}"#,
            #"{"v":1,"id":"00000000-0000-4000-8000-000000000007","turn":[0]}"#,
            #"{"v":1,"id":"00000000-0000-4000-8000-000000000007","turn":"1"}"#,
            #"{"v":1,"id":"00000000-0000-4000-8000-000000000007","begin":{"session":"x"}}"#,
            #"{"v":1,"own":null}"#, "[]", "7",
        ] {
            #expect(throws: (any Error).self) { try back(text, as: StandMessage.self) }
        }
    }

    @Test func idsAreWrittenSmallAndReadAnyhow() throws {
        let text = "bf5b1ea6-2526-46aa-991c-0db34d5969d1"
        let read = try #require(ObjectID<User>(text.uppercased()))
        #expect(read.description == text)
        #expect(read.description == UUID(uuidString: text)!.uuidString.lowercased())
        for wrong in [
            "", "bf5b1ea6", text + "0", text.replacingOccurrences(of: "-", with: "0"), "g" + text.dropFirst(),
        ] {
            #expect(ObjectID<User>(wrong) == nil)
        }
        var chance = SeededRandomGenerator(seed: 4)
        let new = ObjectID<User>(using: &chance).description
        #expect(UUID(uuidString: new) != nil)
        #expect(Array(new)[14] == "4")
        #expect("89ab".contains(Array(new)[19]))
        #expect(ObjectID<User>.new() != ObjectID<User>.new())
    }

    @Test func theSameRoomIsWrittenTheSame() throws {
        var one = Hall.rehearsing()
        var two = Hall.rehearsing()
        for hall in 0..<2 {
            for page in 0..<4 {
                if hall == 0 { one.say(.placeRemark(one.remark(by: bert, page: page)), bert) }
                if hall == 1 { two.say(.placeRemark(two.remark(by: bert, page: page)), bert) }
            }
        }
        #expect(json(one.state) == json(two.state))
    }
}
