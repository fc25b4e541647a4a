import Floor
import Testing

@Suite struct PassingTests {
    @Test func theModeratorGrantsTheFloorAndTheSpeakersSlideAppears() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        let effects = try table.moderator(.grant(to: id(1)))
        #expect(
            effects.first == .holderChanged(from: nil, to: id(1), epoch: FloorEpoch(term: 1, changeCount: 1)))
        #expect(shownPages(effects) == [.page(document: "a", number: 1)])
    }

    @Test func aHandOverShowsTheNextSpeakersSlideAtOnce() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .goToPage(number: 5))
        #expect(
            try shownPages(table.presenter(1, .handOver(to: id(2)))) == [.page(document: "b", number: 1)])
        #expect(table.holder == 2)
        #expect(refusal { try table.presenter(1, .nextPage) } == .noFloor)
        // Anna goes on where she was.
        #expect(
            try shownPages(table.presenter(2, .handOver(to: id(1)))) == [.page(document: "a", number: 5)])
    }

    @Test func aLoanGoesBackByItself() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .lend(to: id(2), seconds: 30))
        #expect(table.holder == 2 && table.floor.nextDue == 30_000)
        table.wait(seconds: 29)
        #expect(table.holder == 2)
        let effects = table.wait(seconds: 1)
        #expect(table.holder == 1 && table.state.loan == nil && table.floor.nextDue == nil)
        #expect(shownPages(effects) == [.page(document: "a", number: 1)])
    }

    /// The sentence says the range that is checked.
    @Test func refusedSecondsNameTheirRange() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        for seconds in [0, -1, 86_401] {
            do {
                try table.presenter(1, .lend(to: id(2), seconds: seconds))
                Issue.record("\(seconds) was taken")
            } catch let refusal as FloorRefusal {
                #expect(refusal.code == .badValue && refusal.sentence.contains("from 1 to 86,400"))
            }
        }
        try table.presenter(1, .lend(to: id(2), seconds: 86_400))
        do {
            try table.presenter(1, .recallLoan(afterSeconds: -1))
            Issue.record("-1 was taken")
        } catch let refusal as FloorRefusal {
            #expect(refusal.code == .badValue && refusal.sentence.contains("from 0 to 86,400"))
        }
        try table.presenter(1, .recallLoan(afterSeconds: 0))
        #expect(table.holder == 1)
    }

    @Test func aBorrowerReturnsTheFloorAndCannotHandItOn() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.register("Cleo")
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .lend(to: id(2), seconds: nil))
        #expect(refusal { try table.presenter(2, .handOver(to: id(3))) } == .notNow)
        #expect(refusal { try table.presenter(2, .lend(to: id(3), seconds: 5)) } == .notNow)
        try table.presenter(2, .returnFloor)
        #expect(table.holder == 1)
    }

    @Test func aLenderRecallsTheFloorAtOnceOrAfterACountdown() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .lend(to: id(2), seconds: nil))
        try table.presenter(1, .recallLoan(afterSeconds: 10))
        #expect(table.holder == 2)
        table.wait(seconds: 10)
        #expect(table.holder == 1)
        try table.presenter(1, .lend(to: id(2), seconds: 60))
        try table.presenter(1, .recallLoan(afterSeconds: 0))
        #expect(table.holder == 1)
        #expect(refusal { try table.presenter(1, .recallLoan(afterSeconds: 0)) } == .notNow)
        #expect(refusal { try table.presenter(2, .recallLoan(afterSeconds: 0)) } == .noFloor)
    }

    @Test func aFloorThatWasNotLentIsReturnedToNobody() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .returnFloor)
        #expect(table.holder == nil)
        #expect(table.state.screen.content == .page(document: "a", number: 1))
    }

    @Test func aPresenterHasAtMostOnePendingRequest() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        #expect(
            try table.presenter(2, .requestFloor) == [
                .requested(by: id(2)), .announceRequest(of: id(2), to: id(1)),
            ])
        #expect(try table.presenter(2, .requestFloor).isEmpty)
        #expect(table.state.requests.count == 1)
        #expect(refusal { try table.presenter(1, .requestFloor) } == .notNow)
        try table.moderator(.grant(to: id(2)))
        #expect(table.state.requests.isEmpty)
    }

    @Test func doNotDisturbHoldsRequestsBackFromTheHolder() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.moderator(.setDoNotDisturb(isOn: true))
        #expect(try table.presenter(2, .requestFloor) == [.requested(by: id(2))])
        #expect(
            try table.moderator(.setDoNotDisturb(isOn: false)) == [.announceRequest(of: id(2), to: id(1))])
    }

    @Test func aSpeakersOwnWishHoldsRequestsBackOnlyWhileThatSpeakerHasTheFloor() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.register("Cleo")
        // It may be wished before the turn.
        try table.presenter(1, .setDoNotDisturb(isOn: true))
        try table.moderator(.grant(to: id(1)))
        #expect(try table.presenter(3, .requestFloor) == [.requested(by: id(3))])
        #expect(table.state.holdsRequestsBack)
        // Whoever has the floor for a short time has not wished it, and hears of the request.
        #expect(
            try table.presenter(1, .lend(to: id(2), seconds: nil)).contains(
                .announceRequest(of: id(3), to: id(2))))
        #expect(!table.state.holdsRequestsBack)
        #expect(
            try !table.presenter(2, .returnFloor).contains {
                if case .announceRequest = $0 { true } else { false }
            })
        #expect(
            try table.presenter(1, .setDoNotDisturb(isOn: false)) == [.announceRequest(of: id(3), to: id(1))])
        #expect(try table.presenter(1, .setDoNotDisturb(isOn: false)) == [], "it is said once")
    }

    @Test func theModeratorsDoNotDisturbIsNotLiftedByTheSpeaker() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.moderator(.setDoNotDisturb(isOn: true))
        try table.presenter(2, .requestFloor)
        #expect(try table.presenter(1, .setDoNotDisturb(isOn: false)) == [])
        #expect(table.state.holdsRequestsBack)
    }

    @Test func theModeratorDeclinesARequest() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.presenter(2, .requestFloor)
        #expect(try table.moderator(.declineRequest(of: id(2))) == [.declined(presenter: id(2))])
        #expect(refusal { try table.moderator(.declineRequest(of: id(2))) } == .notNow)
    }

    @Test func theModeratorWithdrawsTheFloorAndTheContentStays() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.moderator(.withdraw)
        #expect(table.holder == nil && table.state.screen.content == .page(document: "a", number: 1))
        #expect(refusal { try table.moderator(.withdraw) } == .notNow)
    }

    @Test func theModeratorMayPresentToo() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.takeFloor(name: "anna"))
        try table.send(slides: "m", of: 0, pages: 2)
        try table.presenter(0, .nextPage)
        #expect(table.state.screen.content == .page(document: "m", number: 2))
        try table.presenter(0, .handOver(to: id(2)))
        #expect(table.holder == 2)
    }

    @Test func theFloorIsNotGivenToSomebodyWhoCannotBeReached() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.take(.connectionLost(connection: "c-Bert"))
        #expect(refusal { try table.presenter(1, .handOver(to: id(2))) } == .noPresenter)
        #expect(refusal { try table.moderator(.grant(to: id(9))) } == .noPresenter)
        #expect(table.holder == 1)
    }

    @Test func anEpochNeverDecreases() {
        #expect(FloorEpoch(term: 1, changeCount: .max) < FloorEpoch(term: 2))
        var floor = Floor(term: 1)
        #expect(floor.adoptTerm(3, atMilliseconds: 0).count == 2)
        #expect(floor.adoptTerm(2, atMilliseconds: 0).isEmpty)
        #expect(floor.state.epoch == FloorEpoch(term: 3))
    }
}
