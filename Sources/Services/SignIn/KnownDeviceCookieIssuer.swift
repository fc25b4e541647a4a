import Catalogue
import Passwords
import Synchronization

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
        SignInToken(shown: AccountName.makeComparisonKey(name)).map { Array($0.digest.prefix(16)) }
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
