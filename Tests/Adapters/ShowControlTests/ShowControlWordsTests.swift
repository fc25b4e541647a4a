import Basics
import Podium
import Testing

@testable import ShowControl

@Suite struct ShowControlWordsTests {
    private func commands(_ address: String, _ arguments: [OSCArgument] = []) throws -> [[String]] {
        try ShowControlRequest.parseRequests(of: OSCMessage(address, arguments)).compactMap {
            if case .performCommand(let words) = $0 { words } else { nil }
        }
    }

    @Test(
        arguments: [
            ("nudge", [.int(-1)], ["nudge", "-1"]), ("nudge", [.float(1)], ["nudge", "1"]),
            ("goto", [.int(57)], ["goto", "57"]), ("goto", [.string("57/2")], ["goto", "57/2"]),
            ("goto", [.string("C")], ["goto", "C"]), ("goto", [.double(57.5)], ["goto", "57.5"]),
            ("piece", [.int(2), .string("unknown")], ["piece", "2", "unknown"]), ("go", [], ["go"]),
            ("go", [.float(1)], ["go"]), ("go", [.yes], ["go"]), ("go", [.impulse], ["go"]),
            ("lock", [.yes], ["lock", "on"]), ("lock", [.float(0)], ["lock", "off"]),
            ("lock", [.int(1)], ["lock", "on"]), ("lock", [.string("off")], ["lock", "off"]),
            ("bar-is-now", [], ["bar-is-now"]), ("bar-is-now", [.yes], ["bar-is-now"]),
            ("bar-is-now", [.int(12)], ["bar-is-now", "12"]),
            ("note", [.string("violas late"), .nothing], ["note", "violas late"]),
            ("choose", [.long(2)], ["choose", "2"]), ("choose", [.float(1)], ["choose", "1"]),
            ("choose", [.string("p:9")], ["choose", "p:9"]),
            ("choose", [.string("57/2")], ["choose", "57/2"]),
        ] as [(String, [OSCArgument], [String])])
    func aMessageBecomesWords(name: String, arguments: [OSCArgument], words: [String]) throws {
        #expect(try commands("/baton/command/\(name)", arguments) == [words])
        // The short address means the same, but for the one the state needs.
        if name != "piece" { #expect(try commands("/baton/\(name)", arguments) == [words]) }
    }

    /// Some desks send every argument as a text.
    @Test(
        arguments: [
            ("goto", "12", ["goto", "12"]), ("goto", "57.0", ["goto", "57"]),
            ("nudge", "-1", ["nudge", "-1"]),
            ("bar-is-now", "12.00", ["bar-is-now", "12"]), ("choose", "2", ["choose", "2"]),
            ("go", "1", ["go"]), ("go", "1.0", ["go"]), ("panic", "1", ["panic"]),
            ("lock", "1", ["lock", "on"]), ("lock", "0", ["lock", "off"]),
            ("blackout", "on", ["blackout", "on"]),
            ("standby", "3.0", ["standby", "3.0"]), ("note", "57.0", ["note", "57.0"]),
            ("goto", "nan", ["goto", "nan"]), ("goto", "0x10", ["goto", "0x10"]),
            ("goto", "1e3", ["goto", "1e3"]),
        ] as [(String, String, [String])])
    func aTextWithANumberIsThatNumberWhereOneIsWanted(name: String, text: String, words: [String]) throws {
        #expect(try commands("/baton/\(name)", [.string(text)]) == [words])
    }

    @Test func aSubscriptionTakesItsNumbersAsTexts() throws {
        #expect(try commands("/title/goto", [.string("12.0")]) == [["title", "goto", "12"]])
        #expect(
            try ShowControlRequest.parseRequests(
                of: OSCMessage("/baton/subscribe", [.string("60"), .string("9121")]))
                == [.subscribeToState(seconds: 60, port: 9_121)])
        #expect(
            throws: ExplainedError(
                "The first argument is how many seconds the subscription lasts, from 1 to 3600.")
        ) {
            _ = try ShowControlRequest.parseRequests(of: OSCMessage("/baton/subscribe", [.string("soon")]))
        }
    }

    @Test func aButtonThatIsLetGoDoesNothing() throws {
        for release in [OSCArgument.float(0), .int(0), .no, .string("0")] {
            for name in ["go", "take", "panic"] {
                #expect(
                    try ShowControlRequest.parseRequests(of: OSCMessage("/baton/\(name)", [release])) == [
                        .ignore
                    ]
                )
            }
        }
        #expect(try ShowControlRequest.parseRequests(of: OSCMessage("/baton/bar-is-now", [.no])) == [.ignore])
    }

    @Test func goWithANumberOrATextNamesACueAndAButtonNamesNone() throws {
        for press in [[], [OSCArgument.int(1)], [.float(1)], [.float(0.4)], [.yes], [.string("1")]] {
            #expect(try commands("/baton/go", press) == [["go"]])
        }
        #expect(try commands("/baton/go", [.int(7)]) == [["go", "7"]])
        #expect(try commands("/baton/go", [.float(7)]) == [["go", "7"]])
        #expect(try commands("/baton/go", [.string("7.0")]) == [["go", "7.0"]])
        #expect(try commands("/baton/go", [.string("Lights blue")]) == [["go", "Lights blue"]])
    }

    @Test func ourOwnStateComingBackIsNoCommand() throws {
        var state = PublishedShowState()
        state.panicLevel = "safe"
        state.pieceName = "2"
        let own =
            ShowControlMessages.stateMessages(for: state)
            + [
                ShowControlMessages.cueFiredMessage(NamedCue(id: "c1", name: "Blue"), kind: "osc"),
                ShowControlMessages.replyMessage(to: "/baton/go"),
                ShowControlMessages.errorMessage(about: "", sentence: ""),
                OSCMessage("/baton/pong"),
            ]
        for message in own {
            #expect(try ShowControlRequest.parseRequests(of: message) == [.ignore], "\(message.address)")
        }
        #expect(try commands("/baton/panic") == [["panic"]])
        #expect(try commands("/baton/panic", [.int(1)]) == [["panic"]])
    }

    @Test func titlesHaveAddressesOfTheirOwn() throws {
        #expect(try commands("/title/next") == [["title", "next"]])
        #expect(try commands("/baton/title/next", [.int(1)]) == [["title", "next"]])
        #expect(try commands("/title/next", [.int(0)]) == [], "a button was released")
        #expect(try commands("/title/goto", [.float(12)]) == [["title", "goto", "12"]])
        #expect(try commands("/title/bar", [.string("C")]) == [["title", "bar", "C"]])
        #expect(try commands("/baton/title", [.string("hide")]) == [["title", "hide"]])
    }

    @Test func addressesOfGlypheoAreUnderstood() throws {
        #expect(try commands("/goNext") == [["title", "next"]])
        #expect(try commands("/goPrevious", [.int(1)]) == [["title", "previous"]])
        #expect(try commands("/goBlackAndNext") == [["title", "next"]])
        #expect(try commands("/goTo", [.float(12)]) == [["title", "goto", "12"]])
        #expect(
            try commands("/goTo", [.string("2.3")]) == [["title", "goto", "2.3"]],
            "refused where numbers are read")
    }

    @Test func aPatternMeansAFewCommandsInTheOrderOfTheTable() throws {
        #expect(try commands("/baton/command/{freeze,hold}") == [["hold"], ["freeze"]])
        #expect(try commands("/baton/{freeze,hold}", [.yes]) == [["hold"], ["freeze", "on"]])
        #expect(try commands("//hold") == [["hold"]])
        #expect(
            throws: ExplainedError(
                "'/baton/*' matches 30 commands; at most \(ShowControlRequest.maximumMatchedCommands) "
                    + "are done at once.")
        ) {
            try commands("/baton/*")
        }
        #expect(throws: ExplainedError("No command matches '/baton/z*'.")) { try commands("/baton/z*") }
    }

    @Test(arguments: [
        (
            OSCMessage("/qlab/go"),
            "There is no '/qlab/go'. Commands are '/baton/command/NAME'; see docs/show-control.md."
        ),
        (
            OSCMessage("/baton/command/explode"),
            "There is no command 'explode'. The commands are \(ShowCommandSignature.commandNames.joined(separator: ", "))."
        ),
        (
            OSCMessage("/baton/command/"),
            "There is no command ''. The commands are \(ShowCommandSignature.commandNames.joined(separator: ", "))."
        ),
        (OSCMessage("/baton/goto", [.blob([1])]), "A command cannot have an argument of type 'b'."),
        (OSCMessage("/baton/goto", [.float(.nan)]), "An argument is not a number (NaN or infinite)."),
        (OSCMessage("/baton/goto", [.double(.infinity)]), "An argument is not a number (NaN or infinite)."),
        (
            OSCMessage("/baton/subscribe", [.int(0)]),
            "The first argument is how many seconds the subscription lasts, from 1 to 3600."
        ),
        (
            OSCMessage("/baton/subscribe", [.float(.nan)]),
            "The first argument is how many seconds the subscription lasts, from 1 to 3600."
        ),
        (
            OSCMessage("/baton/subscribe", [.int(60), .int(70_000)]),
            "The second argument is a port from 1 to 65535."
        ),
        (OSCMessage("/baton/pass"), "'/baton/pass' needs the passphrase as its argument."),
        (OSCMessage("/baton/[z-a]"), OSCPatternFault.rangeBackwards("z-a").sentence),
    ]) func whatMeansNothingIsNamed(message: OSCMessage, sentence: String) {
        let error = #expect(throws: ExplainedError.self) { try ShowControlRequest.parseRequests(of: message) }
        #expect(error?.sentence == sentence)
        #expect(sentence.hasSuffix("."))
    }

    @Test func theRestIsUnderstood() throws {
        func one(_ address: String, _ arguments: OSCArgument...) throws -> ShowControlRequest? {
            try ShowControlRequest.parseRequests(of: OSCMessage(address, arguments)).first
        }
        #expect(try one("/baton/subscribe") == .subscribeToState(seconds: nil, port: nil))
        #expect(
            try one("/baton/subscribe", .float(30), .int(9_000))
                == .subscribeToState(seconds: 30, port: 9_000))
        #expect(try one("/baton/unsubscribe") == .unsubscribeFromState(port: nil))
        #expect(try one("/baton/query") == .queryState)
        #expect(try one("/baton/ping", .int(7)) == .ping)
        #expect(try one("/baton/pass", .string("opus 67")) == .passphrase("opus 67"))
    }

    @Test func theStateHasTheseAddressesAndTypes() {
        let types = ShowControlMessages.stateMessages(for: PublishedShowState()).map {
            "\($0.address) \($0.typeTags)"
        }
        #expect(
            types == [
                "/baton/piece ,is", "/baton/measure ,iis", "/baton/fraction ,f", "/baton/tempo ,ff",
                "/baton/confidence ,f", "/baton/state ,s", "/baton/evening ,s",
                "/baton/holder ,ss", "/baton/epoch ,s",
                "/baton/cue/standby ,ss", "/baton/cue/next ,sif", "/baton/view ,s", "/baton/panic ,s",
                "/baton/fault ,is",
            ])
    }

    @Test func noStateCanKeepAMessageFromBeingWritten() throws {
        var state = PublishedShowState()
        state.pieceName = String(repeating: "long ", count: 10_000) + "\0"
        state.newestFaultSentence = "zero \0 inside"
        state.printedMeasure = .max
        state.measureFraction = .nan
        for message in ShowControlMessages.stateMessages(for: state) {
            #expect(try message.encodedBytes().count < 2_000)
        }
    }

    @Test func onlyWhatChangedIsSentAndEverythingEachTwoSeconds() {
        var changes = StateMessageFilter()
        var state = PublishedShowState()
        func addresses(at seconds: Double) -> [String] {
            changes.selectDueMessages(for: state, at: .seconds(seconds)).map(\.address)
        }
        #expect(addresses(at: 0).count == 14)
        #expect(addresses(at: 0.5).isEmpty)
        state.printedMeasure = 2
        state.measureFraction = 0.1
        #expect(addresses(at: 0.6) == ["/baton/measure", "/baton/fraction"])
        state.measureFraction = 0.2
        #expect(addresses(at: 0.65).isEmpty)
        state.printedMeasure = 3
        #expect(addresses(at: 0.66) == ["/baton/measure"])
        #expect(addresses(at: 0.71) == ["/baton/fraction"])
        #expect(addresses(at: 1.99).isEmpty)
        #expect(addresses(at: 2).count == 14)
        #expect(addresses(at: 3.9).isEmpty)
        #expect(addresses(at: 4).count == 14)
    }

    @Test func noiseBelowAThousandthIsNoChange() {
        var changes = StateMessageFilter()
        var state = PublishedShowState()
        _ = changes.selectDueMessages(for: state, at: .zero)
        state.relativeTempo = 1.0004
        #expect(changes.selectDueMessages(for: state, at: .seconds(1)).isEmpty)
    }
}
