import Digests
import Glibc

/// The secret shared by the main server and the backup; its holder is trusted.
public struct LinkKey: Sendable, Equatable {
    /// The minimum length of a key file's secret, too long to guess.
    public static let fewestBytes = 32
    static let mostBytes = 4_096

    private let digest: KeyedDigest

    /// Uses the given secret.
    /// - Parameter bytes: a secret of any length; see ``LinkKey/init(file:)`` for the requirements on a file.
    public init(bytes: [UInt8]) { digest = KeyedDigest(key: bytes) }

    /// Reads the secret from a file that only its owner may read, at least ``fewestBytes`` long.
    /// - Throws: ``BackupLinkFault``.
    public init(file path: String) throws(BackupLinkFault) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .keyUnreadable(path: path, errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .keyUnreadable(path: path, errno: EINVAL)
        }
        guard status.st_mode & 0o077 == 0 else { throw .keyOpenToOthers(path: path) }
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .keyUnreadable(path: path, errno: errno) }
        // Editors add a line break at the end.
        let secret = bytes.prefix(count).reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed()
        guard secret.count >= Self.fewestBytes else { throw .keyTooShort(path: path, bytes: secret.count) }
        self.init(bytes: Array(secret))
    }

    /// The authentication code of a message, 32 bytes of HMAC-SHA256.
    func code(_ parts: [UInt8]...) -> [UInt8] { digest.code(parts) }

    /// Derives a secret of 32 bytes for another purpose, which reveals nothing about this one.
    public func secret(for purpose: String) -> [UInt8] { code(Array("baton-secret \(purpose)".utf8)) }

    /// Compares in constant time, so that the duration does not reveal where the difference is.
    static func agree(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        Sodium.equal(Array(one), Array(other))
    }

    public static func == (one: LinkKey, other: LinkKey) -> Bool {
        agree(one.code([]), other.code([]))
    }
}
