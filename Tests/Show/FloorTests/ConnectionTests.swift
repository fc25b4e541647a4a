import Floor
import Foundation
import Testing

@Suite struct ConnectionTests {
    @Test func twoHundredAndFiftyFourRegisterAndTheNextIsRefused() throws {
        var table = ConferenceTable()
        for number in 1...254 {
            #expect(try table.register("N\(number)", connection: "\(number)") == UInt8(number))
        }
        #expect(refusal { try table.register("New", connection: "255") } == .full)
        try table.presenter(17, .unregister)
        #expect(try table.register("New", connection: "255") == 17)
    }

    @Test func theLongestAbsentMakesRoomButNotTheHolder() throws {
        var table = ConferenceTable()
        for number in 1...254 { try table.register("N\(number)", connection: "\(number)") }
        try table.moderator(.grant(to: id(1)))
        for connection in ["1", "2", "3"] {
            try table.take(.connectionLost(connection: connection))
            table.wait(seconds: 1)
        }
        #expect(try table.register("New") == 2)
        #expect(table.holder == 1)
    }

    @Test func aLostConnectionKeepsNumberAndFloorForAMinute() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.take(.connectionLost(connection: "c-Anna"))
        table.wait(seconds: 59)
        #expect(table.holder == 1)
        // Another machine with the same name is another person.
        try table.take(.register(name: "Anna", address: "elsewhere", connection: "x"))
        #expect(table.state.presenter(connectedBy: "x")?.id == id(3))
        #expect(try table.register("Anna", connection: "c2") == 1)
        table.wait(seconds: 300)
        #expect(table.holder == 1)
    }

    @Test func whoComesBackBeforeTheServerNoticedTheLossHasNumberAndFloorAgain() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        let effects = try table.take(.register(name: "Anna", address: "m-Anna", connection: "c2"))
        #expect(
            effects == [
                .left(presenter: id(1), connection: "c-Anna"),
                .registered(presenter: id(1), connection: "c2"),
            ])
        #expect(table.holder == 1 && table.state.presenters.count == 2)
        // The old connection ends later, and nobody loses anything by it.
        try table.take(.connectionLost(connection: "c-Anna"))
        #expect(table.state.presenter(connectedBy: "c2")?.id == id(1))
        try table.presenter(1, .nextPage)
    }

    @Test func theNumberBehindASharedNameStaysWithItsPresenter() throws {
        var table = ConferenceTable()
        for address in ["a", "b", "c"] {
            try table.take(.register(name: "Anna", address: address, connection: address))
        }
        // A name that somebody chose is not given to somebody else.
        try table.take(.register(name: "Anna (2)", address: "d", connection: "d"))
        #expect(table.state.presenters.map(\.shownName) == ["Anna", "Anna (2)", "Anna (3)", "Anna (2) (2)"])
        try table.presenter(1, .unregister)
        #expect(table.state.presenters.map(\.shownName) == ["Anna (2)", "Anna (3)", "Anna (2) (2)"])
        // Also after a lost connection, a restart of the server, and when others come.
        try table.take(.connectionLost(connection: "b"))
        let written = try JSONEncoder().encode(table.state)
        #expect(try JSONDecoder().decode(FloorState.self, from: written) == table.state)
        try table.take(.register(name: "Anna", address: "e", connection: "e"))
        try table.take(.register(name: "Anna", address: "b", connection: "b2"))
        #expect(table.state.presenters.map(\.shownName) == ["Anna", "Anna (2)", "Anna (3)", "Anna (2) (2)"])
        #expect(table.state.presenter(connectedBy: "b2")?.shownName == "Anna (2)")
    }

    @Test func aNameThatLooksLikeAnothersGetsANumber() throws {
        var table = ConferenceTable()
        try table.take(.register(name: "Anna", address: "a", connection: "a"))
        try table.take(.register(name: "Аnnа", address: "b", connection: "b"))
        #expect(table.state.presenters.map(\.shownName) == ["Anna", "Аnnа (2)"])
    }

    @Test func newSlidesTakeThePlaceOfTheEarlierOnesHoweverOften() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        for number in 1...50 { try table.send(slides: "v\(number)", of: 2, pages: 3) }
        #expect(table.state.documents.map(\.id) == ["a", "v50"])
        #expect(table.state.screen.content == .page(document: "a", number: 1))
    }

    @Test func afterAMinuteTheFloorOfAnAbsentPresenterIsFree() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.take(.connectionLost(connection: "c-Anna"))
        let effects = table.wait(seconds: 60)
        #expect(table.holder == nil && effects.contains(.left(presenter: id(1), connection: nil)))
        // The frame stands still, and the next one with this number cannot draw on it.
        #expect(table.state.screen.content == .page(document: "a", number: 1))
        #expect(try table.register("Dora") == 1)
        try table.moderator(.grant(to: id(1)))
        #expect(refusal { try table.presenter(1, .annotate(type: 1, base64: "")) } == .noDocument)
        #expect(refusal { try table.presenter(1, .nextPage) } == .noDocument)
        try table.send(slides: "d", of: 1, pages: 1)
        #expect(table.state.documents.map(\.id) == ["b", "d"])
    }

    @Test func aBorrowersLossGivesTheFloorBackToTheLender() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .lend(to: id(2), seconds: nil))
        try table.presenter(2, .unregister)
        #expect(table.holder == 1)
        try table.register("Bert")
        try table.presenter(1, .lend(to: id(2), seconds: nil))
        try table.presenter(1, .unregister)
        #expect(table.holder == 2 && table.state.loan == nil)
    }

    @Test func aRestartKeepsTheHolderAndLetsEverybodyComeBack() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(2)))
        table.floor = Floor(continuing: table.state)
        let effects = table.floor.resume(atMilliseconds: table.now)
        #expect(shownPages(effects) == [.page(document: "b", number: 1)])
        #expect(table.holder == 2 && table.state.presenters.allSatisfy { !$0.isPresent })
        #expect(try table.register("Bert") == 2)
    }

    @Test func aConnectionRegistersOnceAndNamesAreChecked() throws {
        var table = ConferenceTable()
        try table.register("Anna")
        #expect(refusal { try table.register("Eve", connection: "c-Anna") } == .notNow)
        for name in ["", String(repeating: "x", count: 201), "a\u{0}b", "a\nb"] {
            #expect(refusal { try table.register(name, connection: "d") } == .badValue)
        }
        #expect(refusal { try table.presenter(9, .requestFloor) } == .noPresenter)
    }
}
