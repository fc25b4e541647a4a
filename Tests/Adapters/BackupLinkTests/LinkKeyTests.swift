import Basics
import Foundation
import Testing

@testable import BackupLink

@Suite struct LinkKeyTests {
    /// Test cases 1, 2, 3 and 6 of RFC 4231.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func codesAreThoseOfTheStandard(key: [UInt8], message: [UInt8], code: String) {
        #expect(Hexadecimal.encodeAsText(BackupLinkKey(bytes: key).authenticationCode(message)) == code)
        for cut in 0...message.count {
            let parts = (Array(message[..<cut]), Array(message[cut...]))
            #expect(
                Hexadecimal.encodeAsText(BackupLinkKey(bytes: key).authenticationCode(parts.0, parts.1))
                    == code)
        }
    }

    @Test func aKeyFileMustBeSecretAndLong() throws {
        let path = NSTemporaryDirectory() + "link-key-" + UUID().uuidString
        defer { unlink(path) }
        #expect(throws: BackupLinkFault.keyUnreadable(path: path, errno: ENOENT)) {
            try BackupLinkKey(file: path)
        }
        let secret = Data(repeating: 0x61, count: 40)
        try (secret + Data([0x0A])).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o644)
        #expect(
            throws: ExplainedError(
                "Other users than its owner can read the key file \(path); run 'chmod 600' on it.")
        ) { try BackupLinkKey(file: path) }
        chmod(path, 0o600)
        #expect(try BackupLinkKey(file: path) == BackupLinkKey(bytes: Array(secret)))
        try Data(repeating: 0x61, count: 31).write(to: URL(fileURLWithPath: path))
        #expect(
            throws: ExplainedError(
                "The key in \(path) has 31 bytes; it needs \(BackupLinkKey.fewestBytes) at least, so "
                    + "that nobody can guess it.")
        ) { try BackupLinkKey(file: path) }
        // Of 256 keys of 32 random bytes, one ends in a line break.
        let random = Data(repeating: 0x61, count: 31) + Data([0x0A])
        try random.write(to: URL(fileURLWithPath: path))
        #expect(try BackupLinkKey(file: path) == BackupLinkKey(bytes: Array(random)))
    }
}
