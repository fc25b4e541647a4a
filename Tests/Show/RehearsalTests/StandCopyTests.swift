import Chance
import Rehearsal
import Testing

@Suite struct StandCopyTests {
    @Test func aStandThatWasAwayGetsWhatItMissedAndNoMore() throws {
        var hall = Hall.rehearsing()
        let seen = hall.state.newest(for: bert)
        hall.say(.turn(PageTurn(part: 0, page: 2)), anna)
        hall.say(.place(hall.remark(by: carl, on: ownLayer(of: carl))), carl)
        hall.say(.place(hall.remark(by: bert, on: ownLayer(of: bert))), bert)
        guard case .events(let events) = try hall.state.resume(from: seen, for: bert) else {
            Issue.record("the whole was sent")
            return
        }
        #expect(events.count == 2)
        #expect(events.map(\.isOwn) == [false, true])
        guard case .events(let none) = try hall.state.resume(from: hall.state.newest(for: bert), for: bert)
        else {
            Issue.record("the whole was sent")
            return
        }
        #expect(none.isEmpty)
    }

    @Test func aStandAwayForTooLongOrFromElsewhereGetsTheWhole() throws {
        var hall = Hall.rehearsing()
        let seen = hall.state.newest(for: bert)
        for page in 0..<(3 * RoomLimits.sharedHistory) {
            hall.say(.turn(PageTurn(part: 0, page: page % 4)), anna)
        }
        for seen in [nil, seen, Seen(shared: 1 << 40), Seen(shared: -1, own: .min)] {
            guard case .whole(let snapshot) = try hall.state.resume(from: seen, for: bert) else {
                Issue.record("only events were sent after \(String(describing: seen))")
                continue
            }
            let whole = try hall.state.view(for: bert)
            #expect(snapshot.content == whole.content && snapshot.seen == whole.seen)
            #expect(snapshot.isReset == (seen?.shared == 1 << 40))
        }
    }

    @Test func aStandAheadOfAServerThatLostEventsTakesItsRoomBack() throws {
        var hall = Hall.rehearsing()
        var stand = StandCopy()
        _ = stand.receive(.snapshot(try hall.state.view(for: bert)))
        let kept = hall.state
        // A power cut takes these off the server's disk; the stand has them.
        for page in 0..<3 {
            for event in delivered(hall.say(.turn(PageTurn(part: 0, page: page)), anna)) {
                _ = stand.receive(.event(event))
            }
        }
        hall.state = kept
        guard case .whole(let snapshot) = try hall.state.resume(from: stand.seen, for: bert) else {
            Issue.record("only events were sent")
            return
        }
        let message = try back(json(RoomMessage.snapshot(snapshot)), as: RoomMessage.self)
        _ = stand.receive(message)
        #expect(stand.content == hall.view(bert) && stand.seen == hall.state.newest(for: bert))
        for event in delivered(hall.say(.turn(PageTurn(part: 0, page: 3)), anna)) {
            _ = stand.receive(.event(event))
        }
        #expect(stand.content == hall.view(bert))
    }

    @Test func numbersOfLostEventsAreNotGivenAgainAndAreKnownForStrange() throws {
        var hall = Hall.rehearsing()
        let kept = hall.state
        hall.say(.turn(PageTurn(part: 0, page: 1)), anna)
        hall.say(.turn(PageTurn(part: 0, page: 2)), anna)
        let seen = hall.state.newest(for: bert)
        hall.state = kept
        hall.state.skipNumbers(below: 1_000)
        for page in [3, 0, 1] { hall.say(.turn(PageTurn(part: 0, page: page)), anna) }
        #expect(hall.state.newest(for: bert).shared == 1_002)
        // The stand was away meanwhile: the server is ahead of it again, but by other events.
        guard case .whole(let snapshot) = try hall.state.resume(from: seen, for: bert) else {
            Issue.record("only events were sent")
            return
        }
        #expect(snapshot.isReset)
        guard case .events(let events) = try hall.state.resume(from: kept.newest(for: bert), for: bert)
        else {
            Issue.record("the whole was sent")
            return
        }
        #expect(events.map(\.sequence) == [1_000, 1_001, 1_002])
    }

    @Test func ofLeadsForOnePageTheNewestIsKept() {
        var settings = StandSettings()
        settings.pageLeads = (0..<3_000).map { PageLead(page: $0 % 3, seconds: Double($0)) }
        settings.pageLeads += [PageLead(page: -1, seconds: 1), PageLead(page: 1 << 40, seconds: 1)]
        #expect(settings.bounded.pageLeads.map(\.page) == [0, 1, 2])
        #expect(settings.bounded.pageLeads.map(\.seconds) == [2_997, 2_998, 2_999])
        #expect(
            settings.bounded.lead(from: 1, measureSeconds: 2) == settings.lead(from: 1, measureSeconds: 2))
    }

    @Test func madeOfflineAndDeliveredLaterItIsMarkedUntilThen() {
        var hall = Hall.rehearsing()
        var stand = StandCopy()
        _ = stand.receive(.snapshot(try! hall.state.view(for: bert)))
        let remark = hall.remark(by: bert)
        _ = stand.make(.place(remark), id: id(7))
        #expect(stand.shown?.remarks.contains(remark.id) == true)
        #expect(stand.content?.remarks.isEmpty == true)
        #expect(stand.undeliveredRemarks == [remark.id])
        // A crash of the stand, and the room has gone on.
        var again = try! back(json(stand), as: StandCopy.self)
        hall.say(.turn(PageTurn(part: 0, page: 1)), anna)
        for event in again.undelivered {
            for event in delivered(hall.say(event.act, bert, id: event.id)) {
                _ = again.receive(.event(event))
            }
        }
        #expect(again.undelivered.isEmpty)
        // The turn was missed: the remark waits until it is there.
        guard case .events(let missed) = try! hall.state.resume(from: again.seen, for: bert) else { return }
        for event in missed { _ = again.receive(.event(event)) }
        #expect(again.content == hall.view(bert))
    }

    @Test func aRefusedRemarkIsNotKept() {
        var hall = Hall.rehearsing()
        var stand = StandCopy()
        _ = stand.receive(.snapshot(try! hall.state.view(for: bert)))
        _ = stand.make(.erase(id(12345)), id: id(7))
        let refusal = #expect(throws: RoomRefusal.self) {
            try hall.state.take(RoomEvent(id: id(7), act: .erase(id(12345))), by: bert, at: .zero)
        }
        _ = stand.receive(.refused(id(7), refusal!))
        #expect(stand.undelivered.isEmpty)
    }

    @Test func whatIsRefusedWhileTheRoomIsPreparedIsKeptAndSentAgain() throws {
        var hall = Hall.rehearsing()
        var stand = StandCopy()
        _ = stand.receive(.snapshot(try hall.state.view(for: bert)))
        hall.say(.publish(false), anna)
        let event = RoomEvent(id: id(7), act: .place(hall.remark(by: bert)))
        _ = stand.make(event.act, id: event.id)
        let refusal = #expect(throws: RoomRefusal.self) { try hall.state.take(event, by: bert, at: .zero) }
        _ = stand.receive(.refused(event.id, refusal!))
        #expect(stand.undelivered == [event])
    }

    /// Any act any member may think of, allowed or not.
    private func act(_ hall: inout Hall, _ member: Member, _ chance: inout SplitMix) -> RoomAct {
        let remarks = hall.state.content.remarks.elements + hall.state.content.ownRemarks.elements
        let some = remarks.randomElement(using: &chance)?.id ?? id(5)
        let someone = [anna, bert, carl].randomElement(using: &chance)!.user
        switch Int.random(in: 0..<24, using: &chance) {
        case 0...6:
            let layer = Bool.random(using: &chance) ? publicLayer : ownLayer(of: member)
            return .place(hall.remark(by: member, on: layer, page: Int.random(in: 0..<5, using: &chance)))
        case 7...10: return .edit(RemarkEdit(some, page: Int.random(in: 0..<4, using: &chance)))
        case 11...12:
            return .edit(
                RemarkEdit(some, anchor: PagePoint(nearX: Double.random(in: 0...1, using: &chance), nearY: 0))
            )
        case 13...14: return .erase(some)
        case 15: return .restore(id(UInt64.random(in: 100_000...hall.count, using: &chance)))
        case 16...17: return .turn(PageTurn(part: 0, page: Int.random(in: 0..<4, using: &chance)))
        case 18:
            return .pinpoint(Pinpoint(part: 0, page: 1, point: PagePoint(nearX: 0, nearY: 0), measure: 12))
        case 19: return Bool.random(using: &chance) ? .leave : .enter(hall.next(), part: 1)
        case 20: return .role(someone, Bool.random(using: &chance) ? .leader : .member)
        case 21: return .handOver(someone)
        case 22: return .rename("Room \(Int.random(in: 0..<9, using: &chance))")
        default:
            let layer: Layer.ID = hall.next()
            return Bool.random(using: &chance)
                ? .begin(hall.next(), publicLayer: layer, performances: []) : .endSession
        }
    }

    @Test(arguments: 1...30) func allStandsEndUpEqualHoweverEventsTravel(seed: UInt64) throws {
        var chance = SplitMix(seed: seed)
        var hall = Hall.rehearsing()
        let members = [anna, bert, carl]
        // Two stands each; the second starts with nothing.
        var stands = members.flatMap { [($0, StandCopy()), ($0, StandCopy())] }
        var air: [(stand: Int, message: RoomMessage)] = []
        for index in stands.indices where index.isMultiple(of: 2) {
            _ = stands[index].1.receive(.snapshot(try hall.state.view(for: stands[index].0)))
        }
        func send(_ hello: StandMessage?, from index: Int) throws {
            guard case .hello(let seen) = hello else { return }
            switch try hall.state.resume(from: seen, for: stands[index].0) {
            case .events(let events): air += events.map { (index, .event($0)) }
            case .whole(let snapshot): air.append((index, .snapshot(snapshot)))
            }
        }
        for _ in 0..<200 {
            let index = stands.indices.randomElement(using: &chance)!
            let member = stands[index].0
            let event = RoomEvent(id: hall.next(), act: act(&hall, member, &chance))
            _ = stands[index].1.make(event.act, id: event.id)
            // Some are delivered now, some twice, some much later.
            var due = Bool.random(using: &chance) ? stands[index].1.undelivered : []
            if Int.random(in: 0..<5, using: &chance) == 0 { due += due }
            for event in due.shuffled(using: &chance) {
                hall.now += 5
                let now = RoomTime(milliseconds: hall.now)
                do throws(RoomRefusal) {
                    for effect in try hall.state.take(event, by: member, at: now) {
                        switch effect {
                        case .deliver(let taken):
                            for (other, stand) in stands.enumerated()
                            where hall.state.maySee(taken, by: stand.0) {
                                // One in eight is lost on the way, one in eight arrives twice.
                                let copies = [0, 1, 1, 1, 1, 1, 1, 2].randomElement(using: &chance)!
                                for _ in 0..<copies { air.append((other, .event(taken))) }
                            }
                        case .receipt(let id, let sequence):
                            air.append((index, .receipt(id, sequence: sequence)))
                        case .command, .close: break
                        }
                    }
                } catch {
                    air.append((index, .refused(event.id, error)))
                }
            }
            // In any order.
            air.shuffle(using: &chance)
            // And much of it is lost for good.
            if air.count > 60 { air.removeLast(air.count - 60) }
            for _ in 0..<min(air.count, Int.random(in: 0..<12, using: &chance)) {
                let (to, message) = air.removeLast()
                let answer = stands[to].1.receive(message)
                if Int.random(in: 0..<3, using: &chance) == 0 { try send(answer, from: to) }
            }
        }
        // The network is well again.
        for index in stands.indices {
            for (to, message) in air where to == index { _ = stands[index].1.receive(message) }
        }
        air = []
        for index in stands.indices {
            try send(stands[index].1.hello, from: index)
            for (_, message) in air { _ = stands[index].1.receive(message) }
            air = []
            let view = try hall.state.view(for: stands[index].0)
            let isEqual = stands[index].1.content == view.content
            #expect(isEqual, "stand \(index)")
            let isWrittenAlike = json(stands[index].1.content) == json(view.content)
            #expect(isWrittenAlike, "stand \(index)")
            #expect(stands[index].1.seen == view.seen)
        }
        #expect(hall.state.sequence > 50)
    }
}
