import Basics
import ShowControl
import Testing

@Suite struct OSCTextTests {
    @Test(arguments: [
        ("/cue/1/start", OSCMessage("/cue/1/start")), ("  /go  ", OSCMessage("/go")),
        ("/a 57 0.5 -1 1e3", OSCMessage("/a", [.int(57), .float(0.5), .int(-1), .float(1_000)])),
        ("/a \"bar 57\" \"57\" x", OSCMessage("/a", [.string("bar 57"), .string("57"), .string("x")])),
        ("/a true false nan \"\"", OSCMessage("/a", [.yes, .no, .string("nan"), .string("")])),
        ("/a 8589934592", OSCMessage("/a", [.float(8_589_934_592)])),
    ]) func aTextIsAMessage(text: String, message: OSCMessage) throws {
        #expect(try OSCMessage(text: text) == message)
    }

    @Test(arguments: [
        ("", "A message starts with an address such as '/cue/1/start'."),
        ("go", "A message starts with an address such as '/cue/1/start'."),
        ("\"/go\"", "A message starts with an address such as '/cue/1/start'."),
        ("/go \"open", "A double quote in the message is not closed."),
    ]) func whatIsNoMessageIsNamed(text: String, sentence: String) {
        let error = #expect(throws: ExplainedError.self) { try OSCMessage(text: text) }
        #expect(error?.sentence == sentence)
    }

    @Test func endpointsAreReadAndPrinted() throws {
        #expect(try OSCEndpoint("192.168.1.20:53000") == OSCEndpoint(host: "192.168.1.20", port: 53_000))
        #expect(try OSCEndpoint("[::1]:9120").host == "::1")
        #expect(OSCEndpoint(host: "::1", port: 1).description == "[::1]:1")
        for text in ["", "host", "host:", ":9120", "host:x", "::1", "a b:1"] {
            #expect(throws: ShowControlError.notHostAndPort(text)) { try OSCEndpoint(text) }
        }
        #expect(throws: ExplainedError("Port \(70_000) does not exist; give one from 1 to 65535.")) {
            try OSCEndpoint("host:70000")
        }
    }

    @Test(arguments: [
        ("192.168.1.0/24", "192.168.1.255", true), ("192.168.1.0/24", "192.168.2.1", false),
        ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false), ("0.0.0.0/0", "8.8.8.8", true),
        ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe80::1", false), ("10.0.0.1", "::ffff:10.0.0.1", true),
        ("10.0.0.0/9", "10.127.0.1", true), ("10.0.0.0/9", "10.128.0.1", false), ("10.0.0.1", "x", false),
    ]) func aRangeHoldsItsAddresses(range: String, address: String, isInside: Bool) throws {
        #expect(try #require(SenderAddressRange(range)).contains(address) == isInside)
    }

    @Test func whatIsNoRangeIsRefused() {
        for text in ["", "host", "10.0.0.1/33", "10.0.0.1/-1", "10.0.0.1/x", "/8"] {
            #expect(SenderAddressRange(text) == nil, "\(text)")
        }
    }
}
