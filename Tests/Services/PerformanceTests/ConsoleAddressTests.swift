import Testing
import WebServer

@testable import Console
@testable import Hosting
@testable import Performance

@Suite struct ConsoleAddressTests {
    private static let told: [(String?, String?, String?)] = [
        // An address of its own, a host it does not know, and itself.
        ("http://192.168.1.10:8080", "192.168.1.10", "http://192.168.1.10:8080"),
        ("http://*:8080", "192.168.1.10", "http://192.168.1.10:8080"),
        ("https://*:443", "fe80::1", "https://[fe80::1]:443"),
        ("https://baton.example.org", nil, "https://baton.example.org"),
        ("http://127.0.0.1:8080", "127.0.0.1", "http://127.0.0.1:8080"),
        // Nothing that could be opened.
        ("http://127.0.0.1:8080", "192.168.1.10", nil), ("http://*:8080", nil, nil),
        ("javascript:alert(1)", "192.168.1.10", nil), ("http://x\"onclick=", "192.168.1.10", nil),
        (nil, "192.168.1.10", nil),
    ]

    @Test(arguments: told)
    func theOtherServersConsoleIsNamedAsItIsReachedFromHere(told: String?, host: String?, expected: String?) {
        #expect(ConsoleAddress.makeOpenableAddress(told, at: host) == expected)
    }

    @Test func aServerTellsWhereItsConsoleIs() throws {
        #expect(WebSettings(address: "0.0.0.0", port: 8080).externalConsoleAddress == "http://*:8080")
        #expect(
            WebSettings(address: "192.168.1.10", port: 80).externalConsoleAddress == "http://192.168.1.10:80")
        let behindProxy = WebSettings(furtherOrigins: [try WebOrigin("https://baton.example.org")])
        #expect(behindProxy.externalConsoleAddress == "https://baton.example.org")
    }
}
