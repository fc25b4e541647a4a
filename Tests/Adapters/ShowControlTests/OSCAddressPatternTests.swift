import Basics
import ShowControl
import Testing

@Suite struct OSCAddressPatternTests {
    @Test(arguments: [
        ("/baton/go", "/baton/go", true), ("/baton/go", "/baton/goto", false),
        ("/baton/go*", "/baton/goto", true), ("/baton/go*", "/baton/go", true),
        ("/baton/*", "/baton/command/go", false), ("/baton/*/go", "/baton/command/go", true),
        ("/*/*/*", "/a/b/c", true), ("/*", "/", true), ("/?", "/", false), ("/?", "/a", true),
        ("/?/b/*c", "/a/b/c", true), ("/?/b/*c", "/a/b/xyc", true), ("/?/b/*c", "/a/b/cx", false),
        ("/a?c", "/abc", true), ("/a?c", "/a/c", false),
        ("/[a-c]x", "/bx", true), ("/[a-c]x", "/dx", false), ("/[!a-c]x", "/dx", true),
        ("/[!a-c]x", "/ax", false), ("/[abc]", "/c", true), ("/[a-]", "/-", true), ("/[a-]", "/b", false),
        ("/[a!]", "/!", true), ("/a[!x]b", "/a/b", false), ("/[0-9][0-9]", "/57", true),
        ("/{hold,freeze}", "/freeze", true), ("/{hold,freeze}", "/hold", true),
        ("/{hold,freeze}", "/holdfreeze", false), ("/{,re}sume", "/sume", true),
        ("/x{a,ab}c", "/xabc", true), ("/{a*,b}", "/abc", false), ("/{a*,b}", "/a*", true),
        ("//go", "/baton/command/go", true), ("//go", "/go", true), ("//go", "/xgo", false),
        ("/baton//go", "/baton/go", true), ("/baton//go", "/baton/a/b/go", true),
        ("/baton//go", "/baton//go", false), ("/baton//", "/baton/a/b", true), ("/baton//", "/baton/", false),
        ("/baton//x//go", "/baton/1/x/2/3/go", true), ("/*a*a*a*", "/banana", true), ("/**", "/abc", true),
    ]) func thePatternMatchesWhatItSays(pattern: String, address: String, matches: Bool) throws {
        #expect(try OSCAddressPattern(pattern).matches(address) == matches)
    }

    @Test(arguments: [
        ("", "An address starts with '/'."), ("go", "An address starts with '/'."),
        ("/[a", "The '[' in the address is not closed."),
        ("/{a,b", "The '{' in the address is not closed."),
        ("/a]", "The ']' in the address closes nothing."),
        ("/a}", "The '}' in the address closes nothing."), ("/[]", "The '[]' in the address is empty."),
        ("/[!]", "The '[]' in the address is empty."),
        ("/[z-a]", OSCPatternFault.rangeBackwards("z-a").sentence),
    ]) func whatIsNoPatternIsNamed(text: String, sentence: String) {
        let error = #expect(throws: ExplainedError.self) { try OSCAddressPattern(text) }
        #expect(error?.sentence == sentence)
        #expect(sentence.hasSuffix("."))
    }

    /// A pattern that takes a backtracking matcher longer than the concert.
    @Test func aCleverPatternIsNotSlow() throws {
        let pattern = try OSCAddressPattern("/" + String(repeating: "a*", count: 200) + "b")
        let address = "/" + String(repeating: "a", count: 500)
        let took = ContinuousClock().measure { #expect(!pattern.matches(address)) }
        #expect(took < .seconds(20))
    }

    @Test func fiftyThousandRandomPatternsEnd() {
        var numbers = SeededRandomGenerator(seed: 5)
        let alphabet = Array("/*?[]{}!-,ab")
        for _ in 0..<50_000 {
            let text =
                "/"
                + String(
                    (0..<Int.random(in: 0...10, using: &numbers)).map { _ in
                        alphabet.randomElement(using: &numbers)!
                    })
            guard let pattern = try? OSCAddressPattern(text) else { continue }
            _ = pattern.matches("/a/b/ab")
            if pattern.hasNoWildcards { #expect(pattern.matches(text)) }
        }
    }
}
