import Basics
import Rehearsal
import Testing

@Suite struct ResumingTests {
    @Test func aStandThatWasAwayGetsWhatItMissedAndNoMore() throws {
        var hall = Hall.rehearsing()
        let seen = hall.state.newestEventCursor
        hall.say(.turnPagesForAll(PageTurnForAll(part: 0, page: 2)), anna)
        hall.say(.placeRemark(hall.remark(by: carl)), carl)
        guard case .events(let events) = try hall.state.catchUp(from: seen, for: bert) else {
            Issue.record("the whole was sent")
            return
        }
        #expect(events.count == 2)
        // Private events were numbered by older versions; what the stand holds is replaced by the whole.
        let older = EventCursor(sharedSequence: seen.sharedSequence, privateSequence: 3)
        guard case .snapshot(let whole) = try hall.state.catchUp(from: older, for: bert) else {
            Issue.record("only events were sent")
            return
        }
        #expect(whole.isReset && whole.seen == hall.state.newestEventCursor)
        guard
            case .events(let none) = try hall.state.catchUp(
                from: hall.state.newestEventCursor, for: bert)
        else {
            Issue.record("the whole was sent")
            return
        }
        #expect(none.isEmpty)
    }

    @Test func aStandAwayForTooLongOrFromElsewhereGetsTheWhole() throws {
        var hall = Hall.rehearsing()
        let seen = hall.state.newestEventCursor
        for page in 0..<(3 * RoomLimits.sharedEventsKept) {
            hall.say(.turnPagesForAll(PageTurnForAll(part: 0, page: page % 4)), anna)
        }
        for seen in [
            nil, seen, EventCursor(sharedSequence: 1 << 40),
            EventCursor(sharedSequence: -1),
        ] {
            guard case .snapshot(let snapshot) = try hall.state.catchUp(from: seen, for: bert) else {
                Issue.record("only events were sent after \(String(describing: seen))")
                continue
            }
            let whole = try hall.state.snapshot(for: bert)
            #expect(snapshot.content == whole.content && snapshot.seen == whole.seen)
            #expect(snapshot.isReset == (seen?.sharedSequence == 1 << 40))
        }
    }

    @Test func aStandAheadOfAServerThatLostEventsTakesItsRoomBack() throws {
        var hall = Hall.rehearsing()
        let kept = hall.state
        // A power cut takes these off the server's disk; the stand has them.
        for page in 0..<3 { hall.say(.turnPagesForAll(PageTurnForAll(part: 0, page: page)), anna) }
        let seen = hall.state.newestEventCursor
        hall.state = kept
        guard case .snapshot(let snapshot) = try hall.state.catchUp(from: seen, for: bert) else {
            Issue.record("only events were sent")
            return
        }
        #expect(snapshot.isReset && snapshot.content == hall.view(bert))
        #expect(
            try back(json(RoomMessage.snapshot(snapshot)), as: RoomMessage.self) == .snapshot(snapshot))
    }

    @Test func numbersOfLostEventsAreNotGivenAgainAndAreKnownForStrange() throws {
        var hall = Hall.rehearsing()
        let kept = hall.state
        hall.say(.turnPagesForAll(PageTurnForAll(part: 0, page: 1)), anna)
        hall.say(.turnPagesForAll(PageTurnForAll(part: 0, page: 2)), anna)
        let seen = hall.state.newestEventCursor
        hall.state = kept
        hall.state.continueNumbering(below: 1_000)
        for page in [3, 0, 1] { hall.say(.turnPagesForAll(PageTurnForAll(part: 0, page: page)), anna) }
        #expect(hall.state.newestEventCursor.sharedSequence == 1_002)
        // The stand was away meanwhile: the server is ahead of it again, but by other events.
        guard case .snapshot(let snapshot) = try hall.state.catchUp(from: seen, for: bert) else {
            Issue.record("only events were sent")
            return
        }
        #expect(snapshot.isReset)
        guard
            case .events(let events) = try hall.state.catchUp(
                from: kept.newestEventCursor, for: bert)
        else {
            Issue.record("the whole was sent")
            return
        }
        #expect(events.map(\.sequence) == [1_000, 1_001, 1_002])
    }

    @Test func ofLeadsForOnePageTheNewestIsKept() {
        var settings = StandSettings()
        settings.pageLeads = (0..<3_000).map { PageLeadTime(page: $0 % 3, seconds: Double($0)) }
        settings.pageLeads += [PageLeadTime(page: -1, seconds: 1), PageLeadTime(page: 1 << 40, seconds: 1)]
        #expect(settings.withBoundedPageLeads.pageLeads.map(\.page) == [0, 1, 2])
        #expect(settings.withBoundedPageLeads.pageLeads.map(\.seconds) == [2_997, 2_998, 2_999])
        #expect(
            settings.withBoundedPageLeads.computeLeadSeconds(from: 1, measureSeconds: 2)
                == settings.computeLeadSeconds(from: 1, measureSeconds: 2))
    }

    @Test func whatIsRefusedWhileTheRoomIsPreparedSaysSo() throws {
        var hall = Hall.rehearsing()
        hall.say(.setRoomPublished(false), anna)
        // By this code stands know that they may send it again.
        #expect(hall.refused(.placeRemark(hall.remark(by: bert)), bert)?.rawValue == "not-published")
    }
}
