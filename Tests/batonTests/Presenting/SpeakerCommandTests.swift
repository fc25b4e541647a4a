import PresentingProtocol
import Testing

@testable import baton

@Suite struct SpeakerCommandTests {
    @Test func everyLineIsACommand() throws {
        let lines: [(String, SpeakerCommand)] = [
            ("next", .next), ("  previous ", .previous), ("go 7", .goTo(7)), ("ask", .ask),
            ("hand Mia Meier", .handOn(to: "Mia Meier")), ("hand 3", .handOn(to: "3")),
            ("lend Bert", .lend(to: "Bert", seconds: nil)), ("lend 3", .lend(to: "3", seconds: nil)),
            ("lend Mia Meier 60", .lend(to: "Mia Meier", seconds: 60)), ("recall", .recall(seconds: 0)),
            ("recall 5", .recall(seconds: 5)), ("return", .giveBack), ("blank", .blank(isWhite: false)),
            ("white", .blank(isWhite: true)), ("slides my talk.pdf", .slides(path: "my talk.pdf")),
            ("draw 2 ink.bin", .draw(type: 2, path: "ink.bin")), ("who", .who), ("wait", .wait),
            ("quit", .quit),
        ]
        for (line, command) in lines {
            #expect(try SpeakerCommand(line: line) == command)
            #expect(SpeakerCommand.descriptions.contains { $0.use.split(separator: " ")[0] == command.name })
        }
    }

    @Test(arguments: [
        ("go 0", "A slide is a number from 1 to 255, not “0”."),
        ("go", "It is written “go NUMBER”, not “go”."),
        ("dance", "There is no command “dance”; “help” lists them."),
        ("lend 3 0", "A loan's seconds is a number from 1 to 65534, not “0”."),
        ("next please", "It is written “next”, not “next please”."),
    ])
    func aLineThatIsNoCommandIsExplained(_ line: String, _ sentence: String) {
        #expect(throws: SpeakerCommand.Fault(sentence: sentence)) { try SpeakerCommand(line: line) }
    }

    @Test func keysAreCommands() {
        var keys = SpeakerKeys()
        let commands: [(String, SpeakerCommand)] = [
            ("\u{1B}[C", .next), ("\u{1B}[6~", .next), (" ", .next), ("\u{1B}[D", .previous),
            ("\u{7F}", .previous),
            ("a", .ask), ("r", .giveBack), ("b", .blank(isWhite: false)), ("w", .blank(isWhite: true)),
            ("t", .recall(seconds: 0)), ("o", .who), ("q", .quit),
        ]
        for (key, command) in commands { #expect(keys.take(Array(key.utf8)) == [.command(command)]) }
        #expect(keys.take(Array("\u{1B}[Z!".utf8)) == [])
    }

    @Test func someKeysAskForAWord() {
        var keys = SpeakerKeys()
        #expect(keys.take(Array("12\n".utf8)).last == .command(.goTo(12)))
        #expect(keys.take([UInt8](arrayLiteral: 0x68)) == [.question] && keys.question?.typed == "")
        #expect(keys.take(Array("Berx\u{7F}t".utf8)).last == .question && keys.question?.typed == "Bert")
        #expect(keys.take([0x0D]) == [.question, .command(.handOn(to: "Bert"))] && keys.question == nil)
        // Escape gives up, and a wrong answer is explained.
        _ = keys.take(Array("l3 6".utf8))
        #expect(keys.take([0x1B]) == [.question] && keys.question == nil)
        #expect(
            keys.take(Array("g999\n".utf8)).last == .fault("A slide is a number from 1 to 255, not “999”."))
    }

    @Test func speakersAreFoundByTheBeginningOfTheirName() throws {
        let all = [("Anna", 1), ("Annabel", 2), ("Bert", 3)].map {
            ListedPresenter(id: $0.1, isConnected: true, hasFloor: false, name: $0.0)
        }
        #expect(try SpeakerProgram.presenter(named: "b", among: all).get() == 3)
        #expect(try SpeakerProgram.presenter(named: "anna", among: all).get() == 1, "the whole name wins")
        #expect(
            throws: SpeakerCommand.Fault(sentence: "“ann” may be Anna (1) or Annabel (2); give the number.")
        ) {
            try SpeakerProgram.presenter(named: "ann", among: all).get()
        }
        #expect(
            throws: SpeakerCommand.Fault(
                sentence: "Nobody is called “carl”; here are Anna (1), Annabel (2), Bert (3).")
        ) { try SpeakerProgram.presenter(named: "carl", among: all).get() }
    }

    @Test func aNameWithItsCodeIsChecked() throws {
        #expect(try PresentCommand.fullName("Anna", "k7-summer") == "Anna #k7-summer")
        #expect(try PresentCommand.fullName("Anna", nil) == "Anna")
        for wrong in ["", "A\u{1B}", String(repeating: "x", count: 201)] {
            #expect(throws: (any Error).self) { try PresentCommand.fullName(wrong, nil) }
        }
    }
}
