import Testing
import Titles

/// Titles named by one letter each: a digit after it is the measure.
func titles(_ texts: String...) -> TitleList {
    try! TitleList(
        texts.map { text in
            Title(
                texts: [TitleText(text: String(text.prefix(1)))],
                place: text.count > 1 ? "p:\(text.dropFirst())" : nil, played: Int(text.dropFirst()))
        })
}

/// A runner with a clock that is set by hand.
struct RunnerStage {
    var runner = TitleRunner()
    var list: TitleList
    var now: Int64 = 0
    var music = TitleRunner.Music.standing

    init(_ list: TitleList) { self.list = list }

    /// The text of the present title, in parentheses while it is hidden; empty before the first.
    var shown: String {
        let text = runner.index.map { list.titles[$0].firstText } ?? ""
        return runner.isHidden ? "(\(text))" : text
    }

    @discardableResult
    mutating func say(_ words: String) -> TitleRefusal? {
        let command = TitleCommand(words: words.split(separator: " ").map(String.init))!
        do throws(TitleRefusal) {
            try runner.execute(command, of: list, at: now)
            return nil
        } catch { return error }
    }

    mutating func play(_ measure: Int) { hear(.playing(measure: measure)) }
    mutating func lose() { hear(.lost) }

    mutating func hear(_ music: TitleRunner.Music) {
        self.music = music
        runner.follow(music, of: list, at: now)
    }

    mutating func wait(_ milliseconds: Int64) {
        now += milliseconds
        runner.tick(music, of: list, at: now)
    }
}

@Suite struct TitleRunnerTests {
    @Test func titlesComeWithTheirMeasuresAndNeverBefore() {
        var stage = RunnerStage(titles("A2", "B4"))
        var seen: [String] = []
        for measure in 0...5 {
            stage.play(measure)
            seen.append(stage.shown)
        }
        #expect(seen == ["", "", "A", "A", "B", "B"])
    }

    @Test func aPersonMovesThemOnAndBackAndTheyNoLongerFollow() {
        var stage = RunnerStage(titles("A0", "B4", "C8"))
        stage.play(0)
        stage.now = 1_000
        #expect(stage.say("next") == nil)
        #expect(stage.shown == "B" && !stage.runner.followsMusic)
        stage.play(9)
        #expect(stage.shown == "B")
        stage.say("previous")
        #expect(stage.shown == "A")
        stage.say("auto")
        #expect(stage.shown == "C" && stage.runner.followsMusic)
    }

    @Test func theFirstAndTheLastTitleHaveNoneBeyondThem() {
        var stage = RunnerStage(titles("A", "B"))
        #expect(stage.say("previous") == .noTitleBefore)
        stage.say("goto 2")
        #expect(stage.say("next") == .noFurtherTitle)
        #expect(stage.say("goto 3") == .noTitle(number: 3, count: 2))
        #expect(stage.shown == "B")
        var empty = RunnerStage(TitleList())
        #expect(empty.say("next") == .noTitles && empty.say("goto 1") == .noTitles)
    }

    @Test func hiddenTitlesMoveOnUnseenAndChoosingOneShowsIt() {
        var stage = RunnerStage(titles("A", "B", "C"))
        stage.say("next")
        stage.say("hide")
        stage.say("next")
        #expect(stage.shown == "(B)")
        stage.say("reveal")
        #expect(stage.shown == "B")
        stage.say("hide")
        stage.say("goto 3")
        #expect(stage.shown == "C")
    }

    @Test func aBlankScreenKeepsItsTitle() {
        var stage = RunnerStage(titles("A"))
        stage.say("next")
        stage.say("blank black")
        #expect(stage.runner.blank == .black && stage.shown == "A")
        stage.say("blank white")
        #expect(stage.runner.blank == .white)
        stage.say("blank off")
        #expect(stage.runner.blank == .none && stage.shown == "A")
    }

    @Test func aStepJustAfterAnAutomaticTitleWasMeantForIt() {
        var stage = RunnerStage(titles("A0", "B1", "C2"))
        stage.play(0)
        stage.now = 10_000
        stage.play(1)
        stage.now += 249
        #expect(stage.say("next") == .justShown(number: 2, milliseconds: 249))
        #expect(stage.shown == "B" && stage.runner.followsMusic)
        stage.now += 1
        #expect(stage.say("next") == nil)
        #expect(stage.shown == "C")
    }

    @Test func aStepJustBeforeAnAutomaticTitleShowsOneTitle() {
        var stage = RunnerStage(titles("A0", "B1", "C2"))
        stage.play(0)
        stage.now = 10_000
        stage.say("next")
        stage.now += 100
        stage.play(1)
        #expect(stage.shown == "B")
    }

    @Test func quickStepsByOnePersonAllCount() {
        var stage = RunnerStage(titles("A", "B", "C"))
        for _ in 0..<3 {
            #expect(stage.say("next") == nil)
            stage.now += 50
        }
        #expect(stage.shown == "C")
    }

    @Test func whileTheMusicIsLostNothingComesAndAPersonIsAsked() {
        var stage = RunnerStage(titles("A0", "B4", "C8"))
        stage.play(0)
        stage.lose()
        #expect(stage.runner.needsOperator)
        stage.wait(60_000)
        #expect(stage.shown == "A")
        stage.say("next")
        #expect(stage.shown == "B" && !stage.runner.needsOperator)
    }

    @Test func nobodyIsAskedForTitlesThatAPersonShowsAnyway() {
        var byHand = RunnerStage(titles("A0", "B4"))
        byHand.say("by-hand")
        byHand.lose()
        #expect(!byHand.runner.needsOperator)
        var last = RunnerStage(titles("A0", "B"))
        last.play(0)
        last.lose()
        #expect(!last.runner.needsOperator)
    }

    @Test func afterALossTheTitlesInBetweenAreLeftOut() {
        var stage = RunnerStage(titles("A0", "B4", "C8", "D12"))
        stage.play(0)
        stage.lose()
        stage.play(9)
        #expect(stage.shown == "C" && !stage.runner.needsOperator)
    }

    @Test func musicThatGoesBackTakesItsTitlesBack() {
        var stage = RunnerStage(titles("A2", "B4"))
        stage.play(4)
        stage.play(3)
        #expect(stage.shown == "A")
        stage.play(0)
        #expect(stage.shown == "")
    }

    @Test func aSecondTitleFollowsByItself() {
        let first = Title(texts: [TitleText(text: "A")], place: "p:0", played: 0, doubleCut: 1.5)
        var stage = RunnerStage(try! TitleList([first] + titles("B", "C4").titles))
        stage.play(0)
        #expect(stage.runner.due == 1_500)
        stage.wait(1_499)
        #expect(stage.shown == "A")
        stage.wait(1)
        #expect(stage.shown == "B" && stage.runner.due == nil)
        stage.play(1)
        #expect(stage.shown == "B", "it has no measure of its own, so the next measure takes nothing back")
        stage.play(4)
        #expect(stage.shown == "C")
    }

    @Test func aSecondTitleDoesNotFollowWhileTheMusicIsLost() {
        let first = Title(texts: [TitleText(text: "A")], place: "p:0", played: 0, doubleCut: 1)
        var stage = RunnerStage(try! TitleList([first] + titles("B", "C4").titles))
        stage.play(0)
        stage.lose()
        stage.wait(5_000)
        #expect(stage.shown == "A")
    }

    @Test func aPersonsStepTakesThePlaceOfTheSecondTitle() {
        let first = Title(texts: [TitleText(text: "A")], doubleCut: 1)
        var stage = RunnerStage(try! TitleList([first] + titles("B", "C").titles))
        stage.say("next")
        stage.now = 900
        stage.say("next")
        stage.wait(5_000)
        #expect(stage.shown == "B")
    }

    @Test func aTitleWithALeadStaysUntilItsMeasureAndAfterIt() {
        let led = Title(texts: [TitleText(text: "B")], place: "p:4", played: 4, lead: 1)
        var stage = RunnerStage(try! TitleList(titles("A0").titles + [led]))
        stage.play(2)
        #expect(stage.runner.nextLed(in: stage.list) == 1)
        stage.runner.lead(to: 1, of: stage.list, at: stage.now)
        stage.play(3)
        #expect(stage.shown == "B")
        stage.play(4)
        #expect(stage.shown == "B")
        stage.play(3)
        #expect(stage.shown == "A")
    }

    @Test func aTitleWithALeadDoesNotStayWhenTheMusicIsFoundSomewhereElseAfterALoss() {
        var stage = RunnerStage(titles("A0", "B3", "C9"))
        stage.play(8)
        stage.runner.lead(to: 2, of: stage.list, at: stage.now)
        stage.lose()
        stage.play(3)
        #expect(stage.shown == "B")
    }

    @Test(arguments: [TitleRunner.Music.lost, .standing])
    func aSecondTitleFollowsTheMusicOnlyWhileItPlays(_ music: TitleRunner.Music) throws {
        // The second one is the last and has no measure of its own.
        let first = Title(texts: [TitleText(text: "A")], place: "p:0", played: 0, doubleCut: 1)
        var stage = RunnerStage(try TitleList([first, Title(texts: [TitleText(text: "B")])]))
        stage.play(0)
        stage.hear(music)
        #expect(stage.runner.needsOperator == (music == .lost))
        stage.wait(1_000)
        #expect(stage.shown == "A" && stage.runner.due == nil)
    }

    @Test func titlesInTheHandAreNotMovedOnByATitleThatCameByItself() throws {
        let first = Title(texts: [TitleText(text: "A")], place: "p:0", played: 0, doubleCut: 1)
        var stage = RunnerStage(try TitleList([first, Title(texts: [TitleText(text: "B")])]))
        stage.play(0)
        stage.say("by-hand")
        stage.wait(1_000)
        #expect(stage.shown == "A")
    }

    @Test func aFadeCanBeHurried() {
        var stage = RunnerStage(titles("A", "B"))
        stage.say("next")
        stage.say("hurry")
        #expect(stage.runner.isFadeEnded)
        stage.say("next")
        #expect(!stage.runner.isFadeEnded)
    }

    @Test func aPieceBeginsWithoutATitleAndFollowsTheMusic() {
        var stage = RunnerStage(titles("A0", "B4"))
        stage.say("goto 2")
        stage.say("hide")
        stage.say("blank black")
        stage.runner.beginPiece()
        #expect(stage.shown == "" && stage.runner.followsMusic)
        #expect(stage.runner.blank == .black, "what a person covered stays covered")
    }

    @Test func anEditedListKeepsThePresentTitle() {
        var stage = RunnerStage(titles("A", "B", "C"))
        stage.say("goto 2")
        let edited = titles("X", "A", "B", "C")
        stage.runner.adapt(from: stage.list, to: edited)
        stage.list = edited
        #expect(stage.shown == "B")
        stage.runner.adapt(from: stage.list, to: titles("Y"))
        stage.list = titles("Y")
        #expect(stage.shown == "Y")
        stage.runner.adapt(from: stage.list, to: TitleList())
        #expect(stage.runner.index == nil)
    }

    @Test func beforeTheFirstTitleNextMeansTheMusicsPlace() {
        var stage = RunnerStage(titles("A4", "B8", "C12"))
        stage.play(2)
        stage.say("next")
        #expect(stage.shown == "A")
        var later = RunnerStage(titles("A", "B"))
        later.say("next")
        #expect(later.shown == "A")
    }
}

@Suite struct TitleListTests {
    private func fault(_ titles: [Title], measures: Int = 10) -> TitleFault? {
        do throws(TitleFault) {
            _ = try TitleList(titles, measureCount: measures)
            return nil
        } catch { return error }
    }

    @Test func mistakesAreNamedWithTheirNumber() {
        func text(_ text: String, _ language: String = "") -> TitleText {
            TitleText(language: language, text: text)
        }
        #expect(fault([Title(texts: [], played: 10)]) == .noSuchMeasure(number: 1, played: 10))
        #expect(
            fault([Title(texts: [], played: 4), Title(texts: [], played: 4)])
                == .sameMeasure(number: 2, before: 1))
        #expect(
            fault([Title(texts: [], played: 4), Title(texts: []), Title(texts: [], played: 3)])
                == .measureGoesBack(number: 3, before: 1))
        #expect(fault([Title(texts: [text("a"), text("b")])]) == .languageTwice(number: 1))
        #expect(fault([Title(texts: [text("a", "no language")])]) == .notALanguage(number: 1, "no language"))
        #expect(fault([Title(texts: [text("\u{7}")])]) == .controlCharacter(number: 1))
        #expect(fault([Title(texts: [], fadeIn: -1)]) == .fadeOutOfRange(number: 1, seconds: -1))
        #expect(fault([Title(texts: [], fadeOut: .infinity)]) != nil)
        #expect(fault([Title(texts: [], doubleCut: .nan)]) != nil)
        #expect(fault([Title(texts: [], lead: 1)]) == .leadWithoutMeasure(number: 1))
        #expect(
            fault([Title](repeating: Title(texts: []), count: 1_501)) == .tooManyTitles(1_501))
        #expect(
            fault([Title(texts: [text(String(repeating: "x", count: 1_001))])])
                == .textTooLong(number: 1, bytes: 1_001))
    }

    @Test func aTitleInCountlessLanguagesIsRefusedAtOnce() {
        let texts = (0..<400_000).map { TitleText(language: "x\($0)", text: "") }
        #expect(throws: TitleFault.tooManyLanguages(400_000)) { try TitleList([Title(texts: texts)]) }
    }

    @Test func everyMistakeIsASentence() {
        let faults: [TitleFault] = [
            .tooManyTitles(2_000), .tooManyLanguages(9), .textTooLong(number: 1, bytes: 2_000),
            .notALanguage(number: 1, "x y"), .languageTwice(number: 1), .controlCharacter(number: 1),
            .fadeOutOfRange(number: 1, seconds: 30), .waitOutOfRange(number: 1, seconds: 90),
            .leadWithoutMeasure(number: 1), .placeNotFound(number: 1, reason: "There is no measure 9."),
            .noSuchMeasure(number: 1, played: 9), .sameMeasure(number: 2, before: 1),
            .measureGoesBack(number: 2, before: 1),
        ]
        for fault in faults { #expect(fault.sentence.hasSuffix(".")) }
        let refusals: [TitleRefusal] = [
            .noTitles, .noFurtherTitle, .noTitleBefore, .noTitle(number: 9, count: 2), .noTitleAtPlace,
            .justShown(number: 1, milliseconds: 20),
        ]
        for refusal in refusals { #expect(refusal.sentence.hasSuffix(".")) }
    }

    @Test(arguments: [
        "next", "previous", "goto 12", "bar 57/2", "hide", "reveal", "blank off", "blank black",
        "blank white", "auto", "by-hand", "hurry", "phones on", "phones off",
    ])
    func commandsReadBackAsTheyWere(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        #expect(TitleCommand(words: words)?.words == words)
    }

    @Test(arguments: [
        "", "nxt", "next 2", "goto", "goto 0", "goto 1501", "goto x", "bar", "blank", "blank red", "hide on",
    ])
    func whatIsNoCommandIsNone(_ text: String) {
        #expect(TitleCommand(words: text.split(separator: " ").map(String.init)) == nil)
    }
}
