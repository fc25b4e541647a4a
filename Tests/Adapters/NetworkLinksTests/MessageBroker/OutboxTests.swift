import Testing

@testable import NetworkLinks

@Suite struct OutboxTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func ofEachStateTheNewestIsSentOnce() {
        var outbox = MQTTOutbox()
        for value in ["1", "2", "3"] { outbox.enqueue(state: bytes(value), topic: "measure") }
        outbox.enqueue(state: bytes("x"), topic: "state")
        var letters: [String] = []
        while let letter = outbox.takeNextMessage() {
            #expect(letter.isRetained)
            letters.append("\(letter.topic) \(String(decoding: letter.payload, as: UTF8.self))")
        }
        #expect(letters == ["measure 3", "state x"])
        outbox.enqueue(state: bytes("3"), topic: "measure")
        #expect(outbox.waitingMessageCount == 0)
    }

    @Test func aNewBrokerIsToldEverything() {
        var outbox = MQTTOutbox()
        outbox.enqueue(state: bytes("1"), topic: "b")
        outbox.enqueue(state: bytes("2"), topic: "a")
        while outbox.takeNextMessage() != nil {}
        outbox.requeueStates()
        #expect(outbox.takeNextMessage()?.topic == "a")
        #expect(outbox.takeNextMessage()?.topic == "b")
        #expect(outbox.takeNextMessage() == nil)
    }

    @Test func eventsAreDroppedWhileAwayAndWhenTooMany() {
        var outbox = MQTTOutbox()
        outbox.enqueue(event: bytes("late"), topic: "cue", isConnected: false)
        #expect(outbox.waitingMessageCount == 0 && outbox.droppedMessageCount == 1)
        for _ in 0..<300 { outbox.enqueue(event: bytes("now"), topic: "cue", isConnected: true) }
        #expect(outbox.waitingMessageCount == 256 && outbox.droppedMessageCount == 45)
        outbox.dropEvents()
        #expect(outbox.waitingMessageCount == 0 && outbox.droppedMessageCount == 301)
    }

    @Test func eventsGoBeforeStates() {
        var outbox = MQTTOutbox()
        outbox.enqueue(state: bytes("1"), topic: "measure")
        outbox.enqueue(event: bytes("now"), topic: "cue", isConnected: true)
        #expect(outbox.takeNextMessage()?.topic == "cue")
        #expect(outbox.takeNextMessage()?.topic == "measure")
    }

    @Test func statesAreBounded() {
        var outbox = MQTTOutbox()
        for index in 0..<2_000 { outbox.enqueue(state: [], topic: "t/\(index)") }
        #expect(outbox.waitingMessageCount == 1_024 && outbox.droppedMessageCount == 976)
    }

    @Test func pausesDoubleUpToTheLongest() {
        var pause = ReconnectBackoff(first: .seconds(1), longest: .seconds(5))
        var pauses: [Duration] = []
        for _ in 0..<5 { pauses.append(pause.takePauseAfterFailure()) }
        #expect(pauses == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
        pause.resetAfterSuccess()
        let first = pause.takePauseAfterFailure()
        #expect(first == .seconds(1))
    }

    @Test(
        arguments: [
            ("nudge 1", ["nudge", "1"]), ("  go ", ["go"]),
            ("message \"Two words\" x", ["message", "Two words", "x"]),
            ("note \"\"", ["note", ""]), ("", nil), ("   ", nil), ("note \"open", nil),
        ] as [(String, [String]?)])
    func aPayloadIsWords(text: String, words: [String]?) {
        #expect(CommandPayloadParser.words(of: bytes(text)) == words)
    }

    @Test func strangePayloadsAreNoCommands() {
        #expect(CommandPayloadParser.words(of: [0xFF, 0xFE]) == nil)
        #expect(CommandPayloadParser.words(of: [UInt8](repeating: 0x41, count: 5_000)) == nil)
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
            #expect(throws: MQTTFault.nameUnusableInTopics(name)) {
                try MQTTClient(MQTTSettings(host: "127.0.0.1", port: 1, name: name))
            }
        }
        #expect(throws: MQTTFault.portOutOfRange(0)) {
            try MQTTClient(MQTTSettings(host: "127.0.0.1", port: 0, name: "hall"))
        }
        #expect(throws: MQTTFault.hostUnknown("")) {
            try MQTTClient(MQTTSettings(host: "", port: 1, name: "hall"))
        }
    }
}
