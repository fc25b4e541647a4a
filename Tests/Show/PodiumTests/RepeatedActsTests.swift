import Podium
import Testing

/// One human act counts once, and the hard stop is one person's own decision.
@Suite struct RepeatedActsTests {
    private let desk = CommandSender(name: "osc 127.0.0.1", role: .showControl)

    private func refusal(_ effects: [PodiumEffect]) -> CommandRefusalCode? { effects.first?.refusal?.code }

    private func notices(_ effects: [PodiumEffect]) -> [String] {
        effects.compactMap { if case .showNotice(_, let sentence) = $0 { sentence } else { nil } }
    }

    @Test(arguments: [0, 60, 500, 2_500] as [Int64])
    func twoPeopleWhoPressOnceEachMakeNoHardStop(pause: Int64) {
        var stage = Stage()
        stage.hear(3)
        stage.say("panic")
        stage.wait(pause)
        let told = notices(stage.say("panic", by: bert))
        #expect(stage.state.panic == .safe)
        #expect(told.count == 1 && told[0].contains("“anna”") && told[0].contains("press again"))
    }

    @Test func eachOfThemMayGoOnToTheHardStop() {
        for second in [anna, bert] {
            var stage = Stage()
            stage.hear(3)
            stage.say("panic")
            stage.wait(1_000)
            stage.say("panic", by: bert)
            stage.wait(1_000)
            #expect(stage.say("panic", by: second).contains(.panicStep(.stop)))
        }
    }

    @Test func aLateSecondPersonIsToldAndThenStops() {
        var stage = Stage()
        stage.hear(3)
        stage.say("panic")
        stage.wait(60_000)
        #expect(notices(stage.say("panic", by: bert)).count == 1)
        stage.wait(2_900)
        #expect(stage.say("panic", by: bert).contains(.panicStep(.stop)))
    }

    @Test func oneAccountAtTwoDevicesIsTwoSenders() {
        let (laptop, tablet) = (
            CommandSender(name: "crew", role: .technician, device: "a"),
            CommandSender(name: "crew", role: .technician, device: "b")
        )
        var stage = Stage()
        stage.hear(3)
        stage.say("panic", by: laptop)
        stage.wait(1_000)
        #expect(notices(stage.say("panic", by: tablet)).first?.contains("another device") == true)
        #expect(stage.state.panic == .safe)
        stage.wait(1_000)
        #expect(stage.say("panic", by: tablet).contains(.panicStep(.stop)))
    }

    @Test(arguments: [0, 5, 149] as [Int64])
    func aDoubledPanicIsOne(pause: Int64) {
        var stage = Stage()
        stage.hear(3)
        stage.say("panic", by: desk)
        stage.wait(pause)
        #expect(stage.say("panic", by: desk).isEmpty)
        #expect(stage.state.panic == .safe)
    }

    @Test func whoHammersTheKeyStopsTheShow() {
        let console = CommandSender(name: "anna", role: .technician, device: "a")
        var stage = Stage()
        stage.hear(3)
        for level in [PanicLevel.safe, .safe, .stop] {
            stage.say("panic", by: console)
            #expect(stage.state.panic == level)
            stage.wait(100)
        }
    }

    @Test func aScriptStopsTheShowAsQuicklyAsItLikes() {
        var stage = Stage()
        stage.hear(3)
        stage.say("panic")
        #expect(stage.say("panic").contains(.panicStep(.stop)))
    }

    @Test func aPanicThatIsOverBeginsAnew() {
        var stage = Stage()
        stage.hear(3)
        stage.say("panic")
        stage.wait(1_000)
        stage.say("panic-over", by: bert)
        stage.wait(500)
        #expect(stage.say("panic").contains(.panicStep(.safe)))
        stage.wait(500)
        #expect(notices(stage.say("panic", by: bert)).count == 1 && stage.state.panic == .safe)
    }

    @Test func underTheRulesOfOlderLogsTwoPeopleStop() {
        var settings = PodiumSettings()
        settings.rules = 8
        var stage = Stage(settings: settings)
        stage.hear(3)
        stage.say("panic")
        stage.wait(2_500)
        #expect(stage.say("panic", by: bert).contains(.panicStep(.stop)))
        #expect(stage.state.panic == .stop)
    }

    @Test(arguments: ["standby next", "next-piece"])
    func aDeskThatSendsAStepTwiceMovesOnce(step: String) {
        let cues = [cue("a", at: 1), cue("b", at: 2), cue("c", at: 3), cue("d", at: 4)]
        for (pause, isObeyed) in [(0, false), (60, false), (149, false), (150, true)] as [(Int64, Bool)] {
            var stage = Stage(evening(cues, second: cues))
            if step == "next-piece" { stage.say("piece 1", by: desk) }
            stage.say(step, by: desk)
            let before = stage.state
            stage.wait(pause)
            let refused = refusal(stage.say(step, by: desk))
            if !isObeyed {
                #expect(refused == .misfire, "\(pause) ms")
                #expect(stage.state.standby == before.standby && stage.state.piece == before.piece)
            } else {
                #expect(refused != .misfire, "\(pause) ms")
            }
        }
    }

    @Test func stepsOfDifferentSendersAndDirectionsAreSeveral() {
        let cues = [cue("a", at: 1), cue("b", at: 2), cue("c", at: 3), cue("d", at: 4)]
        var stage = Stage(evening(cues))
        let other = CommandSender(name: "osc 10.0.0.9", role: .showControl)
        #expect(refusal(stage.say("standby next", by: desk)) == nil)
        #expect(refusal(stage.say("standby next", by: other)) == nil)
        #expect(refusal(stage.say("standby previous", by: desk)) == nil)
        #expect(
            refusal(stage.say("nudge 1", by: desk)) == nil && refusal(stage.say("nudge 1", by: desk)) == nil)
        // Scripts with an account step as quickly as they like; pages count acts before they send.
        for _ in 0..<2 { #expect(refusal(stage.say("standby next")) == nil) }
        #expect(stage.state.standby == "d")
    }
}
