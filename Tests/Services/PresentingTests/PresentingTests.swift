import Basics
import Floor
import Hosting
import PresentingProtocol
import ScorePages
import Synchronization
import Testing
import WebServer

@testable import Presenting

@Suite struct PresentingTests {
    @Test(arguments: ["0.0.0.0", "192.168.1.20", "::", "hall.example.org"])
    func anAddressOpenToOthersNeedsACode(_ address: String) throws {
        #expect(throws: ExplainedError.self) {
            try PresentingSettings(address: address, port: 8090, code: nil)
        }
        let code = try SpeakersCode("k7-summer")
        #expect(try PresentingSettings(address: address, port: 8090, code: code).code == code)
    }

    @Test(arguments: ["127.0.0.1", "::1", "localhost"])
    func onThisMachineNoCodeIsNeeded(_ address: String) throws {
        let settings = try PresentingSettings(address: address, port: 8090, code: nil)
        #expect(settings.checkedName("Anna #1") == "Anna #1")
    }

    @Test(arguments: ["", "short", "with space", "ümlaut-code", String(repeating: "x", count: 64)])
    func aCodeThatIsEasyToGuessOrToMistypeIsRefused(_ code: String) {
        #expect(throws: ExplainedError.self) { try SpeakersCode(code) }
    }

    @Test func theCodeStandsAfterTheName() throws {
        let settings = try PresentingSettings(
            address: "0.0.0.0", port: 8090, code: SpeakersCode("k7-summer"))
        #expect(settings.checkedName("Anna#k7-summer") == "Anna")
        #expect(settings.checkedName("Anna #2 #k7-summer") == "Anna #2")
        for wrong in ["Anna", "Anna#", "Anna#k7-summe", "Anna#k7-summerr", "Anna#k7-summeR", "k7-summer", ""]
        {
            #expect(settings.checkedName(wrong) == nil, "\(wrong)")
        }
    }

    @Test func everySignalAsksForItsAction() {
        let other = FloorPresenter.ID(rawValue: 9)
        let actions: [(PresentingSignal, PresenterAction?)] = [
            (.next, .nextPage), (.previous, .previousPage), (.goTo(slide: 7), .goToPage(number: 7)),
            (.blank(isWhite: true), .blank(colour: .white)), (.blank(isWhite: false), .blank(colour: .black)),
            (.handOver(to: 9, seconds: 0), .handOver(to: other)),
            (.handOver(to: 9, seconds: 60), .lend(to: other, seconds: 60)),
            (.handOver(to: 9, seconds: .max), .lend(to: other, seconds: nil)),
            (.withdraw(counter: 5), .recallLoan(afterSeconds: 5)), (.returnControl, .returnFloor),
            (.unknown(type: 0x42, parameter: 1), nil),
        ]
        for (signal, action) in actions { #expect(PresenterAction(signal) == action) }
    }

    @Test func everyOrderOfTheModeratorIsUnderstood() {
        let three = FloorPresenter.ID(rawValue: 3)
        let orders: [(FloorOrder, ModeratorAction?)] = [
            (FloorOrder(action: "grant", presenter: 3), .grant(to: three)),
            (FloorOrder(action: "lend", presenter: 3, seconds: 60), .lend(to: three, seconds: 60)),
            (FloorOrder(action: "take"), .takeFloor(name: "mia")), (FloorOrder(action: "end-loan"), .endLoan),
            (FloorOrder(action: "withdraw"), .withdraw),
            (FloorOrder(action: "decline", presenter: 3), .declineRequest(of: three)),
            (FloorOrder(action: "do-not-disturb", on: true), .setDoNotDisturb(isOn: true)),
            (FloorOrder(action: "blank", colour: .white), .blank(colour: .white)),
            (FloorOrder(action: "stop"), .stop),
            (FloorOrder(action: "remove", presenter: 3), .remove(presenter: three)),
            (FloorOrder(action: "grant"), nil), (FloorOrder(action: "blank"), nil),
            (FloorOrder(action: ""), nil),
        ]
        for (order, action) in orders {
            #expect(order.event(by: "mia") == action.map { .moderator(action: $0) }, "\(order.action)")
        }
    }

    /// Seconds beyond every integer reach the floor, which says what is possible; presenters are numbered by a byte.
    @Test(arguments: ["1e10", "1e300", "1.5", "-1", "0"]) func impossibleSecondsReachTheFloor(seconds: String)
        throws
    {
        let body = Array(#"{"action":"lend","presenter":2,"seconds":\#(seconds)}"#.utf8)
        let order = try JSONBody.decode(FloorOrder.self, from: body)
        let action = try JSONBody.decode(PresenterOrder.self, from: body).presenterAction
        guard case .lend(_, let sent?) = action else { Issue.record("\(seconds)"); return }
        #expect(!(1...86_400).contains(sent))
        #expect(order.seconds?.whole == sent)
    }

    @Test(arguments: ["999", "-1"]) func presenterOutOfRangeIsNamed(presenter: String) {
        let body = Array(#"{"action":"grant","presenter":\#(presenter)}"#.utf8)
        #expect(throws: JSONFault("The number “presenter” must be a whole number from 0 to 255.")) {
            try JSONBody.decode(FloorOrder.self, from: body)
        }
        #expect(throws: JSONFault("The number “presenter” must be a whole number from 0 to 255.")) {
            try JSONBody.decode(PresenterOrder.self, from: body)
        }
    }

    @Test func everyActionOfThePageIsUnderstood() {
        let nine = FloorPresenter.ID(rawValue: 9)
        let orders: [(PresenterOrder, PresenterAction?)] = [
            (PresenterOrder(action: "request"), .requestFloor),
            (PresenterOrder(action: "withdraw-request"), .withdrawRequest),
            (PresenterOrder(action: "next"), .nextPage), (PresenterOrder(action: "previous"), .previousPage),
            (PresenterOrder(action: "go-to", page: 7), .goToPage(number: 7)),
            (PresenterOrder(action: "blank", colour: .black), .blank(colour: .black)),
            (PresenterOrder(action: "hand-over", presenter: 9), .handOver(to: nine)),
            (PresenterOrder(action: "lend", presenter: 9, seconds: 60), .lend(to: nine, seconds: 60)),
            (PresenterOrder(action: "lend", presenter: 9), .lend(to: nine, seconds: nil)),
            (PresenterOrder(action: "recall"), .recallLoan(afterSeconds: 0)),
            (PresenterOrder(action: "return"), .returnFloor), (PresenterOrder(action: "leave"), .unregister),
            (PresenterOrder(action: "do-not-disturb", on: true), .setDoNotDisturb(isOn: true)),
            (PresenterOrder(action: "do-not-disturb"), nil),
            (PresenterOrder(action: "go-to"), nil), (PresenterOrder(action: "hand-over"), nil),
            (PresenterOrder(action: "grant", presenter: 9), nil),
        ]
        for (order, action) in orders { #expect(order.presenterAction == action, "\(order.action)") }
    }

    @Test(arguments: ["", "  ", "Anna\n", String(repeating: "x", count: 201)])
    func aNameThatTheFloorWouldRefuseIsRefusedAtTheDoor(_ name: String) {
        #expect(!PresentRoutes.isName(name))
        #expect(PresentRoutes.isName("Anna Ågren"))
    }

    /// The server keeps the file under a name that the speaker has never seen.
    @Test func aSpeakerIsToldOfSlidesAndNotOfAScoreWithAnotherName() {
        let path = "/srv/data/presenting/p50uvx5qsnav.pdf"
        let errors: [ScorePagesError] = [
            .notPDF(path: path), .needsPassword(path: path),
            .damagedPDF(path: path, reason: "no pages were found"),
            .noPages(path: path), .tooManyPages(path: path, pages: 2_000, limit: 1_000),
            .impossiblePageSize(path: path, page: 3, width: 0, height: 1e9), .pageTooHeavy(page: 3),
            .fileTooLarge(path: path, bytes: 300_000_000, limit: 200_000_000),
        ]
        for sentence in errors.map(\.slidesSentence) {
            for word in ["p50uvx5qsnav", "/srv", "score", "music", "movement", "paper;"] {
                #expect(!sentence.contains(word), "\(sentence)")
            }
        }
        #expect(ScorePagesError.pageTooHeavy(page: 3).slidesSentence.contains("Slide 4"))
    }

    /// A stranger behind the same router guesses as fast as possible.
    @Test func aRightCodeIsNeverRefusedBecauseOfWrongOnes() {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let guesses = CodeGuesses { start + passed.withLock(\.self) }
        for _ in 0..<8 { #expect(guesses.look(isRight: false, from: "10.0.0.9") == false) }
        #expect(guesses.look(isRight: true, from: "10.0.0.9") == true)
        var looked = 8
        for _ in 0..<1_000 where guesses.look(isRight: false, from: "10.0.0.9") != nil { looked += 1 }
        #expect(looked == CodeGuesses.freeOfNetwork, "further guesses wait for their turn")
        #expect(
            guesses.look(isRight: true, from: "10.0.0.9") == nil, "and so does a right code, for a moment")
        #expect(guesses.look(isRight: true, from: "10.0.0.10") == true, "other networks do not wait")
        passed.withLock { $0 = .seconds(1) }
        #expect(guesses.look(isRight: true, from: "10.0.0.9") == true)
        for _ in 0..<1_000 where guesses.look(isRight: false, from: "10.0.0.9") != nil { looked += 1 }
        #expect(looked == CodeGuesses.freeOfNetwork + CodeGuesses.eachSecondOfNetwork)
    }

    @Test func manyNetworksGuessNoFasterThanOneRoomAndNobodyElseWaits() {
        let now = ContinuousClock.now
        let guesses = CodeGuesses { now }
        var looked = 0
        for host in 0..<100 {
            for _ in 0..<CodeGuesses.freeOfNetwork {
                if guesses.look(isRight: false, from: "10.0.1.\(host)") != nil { looked += 1 }
            }
        }
        #expect(looked == 100 * CodeGuesses.freeOfNetwork / 2 + CodeGuesses.freeOfAll)
        #expect(guesses.look(isRight: true, from: "10.0.2.1") == true)
    }

    @Test func theAddressesOfOneNetworkAreCountedTogether() {
        let now = ContinuousClock.now
        let guesses = CodeGuesses { now }
        for host in 1...CodeGuesses.freeOfNetwork {
            #expect(guesses.look(isRight: false, from: "2001:db8:1:2::\(host)") == false)
        }
        #expect(guesses.look(isRight: false, from: "2001:db8:1:2::99") == nil)
        #expect(guesses.look(isRight: false, from: "2001:db8:1:3::1") == false)
    }

    @Test func theFloorKnowsATokenByItsDigestOnly() {
        let token = PagePresenter.makeToken()
        #expect(token != PagePresenter.makeToken() && (20...100).contains(token.utf8.count))
        #expect(!PagePresenter.identity(of: token).contains(token.prefix(8)))
        #expect(PagePresenter.identity(of: token) == PagePresenter.identity(of: token))
    }
}
