import Platform
import Testing

@testable import TestHelpers

@Suite(.ownThreads) struct PassphraseTests {
    @Test func eightCharactersSufficeSevenDoNot() throws {
        _ = try Passphrase(chosen: "abc def 1", for: "anna")
        _ = try Passphrase(chosen: "abcdef12", for: "anna")
        #expect(throws: PasswordError.tooShort(leastCharacters: 8)) {
            try Passphrase(chosen: "abcdef1", for: "anna")
        }
    }

    @Test func charactersAreCountedNotBytes() {
        #expect(throws: PasswordError.tooShort(leastCharacters: 8)) {
            try Passphrase(chosen: "ößäüéèê", for: "anna")
        }
    }

    @Test func theLimitIsInBytes() throws {
        _ = try Passphrase(chosen: String(repeating: "abcd", count: 32), for: "anna")
        #expect(throws: PasswordError.tooLong(mostBytes: 128)) {
            try Passphrase(chosen: String(repeating: "abcd", count: 32) + "e", for: "anna")
        }
        #expect(throws: PasswordError.tooLong(mostBytes: 128)) {
            try Passphrase(tried: String(repeating: "x", count: 1_000_000))
        }
    }

    @Test(arguments: [
        "password", "Pass word", "12345678", "aaaaaaaaaa", "abababababab", "Annaanna", "ANNA ANNA",
    ])
    func whatStrangersTryFirstIsRefused(text: String) {
        #expect(throws: PasswordError.guessable) { try Passphrase(chosen: text, for: "anna") }
    }

    @Test func controlCharactersAreRefused() {
        #expect(throws: PasswordError.controlCharacter) {
            try Passphrase(chosen: "four words\u{0} here", for: "anna")
        }
    }

    @Test func sameLettersTypedDifferentlyAreTheSamePassphrase() async throws {
        let hasher = PasswordHasher(cost: .least)
        let hash = try await hasher.hash(try Passphrase(chosen: "caf\u{E9} au lait", for: "anna"))
        #expect(
            try await hasher.verify(try Passphrase(tried: "cafe\u{301} au lait"), against: hash) == .right)
    }

    @Test func descriptionShowsNothing() throws {
        let passphrase = try Passphrase(tried: "correct horse")
        #expect(!"\(passphrase)".contains("horse") && !String(reflecting: passphrase).contains("horse"))
    }

    @Test(arguments: [
        PasswordError.tooShort(leastCharacters: 8), .tooLong(mostBytes: 128), .controlCharacter, .guessable,
        .tooManySignInsWaiting(waiting: 16), .outOfMemory(bytes: 67_108_864),
    ])
    func everyErrorIsASentence(error: PasswordError) {
        #expect(error.sentence.hasSuffix(".") && error.sentence.contains(";"))
    }
}
