import Basics
import Glibc
import Platform

/// The secret that the main server and the backup share. Any machine that holds the secret is trusted.
public struct BackupLinkKey: Sendable, Equatable {
    /// The minimum length in bytes of the secret in a key file; shorter secrets could be guessed.
    public static let fewestBytes = 32
    static let mostBytes = 4_096

    private let messageAuthenticator: HMACSHA256

    /// Makes a key from a secret.
    /// - Parameter bytes: a secret of any length; see ``BackupLinkKey/init(file:)`` for the requirements on a file.
    public init(bytes: [UInt8]) { messageAuthenticator = HMACSHA256(key: bytes) }

    /// Reads the secret from a key file that only its owner may read and that has at least ``fewestBytes`` bytes.
    /// - Throws: ``ExplainedError``.
    public init(file path: String) throws(ExplainedError) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw BackupLinkFault.keyUnreadable(path: path, errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw BackupLinkFault.keyUnreadable(path: path, errno: EINVAL)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw ExplainedError(
                "Other users than its owner can read the key file \(path); run 'chmod 600' on it.")
        }
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw BackupLinkFault.keyUnreadable(path: path, errno: errno) }
        // Editors add a line break at the end. One of random bytes may end in such a byte, too.
        let whole = bytes.prefix(count)
        let line = whole.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed()
        let isRandom = line.count < Self.fewestBytes && whole.count == Self.fewestBytes
        let secret = isRandom ? Array(whole) : Array(line)
        guard secret.count >= Self.fewestBytes else {
            throw ExplainedError(
                "The key in \(path) has \(secret.count) bytes; it needs \(BackupLinkKey.fewestBytes) at "
                    + "least, so that nobody can guess it.")
        }
        self.init(bytes: secret)
    }

    /// The authentication code of a message, 32 bytes of HMAC-SHA256.
    func authenticationCode(_ parts: [UInt8]...) -> [UInt8] { messageAuthenticator.authenticationCode(parts) }

    /// Derives a secret of 32 bytes for another purpose. The derived secret reveals nothing about the key.
    public func deriveSecret(for purpose: String) -> [UInt8] {
        authenticationCode(Array("baton-secret \(purpose)".utf8))
    }

    /// Compares two codes in constant time, so that the duration does not reveal the position of the difference.
    static func equalInConstantTime(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        Sodium.equalInConstantTime(Array(one), Array(other))
    }

    public static func == (one: BackupLinkKey, other: BackupLinkKey) -> Bool {
        equalInConstantTime(one.authenticationCode([]), other.authenticationCode([]))
    }
}
