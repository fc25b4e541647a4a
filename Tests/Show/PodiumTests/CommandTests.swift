import Basics
import Podium
import Testing

@Suite struct CommandTests {
    @Test(arguments: [
        "take", "release", "hold", "resume", "tap", "nudge -3", "goto 57", "goto 57/2", "goto C", "goto p:60",
        "bar-is-now", "bar-is-now 57", "choose 2", "choose p:9", "choose 57/2", "choose C", "go", "go c7",
        "standby next", "standby previous", "standby none",
        "standby c7", "panic", "panic-over", "lock on", "lock off", "blackout on", "freeze off", "pause-all",
        "resume-all", "piece 3", "piece 3 57/2", "piece 3 unknown", "next-piece", "intermission on",
        "auto-advance off", "rehearsal on", "withdraw", "note slowly",
    ])
    func wordsReadBackAsTheyWere(_ text: String) throws {
        let words = text.split(separator: " ").map(String.init)
        #expect(try PodiumCommand(words: words).words == words)
    }

    @Test func everyCommandOfTheTableExists() {
        for use in PodiumCommand.descriptions {
            var found: CommandFault?
            do throws(CommandFault) { _ = try PodiumCommand(words: [use.name]) } catch { found = error }
            #expect(found != .unknownCommand(use.name))
            #expect(
                (found != nil) == (!use.arguments.isEmpty && !use.arguments.hasPrefix("[")), "\(use.name)")
        }
    }

    @Test func aMessageMayLeaveOutStyleAndButton() throws {
        #expect(
            try PodiumCommand(words: ["message", "Hello", "you all"]).words
                == ["message", "Hello", "you all", "AUTO", ""])
        #expect(
            try PodiumCommand(words: ["message", "Hello", "", "button", "OK"]).words
                == ["message", "Hello", "", "button", "OK"])
    }

    @Test func namesAreReadInAnyLetterCaseAndANoteInOnePiece() throws {
        #expect(try PodiumCommand(words: ["GO"]) == .fireStandbyCue)
        #expect(try PodiumCommand(words: ["nudge", "+2"]) == .nudgePosition(2))
        #expect(try PodiumCommand(words: ["lock", "1"]) == .setShowLock(true))
        #expect(try PodiumCommand(words: ["note", "too", "slow"]) == .logNote("too slow"))
    }

    @Test func whatIsNoCommandIsRefusedWithASentence() {
        let wrong: [[String]] = [
            [], [""], ["jump"], ["nudge"], ["nudge", "0"], ["nudge", "x"], ["nudge", "1000"],
            ["nudge", "\(Int.min)"], ["nudge", "99999999999999999999"], ["goto"], ["goto", ""],
            ["goto", String(repeating: "x", count: 201)], ["choose", "0"], ["choose", "4"], ["choose", ""],
            ["choose", "57"], ["go", ""],
            ["standby"], ["standby", ""], ["lock"], ["lock", "maybe"], ["piece"], ["piece", "0"],
            ["piece", "1", ""],
            ["piece", "1", "2", "3"], ["message"], ["message", "a"], ["message", "a", "b", "LOUD"],
            ["message", "a|", "b"], ["message", "Link", "b", "BUTTON", "ftp://x"], ["note"],
            ["note", String(repeating: "x", count: 2_001)],
        ]
        for words in wrong {
            var sentence: String?
            do throws(CommandFault) { _ = try PodiumCommand(words: words) } catch {
                sentence = error.sentence
            }
            #expect(sentence.map { $0.hasSuffix(".") && $0.count > 20 } == true, "\(words.first ?? "")")
        }
    }

    @Test(arguments: [
        ("57", MeasureReference.printedMeasure(57, time: nil)), ("-1", .printedMeasure(-1, time: nil)),
        ("57/2", .printedMeasure(57, time: 2)),
        ("p:0", .playedMeasure(0)), ("C", .section("C")), ("A/B", .section("A/B")),
        ("57/0", .section("57/0")),
        ("s:57", .section("57")), ("p:x", .section("p:x")), ("p:-1", .section("p:-1")),
        ("s:", .section("s:")),
    ])
    func placesAreReadAndWritten(_ text: String, _ place: MeasureReference) {
        #expect(MeasureReference(text) == place)
        #expect(MeasureReference(place.description) == place)
        #expect(place.description == text)
    }

    @Test func anyTextThatIsAPlaceReadsBack() {
        var random = SeededRandomGenerator(seed: 7)
        let alphabet = Array("0129/-+:psAé ")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in alphabet.randomElement(using: &random)!
                })
            guard let place = MeasureReference(text) else { continue }
            #expect(MeasureReference(place.description) == place, "\(text)")
        }
    }

    @Test func aSectionIsFoundInAnyLetterCaseUnlessOneIsExact() throws {
        let piece = firstPiece()
        #expect(try MeasureReference.section("b").resolve(in: piece) == 8)
        #expect(try MeasureReference.section("A'").resolve(in: piece) == 4)
        #expect(throws: MeasureReferenceFault.noSection("D", labels: ["A", "A'", "B"])) {
            _ = try MeasureReference.section("D").resolve(in: piece)
        }
    }

    @Test func theShortestPlaceOfAMeasureLeadsBackToIt() throws {
        let piece = firstPiece()
        #expect(piece.measureReference(at: 12).description == "9")
        #expect(piece.measureReference(at: 5).description == "2/2")
        for played in 0..<16 { #expect(try piece.measureReference(at: played).resolve(in: piece) == played) }
    }
}
