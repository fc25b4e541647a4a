import Platform
import Testing

@Suite struct TokenTests {
    @Test func tokensAreFortyThreeSafeLettersAndAllDifferent() {
        let tokens = (0..<1_000).map { _ in SignInToken.random() }
        #expect(Set(tokens.map(\.text)).count == 1_000)
        for token in tokens {
            #expect(token.text.count == 43)
            #expect(
                token.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            )
        }
        // Every letter of the alphabet appears, so none of the bits is stuck.
        #expect(Set(tokens.map(\.text).joined()).count == 64)
    }

    @Test func shownTokenHasTheDigestOfTheOneMade() throws {
        let token = SignInToken.random()
        #expect(try #require(SignInToken(shown: token.text)) == token)
        #expect(token.digest.count == 32)
        #expect(SignInToken(shown: "") == nil)
        #expect(SignInToken(shown: String(repeating: "x", count: 257)) == nil)
    }

    /// FIPS 180-2, appendix B.1.
    @Test func digestIsSHA256() throws {
        let token = try #require(SignInToken(shown: "abc"))
        #expect(token.digest.prefix(4) == [0xba, 0x78, 0x16, 0xbf] && token.digest.last == 0xad)
    }

    @Test func secretsAreEqualOnlyIfAllOfThemIs() {
        #expect(equalInConstantTime([1, 2, 3], [1, 2, 3]))
        #expect(equalInConstantTime([], []))
        #expect(!equalInConstantTime([1, 2, 3], [1, 2, 4]))
        #expect(!equalInConstantTime([1, 2, 3], [1, 2]))
    }
}
