import Testing

@testable import MessageBroker

@Suite struct OutboxTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func ofEachStateTheNewestIsSentOnce() {
        var outbox = Outbox()
        for value in ["1", "2", "3"] { outbox.put(state: bytes(value), topic: "measure") }
        outbox.put(state: bytes("x"), topic: "state")
        var letters: [String] = []
        while let letter = outbox.next() {
            #expect(letter.isRetained)
            letters.append("\(letter.topic) \(String(decoding: letter.payload, as: UTF8.self))")
        }
        #expect(letters == ["measure 3", "state x"])
        outbox.put(state: bytes("3"), topic: "measure")
        #expect(outbox.waiting == 0)
    }

    @Test func aNewBrokerIsToldEverything() {
        var outbox = Outbox()
        outbox.put(state: bytes("1"), topic: "b")
        outbox.put(state: bytes("2"), topic: "a")
        while outbox.next() != nil {}
        outbox.requeueStates()
        #expect(outbox.next()?.topic == "a")
        #expect(outbox.next()?.topic == "b")
        #expect(outbox.next() == nil)
    }

    @Test func eventsAreDroppedWhileAwayAndWhenTooMany() {
        var outbox = Outbox()
        outbox.put(event: bytes("late"), topic: "cue", isConnected: false)
        #expect(outbox.waiting == 0 && outbox.dropped == 1)
        for _ in 0..<300 { outbox.put(event: bytes("now"), topic: "cue", isConnected: true) }
        #expect(outbox.waiting == 256 && outbox.dropped == 45)
        outbox.dropEvents()
        #expect(outbox.waiting == 0 && outbox.dropped == 301)
    }

    @Test func eventsGoBeforeStates() {
        var outbox = Outbox()
        outbox.put(state: bytes("1"), topic: "measure")
        outbox.put(event: bytes("now"), topic: "cue", isConnected: true)
        #expect(outbox.next()?.topic == "cue")
        #expect(outbox.next()?.topic == "measure")
    }

    @Test func statesAreBounded() {
        var outbox = Outbox()
        for index in 0..<2_000 { outbox.put(state: [], topic: "t/\(index)") }
        #expect(outbox.waiting == 1_024 && outbox.dropped == 976)
    }

    @Test func pausesDoubleUpToTheLongest() {
        var pause = ReconnectPause(first: .seconds(1), longest: .seconds(5))
        var pauses: [Duration] = []
        for _ in 0..<5 { pauses.append(pause.afterFailure()) }
        #expect(pauses == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
        pause.succeeded()
        let first = pause.afterFailure()
        #expect(first == .seconds(1))
    }

    @Test(
        arguments: [
            ("nudge 1", ["nudge", "1"]), ("  go ", ["go"]),
            ("message \"Two words\" x", ["message", "Two words", "x"]),
            ("note \"\"", ["note", ""]), ("", nil), ("   ", nil), ("note \"open", nil),
        ] as [(String, [String]?)])
    func aPayloadIsWords(text: String, words: [String]?) {
        #expect(CommandText.words(of: bytes(text)) == words)
    }

    @Test func strangePayloadsAreNoCommands() {
        #expect(CommandText.words(of: [0xFF, 0xFE]) == nil)
        #expect(CommandText.words(of: [UInt8](repeating: 0x41, count: 5_000)) == nil)
    }

    @Test(arguments: [
        (1.0, "1.00"), (0.994, "0.99"), (-0.5, "-0.50"), (12.345, "12.35"), (.nan, "0.00"), (1e300, "0.00"),
    ])
    func numbersHaveTwoPlaces(value: Double, text: String) {
        #expect(JSONText.hundredths(value) == text)
    }

    @Test func jsonTextIsEscaped() {
        #expect(JSONText.string("a\"b\\c\n\u{1}é") == "\"a\\\"b\\\\c\\n\\u0001é\"")
    }

    @Test func namesAndTopicsAreChecked() {
        for name in ["", "a/b", "a+b", "a#", "a b", String(repeating: "x", count: 65)] {
            #expect(throws: BrokerFault.badName(name)) {
                try BrokerClient(BrokerSettings(host: "127.0.0.1", port: 1, name: name))
            }
        }
        #expect(throws: BrokerFault.portOutOfRange(0)) {
            try BrokerClient(BrokerSettings(host: "127.0.0.1", port: 0, name: "hall"))
        }
        #expect(throws: BrokerFault.hostUnknown("")) {
            try BrokerClient(BrokerSettings(host: "", port: 1, name: "hall"))
        }
    }
}
