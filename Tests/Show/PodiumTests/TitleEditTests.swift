import Foundation
import Podium
import Testing
import Titles

private func title(_ text: String, _ place: String? = nil) -> Title {
    Title(texts: [TitleText(text: text)], place: place)
}

@Suite struct TitleEditTests {
    /// Three titles at the measures 0, 3 and 8; each says where it stands.
    private var sung: ShowProgramme {
        let list = try! firstPiece().findMeasures(of: ["p:0", "p:3", "p:8"].map { title($0, $0) })
        return try! evening().replacingTitles(of: 0, by: list)
    }

    private func edit(
        _ stage: Stage, at index: Int, removing count: Int = 0, _ titles: Title..., piece: Int = 0
    ) -> PodiumEvent {
        .titlesEdited(
            piece: piece, folder: stage.podium.course.pieces[piece].folder,
            TitleListEdit(
                base: stage.podium.course.pieces[piece].titles.fingerprint, index: index, removedCount: count,
                inserted: titles))
    }

    private func texts(_ stage: Stage) -> [String] {
        stage.podium.course.pieces[0].titles.titles.map(\.firstText)
    }

    private func refusal(_ effects: [PodiumEffect]) -> CommandRefusalCode? { effects.first?.refusal?.code }

    @Test func aTitleIsPutInAndTheOneOnTheScreenStays() {
        var stage = Stage(sung)
        stage.say("title goto 2")
        stage.take(edit(stage, at: 1, title("new", "2")))
        #expect(texts(stage) == ["p:0", "new", "p:3", "p:8"])
        #expect(stage.podium.course.pieces[0].titles.titles[1].played == 1)
        #expect(stage.podium.shownTitle?.number == 3)
        stage.take(edit(stage, at: 2, removing: 1, title("other words", "p:3")))
        #expect(stage.podium.shownTitle?.number == 3, "the same title with other words")
    }

    @Test func ofATitleThatIsTakenOutTheOneBeforeStays() {
        var stage = Stage(sung)
        stage.say("title goto 2")
        stage.take(edit(stage, at: 1, removing: 1))
        #expect(stage.podium.shownTitle?.number == 1)
        stage.take(edit(stage, at: 0, removing: 1))
        #expect(stage.podium.shownTitle?.number == nil)
    }

    @Test func aTitleThatIsLeftOutTonightComesNeitherByTheMusicNorByAStep() {
        var stage = Stage(sung)
        stage.say("title skip 2")
        for measure in 0...4 {
            stage.now = ShowTime(milliseconds: Int64(measure) * 2_000)
            stage.hear(measure)
        }
        #expect(stage.podium.shownTitle?.number == 1, "the music does not show it")
        stage.say("title next")
        #expect(stage.podium.shownTitle?.number == 3)
        stage.say("title previous")
        #expect(stage.podium.shownTitle?.number == 1)
        stage.say("title goto 2")
        #expect(stage.podium.shownTitle?.number == 2, "its own number shows it")
        #expect(texts(stage) == ["p:0", "p:3", "p:8"], "the list stays")
        #expect(refusal(stage.say("title skip 9")) != nil)
        stage.say("title unskip 2")
        #expect(stage.state.skippedTitles == nil)
    }

    @Test func whatIsLeftOutStaysSoWhereverTheListPutsIt() {
        var stage = Stage(sung)
        stage.say("title skip 2")
        stage.say("title skip 3")
        stage.take(edit(stage, at: 0, title("new")))
        #expect(stage.state.skippedTitles?.values.first == [2, 3])
        stage.take(edit(stage, at: 2, removing: 1, title("other words", "p:3")))
        #expect(stage.state.skippedTitles?.values.first == [2, 3], "other words are the same title")
        stage.take(edit(stage, at: 2, removing: 1))
        #expect(stage.state.skippedTitles?.values.first == [2])
        let data = try! JSONEncoder().encode(stage.state)
        #expect(
            try! JSONDecoder().decode(PodiumState.self, from: data).skippedTitles == stage.state.skippedTitles
        )
    }

    @Test func theSecondOfTwoEditorsIsToldAndNothingIsLost() {
        var stage = Stage(sung)
        let second = edit(stage, at: 0, removing: 1, title("second", "p:0"))
        stage.take(edit(stage, at: 0, removing: 1, title("first", "p:0")))
        #expect(refusal(stage.take(second)) == .titlesChanged)
        #expect(texts(stage)[0] == "first")
    }

    @Test func anEditThatBreaksARuleOrMeansAnotherPieceChangesNothing() {
        var stage = Stage(sung)
        #expect(refusal(stage.take(edit(stage, at: 0, title("late", "p:5")))) == .badTitles)
        #expect(refusal(stage.take(edit(stage, at: 4, title("nowhere")))) == .titlesChanged)
        let elsewhere = PodiumEvent.titlesEdited(
            piece: 1, folder: "strauss-1",
            TitleListEdit(base: TitleList().fingerprint, index: 0, removedCount: 0, inserted: [title("a")]))
        #expect(refusal(stage.take(elsewhere)) == .notNow)
        stage.say("lock on")
        #expect(refusal(stage.take(edit(stage, at: 0, removing: 1))) == .locked)
        #expect(texts(stage) == ["p:0", "p:3", "p:8"])
    }

    @Test func anotherPiecesTitlesAreEditedWhileOneIsPlayed() {
        var stage = Stage(sung)
        stage.hear(0)
        stage.take(edit(stage, at: 0, title("of the second", "3"), piece: 1))
        #expect(stage.podium.course.pieces[1].titles.count == 1 && stage.podium.shownTitle?.number == 1)
    }

    @Test func anEditIsWrittenToTheLogAndIsShort() throws {
        let stage = Stage(sung)
        let event = edit(stage, at: 1, removing: 1, title("new", "2"))
        let bytes = try JSONEncoder().encode(event)
        #expect(try JSONDecoder().decode(PodiumEvent.self, from: bytes) == event)
        #expect(bytes.count < 250, "the list itself is not in it")
    }

    @Test func aListIsKnownByWhatItSays() {
        let list = sung.pieces[0].titles
        #expect(list.fingerprint == (try! TitleList(list.titles)).fingerprint)
        var other = list.titles
        other[2].note = "slow"
        #expect((try! TitleList(other)).fingerprint != list.fingerprint)
    }

    @Test func allTitlesOfAProgrammeAreBounded() throws {
        let long = try TitleList(
            (0..<990).map { _ in Title(texts: [TitleText(text: String(repeating: "x", count: 1_000))]) })
        #expect(throws: TitleFault.listTooLong(bytes: 1_001_000)) {
            try TitleList(long.titles + long.titles.prefix(11))
        }
        let pieces = (0..<5).map { _ in firstPiece() }
        var programme = try ShowProgramme(title: "Long", pieces: pieces)
        for index in 0..<4 { programme = try programme.replacingTitles(of: index, by: long) }
        let full = programme
        #expect(throws: TitleFault.programmeTooLong(bytes: 4_950_000)) {
            try full.replacingTitles(of: 4, by: long)
        }
        _ = try full.replacingTitles(of: 0, by: TitleList())
    }

    @Test func titlesOnPhonesStayForTheWholeShowAndAreOffAtItsBeginning() throws {
        var stage = Stage(sung)
        stage.hear(0)
        #expect(stage.podium.shownTitle?.isOnPhones == false)
        let without = String(decoding: try JSONEncoder().encode(stage.podium.shownTitle), as: UTF8.self)
        #expect(!without.contains("hones"), "a log of a show without them stays as it was")
        let effects = stage.say("title phones on")
        #expect(effects.contains(.titleChanged(stage.podium.shownTitle!)))
        stage.say("next-piece")
        #expect(stage.podium.shownTitle?.isOnPhones == true)
        let saved = try JSONDecoder().decode(PodiumState.self, from: JSONEncoder().encode(stage.state))
        #expect(saved.titles?.isOnPhones == true)
        stage.say("title phones off")
        #expect(stage.podium.shownTitle?.isOnPhones == false)
    }
}
