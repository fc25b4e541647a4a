import Basics
import Testing

@testable import Platform

@Suite struct DigestTests {
    /// NIST, "Secure Hash Algorithm validation": examples of FIPS 180, and a million letters.
    @Test(arguments: [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
                + "lmnopqrsmnopqrstnopqrstu", 1,
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func knownMessagesHaveKnownDigests(text: String, times: Int, expected: String) {
        let message = Array(String(repeating: text, count: times).utf8)
        #expect(Digest(of: message).description == expected)
    }

    @Test func piecesOfAnyLengthGiveTheSameDigest() {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let whole = Digest(of: message)
        for first in 0...130 {
            for second in stride(from: first, through: 300, by: 17) {
                var hash = SHA256()
                for part in [message[..<first], message[first..<second], message[second...]] {
                    part.withUnsafeBytes { hash.update($0) }
                }
                #expect(hash.finished() == whole)
            }
        }
    }

    @Test func aDigestIsReadBackFromItsDigits() {
        let digest = Digest(of: [1, 2, 3])
        #expect(Digest(digest.description) == digest)
        #expect(Digest(String(digest.description.dropLast())) == nil)
        #expect(Digest("g" + digest.description.dropFirst()) == nil)
        #expect(Digest(bytes: [0]) == nil)
    }
}

@Suite struct FingerprintTests {
    /// Values that show logs, brokers and the other server keep; as its authors publish them.
    @Test(arguments: [
        ("", 0xCBF2_9CE4_8422_2325 as UInt64), ("a", 0xAF63_DC4C_8601_EC8C),
        ("foobar", 0x8594_4171_F739_67E8),
    ])
    func knownTextsHaveKnownFingerprints(text: String, value: UInt64) {
        #expect(FNV1aHash.of(text.utf8) == value)
    }
}
