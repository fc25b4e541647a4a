import Catalogue
import Platform
import Synchronization
import WebServer

/// Issues and checks cookies by which a browser proves that it was signed in to an account before. A cookie holds an
/// encrypted digest of the account's name.
final class KnownDeviceCookieIssuer: Sendable {
    private static let secretName = "devices"
    /// The key is read again after this time, because replication from another server may have replaced the stored
    /// key.
    private static let cachedKeyLifetime = Duration.seconds(30)

    private struct CachedKey {
        var sealedBox: SealedBox?
        var readAt: ContinuousClock.Instant?
    }

    private let catalogue: CatalogueStore
    private let cachedKey = Mutex(CachedKey())

    init(_ catalogue: CatalogueStore) { self.catalogue = catalogue }

    /// Makes the cookie for an account.
    /// - Parameter mayWrite: false while another server is in charge of the accounts, so that no new key is created
    ///   here.
    /// - Returns: nil if there is no key.
    func makeCookie(of name: String, mayWrite: Bool) async -> String? {
        guard let box = await loadSealedBox(mayWrite: mayWrite), let digest = Self.accountNameDigest(of: name)
        else {
            return nil
        }
        return box.encrypt(digest).map { Self.hexadecimalDigits($0) }.joined()
    }

    func isValidCookie(_ mark: String, of name: String) async -> Bool {
        guard let bytes = Self.decodeHexadecimal(of: mark), let box = await loadSealedBox(mayWrite: false),
            let opened = box.decrypt(bytes), let digest = Self.accountNameDigest(of: name)
        else { return false }
        return equalInConstantTime(opened, digest)
    }

    /// Makes the mark of a device that was here: its id and the time since when it is known.
    func makeMark(of device: KnownDevice, mayWrite: Bool) async -> String? {
        guard let box = await loadSealedBox(mayWrite: mayWrite) else { return nil }
        let content =
            Self.bytes(of: device.id) + Self.bytes(of: UInt64(bitPattern: device.since)) + [Self.markKind]
        return box.encrypt(content).map { Self.hexadecimalDigits($0) }.joined()
    }

    /// The device of a mark, or of a cookie that an account has left.
    func findDevice(markedWith mark: String) async -> KnownDevice? {
        guard let bytes = Self.decodeHexadecimal(of: mark), let box = await loadSealedBox(mayWrite: false),
            let opened = box.decrypt(bytes)
        else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        if opened.count == Self.markByteCount, opened.last == Self.markKind {
            return KnownDevice(id: number(opened[..<8]), since: Int64(bitPattern: number(opened[8..<16])))
        }
        return opened.count == Self.digestByteCount ? KnownDevice(id: number(bytes[..<8]), since: 0) : nil
    }

    /// The content of a mark ends with this byte; the cookies of accounts are shorter.
    private static let markKind: UInt8 = 1
    private static let (markByteCount, digestByteCount) = (17, 16)

    private static func bytes(of number: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }

    private func loadSealedBox(mayWrite: Bool) async -> SealedBox? {
        let known = cachedKey.withLock { cached -> SealedBox? in
            let isNew = cached.readAt.map { .now - $0 < Self.cachedKeyLifetime } ?? false
            return isNew ? cached.sealedBox : nil
        }
        if let known { return known }
        let new = mayWrite ? SignInToken.random().digest : nil
        let secret = (try? await catalogue.loadServerSecret(named: Self.secretName, orKeep: new)) ?? nil
        guard let secret, secret.count == SealedBox.secretByteCount else { return nil }
        let box = SealedBox(secret: secret)
        cachedKey.withLock { $0 = CachedKey(sealedBox: box, readAt: .now) }
        return box
    }

    private static func accountNameDigest(of name: String) -> [UInt8]? {
        SignInToken(shown: AccountName.makeComparisonKey(name)).map {
            Array($0.digest.prefix(digestByteCount))
        }
    }

    private static func hexadecimalDigits(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func decodeHexadecimal(of text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard (2...256).contains(digits.count), digits.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
        return bytes.count * 2 == digits.count ? bytes : nil
    }
}
