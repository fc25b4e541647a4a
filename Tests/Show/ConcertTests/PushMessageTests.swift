import Basics
import Concert
import Testing

@Suite struct PushMessageTests {
    @Test(arguments: [
        "PUSH|Welcome|Please silence your cell Phones. Enjoy the concert.|BUTTON|Will do!|",
        "PUSH|iNotes|The live stream has begun!|AUTO||",
        "PUSH|Link|Please take a brief survey.|Button|http://www.survey.example/philorch|",
        "PUSH||A body alone: é, 武; 3 : 4|auto||",
        "PUSH|A title alone||bUtToN|✓|",
    ])
    func aMessageComesBackByteForByte(line: String) throws {
        #expect(try BroadcastPacket(bytes: bytes(line)).bytes == bytes(line))
    }

    @Test func theFieldsAreThoseOfTheLine() throws {
        let heard = try PushMessage(bytes: bytes("PUSH|Link|Take part.|Button|https://a.example/?q=1|"))
        #expect(heard.title == "Link")
        #expect(heard.body == "Take part.")
        #expect(!heard.style.closesByItself)
        #expect(heard.link == WebAddress("https://a.example/?q=1"))
    }

    @Test func composedMessagesUseTheCapitalsOfTheDefinition() throws {
        let message = try PushMessage(title: "iNotes", body: "The live stream has begun!", style: .auto)
        #expect(text(message.bytes) == "PUSH|iNotes|The live stream has begun!|AUTO||")
    }

    @Test(arguments: [
        ("a|b", "", "ok", "The message's title holds a '|', which ends a field; remove it."),
        ("a", "b|", "ok", "The message's body holds a '|', which ends a field; remove it."),
        ("a", "b", "|", "The message's button text holds a '|', which ends a field; remove it."),
        ("a", "b|\u{301}", "ok", "The message's body holds a '|', which ends a field; remove it."),
        ("a\nb", "", "ok", "The message's title holds a line break or another control character; remove it."),
        (
            "a", "b\r\nc", "ok",
            "The message's body holds a line break or another control character; remove it."
        ),
        (
            "a", "b\u{2029}c", "ok",
            "The message's body holds a line break or another control character; remove it."
        ),
        (
            "a", "b", "o\u{0}k",
            "The message's button text holds a line break or another control character; remove it."
        ),
        ("", "", "ok", "The message has neither a title nor a body; write at least one of them."),
        ("a", "b", "", "The message has a button without a text; give it one or use AUTO."),
        (
            "Link", "b", "ok",
            "A message titled 'Link' needs an http or https address in place of the button text, not 'ok'."
        ),
    ])
    func whatWouldBreakThePacketIsRefused(
        title: String, body: String, button: String, sentence: String
    ) {
        let error = #expect(throws: ExplainedError.self) {
            try PushMessage(title: title, body: body, style: .button, buttonText: button)
        }
        #expect(error?.sentence == sentence)
        #expect(sentence.hasSuffix("."))
    }

    @Test func theLastByteThatFitsIsAcceptedAndTheNextRefused() throws {
        let room = BroadcastPacket.longestBytes - "PUSH|||AUTO||".utf8.count
        let longest = try PushMessage(title: "", body: String(repeating: "x", count: room), style: .auto)
        #expect(longest.bytes.count == 1_200)
        #expect(
            throws: ExplainedError(
                "The message takes \(1_201) bytes; shorten it to \(BroadcastPacket.longestBytes) at most.")
        ) {
            try PushMessage(title: "", body: String(repeating: "x", count: room + 1), style: .auto)
        }
    }

    @Test(arguments: [
        "http://a", "HTTPS://A.example:8080/b?c=d&e#f", "https://user@[::1]/%C3%A9", "http://a.example/;:@,",
    ])
    func theseAreWebAddresses(address: String) throws {
        let message = try PushMessage(title: "Link", body: "", style: .button, buttonText: address)
        #expect(message.link?.text == address)
    }

    @Test(arguments: [
        "", "http://", "http:///path", "https://?q", "ftp://a", "javascript:alert(1)", "a.example",
        "http:/a", "http://a b", "http://é.example", "http://a/%G1", "http://a/%1", "http://:80",
        "http://<a>",
    ])
    func theseAreNot(address: String) {
        #expect(WebAddress(address) == nil)
        #expect(
            throws: ExplainedError(
                "A message titled 'Link' needs an http or https address in place of the button text, not "
                    + "'\(address)'.")
        ) {
            try PushMessage(title: "Link", body: "b", style: .button, buttonText: address)
        }
    }

    @Test(arguments: [
        ("PUSH|", "The message packet has 1 fields; there must be 4."),
        ("PUSH|a|b|AUTO|", "The message packet has 3 fields; there must be 4."),
        ("PUSH|a|b|AUTO|||", "The message packet has 5 fields; there must be 4."),
        ("PUSH|a|b|AUTO||\n", "The message packet does not end with '|'."),
        ("PUSH|a|b|AUTO|ok", "The message packet does not end with '|'."),
        ("PUSH|a|b||ok|", "The message's style is neither BUTTON nor AUTO."),
        ("PUSH|a|b|AUTO |ok|", "The message's style is neither BUTTON nor AUTO."),
        ("PUSH|a|b|ALERT|ok|", "The message's style is neither BUTTON nor AUTO."),
        (
            "PUSH|Link|b|AUTO|ok|",
            "A message titled 'Link' needs an http or https address in place of the button text, not 'ok'."
        ),
    ])
    func whatNoSenderComposesIsRefused(line: String, sentence: String) {
        let error = #expect(throws: ExplainedError.self) { try BroadcastPacket(bytes: bytes(line)) }
        #expect(error?.sentence == sentence)
        #expect(sentence.hasSuffix("."))
    }
}
