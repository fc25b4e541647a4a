import Catalogue
import Platform
import WebServer

/// Gives the web server access to the catalogue's accounts, sign-ins and passphrases.
package struct CatalogueAccounts: Accounts {
    package let catalogue: CatalogueStore
    package let hasher: PasswordHasher
    /// False while another server is in charge of the accounts and this one holds only a replica.
    package let isActiveServer: @Sendable () -> Bool
    private let inMemorySignIns = InMemorySignIns()
    private let knownDeviceCookieIssuer: KnownDeviceCookieIssuer

    package init(
        catalogue: CatalogueStore, hasher: PasswordHasher,
        isActiveServer: @escaping @Sendable () -> Bool = { true }
    ) {
        (self.catalogue, self.hasher, self.isActiveServer) = (catalogue, hasher, isActiveServer)
        knownDeviceCookieIssuer = KnownDeviceCookieIssuer(catalogue)
    }

    package func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async
        -> SignInOutcome
    {
        do {
            // The password is hashed even for an unknown name, so that the response time does not reveal which names
            // exist.
            let found = try await catalogue.credentials(named: name, includesSuspended: true)
            let tried: Passphrase
            do throws(PasswordError) { tried = try Passphrase(tried: password) } catch {
                return .wrongCredentials
            }
            switch try await hasher.verify(tried, against: found?.passwordHash, first: first) {
            case .wrong: return .wrongCredentials
            case let verdict:
                guard let found else { return .wrongCredentials }
                guard found.account.disabledAt == nil else { return .suspended }
                if verdict == .rightButOutdated, isActiveServer(), let new = try? await hasher.hash(tried) {
                    try? await catalogue.replaceOutdatedHash(
                        found.passwordHash, by: new, of: found.account.id)
                }
                return try await beginSignIn(found.account, found.passwordHash, inUse)
            }
        } catch {
            return .failed(sentence: sentence(of: error))
        }
    }

    /// Begins a sign-in on disk or, if the disk cannot be written, in memory.
    private func beginSignIn(
        _ account: Account, _ passwordHash: String, _ inUse: Set<String>
    ) async throws(CatalogueError) -> SignInOutcome {
        let token = SignInToken.random()
        let inUse = inUse.compactMap { SignInToken(shown: $0)?.digest }
        do throws(CatalogueError) {
            try await catalogue.beginSignIn(of: account.id, digest: token.digest, inUse: inUse)
            return .signedIn(WebPerson(account), token: token.text)
        } catch {
            guard error.isDiskError, inMemorySignIns.addSignIn(token.digest, of: account, passwordHash) else {
                throw error
            }
            return .signedIn(WebPerson(account, note: InMemorySignIns.noteForUser), token: token.text)
        }
    }

    package func findPerson(token: String) async -> WebPerson? {
        guard let token = SignInToken(shown: token) else { return nil }
        if let signIn = inMemorySignIns.findSignIn(token.digest) {
            let found = (try? await catalogue.credentials(of: signIn.account)).flatMap { $0 }
            guard let found, found.passwordHash == signIn.passwordHash else { return nil }
            return WebPerson(found.account, note: InMemorySignIns.noteForUser)
        }
        return (try? await catalogue.account(signedInBy: token.digest)).flatMap { $0 }.map { WebPerson($0) }
    }

    package func listCurrentRights() async -> Set<String>? { try? await catalogue.accessSnapshot() }

    package func signOut(token: String) async {
        guard let token = SignInToken(shown: token) else { return }
        inMemorySignIns.endSignIn(token.digest)
        try? await catalogue.endSignIn(token.digest)
    }

    package func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String?
    ) async -> PasswordChangeOutcome {
        guard isActiveServer() else {
            return .failed(
                sentence: "Another server is active; change your passphrase there.")
        }
        do {
            guard let found = try await catalogue.credentials(named: person.name) else {
                return .wrongPassword
            }
            let tried: Passphrase
            do throws(PasswordError) { tried = try Passphrase(tried: old) } catch { return .wrongPassword }
            guard try await hasher.verify(tried, against: found.passwordHash) != .wrong else {
                return .wrongPassword
            }
            let chosen: Passphrase
            do throws(PasswordError) { chosen = try Passphrase(chosen: new, for: person.name) } catch {
                return .refused(sentence: error.sentence)
            }
            try await catalogue.setPasswordHash(
                hasher.hash(chosen), of: found.account.id,
                keeping: token.flatMap { SignInToken(shown: $0)?.digest }, endsSignIns: token != nil)
            return .changed
        } catch {
            return .failed(sentence: sentence(of: error))
        }
    }

    // MARK: Known devices

    package func signInNetworksByAccount() async -> [String: [String]] {
        (try? await catalogue.signInNetworks()) ?? [:]
    }

    package func rememberNetwork(_ network: String, of person: WebPerson) async {
        try? await catalogue.recordSignInNetwork(of: AccountID(rawValue: person.id), from: network)
    }

    package func makeDeviceMark(of person: WebPerson) async -> String? {
        await knownDeviceCookieIssuer.makeCookie(of: person.name, mayWrite: isActiveServer())
    }

    package func isDeviceMark(_ mark: String, of name: String) async -> Bool {
        await knownDeviceCookieIssuer.isValidCookie(mark, of: name)
    }

    package func makeMark(of device: KnownDevice) async -> String? {
        await knownDeviceCookieIssuer.makeMark(of: device, mayWrite: isActiveServer())
    }

    package func findDevice(markedWith mark: String) async -> KnownDevice? {
        await knownDeviceCookieIssuer.findDevice(markedWith: mark)
    }

    private func sentence(of error: any Error) -> String {
        switch error {
        case let error as PasswordError: error.sentence
        case let error as CatalogueError: error.sentenceWithoutPath
        default: "The accounts cannot be read at present; try again in a moment."
        }
    }
}

extension CatalogueError {
    /// True if the disk, or another program that locks the file, caused the error. The request itself was valid.
    fileprivate var isDiskError: Bool {
        switch self {
        case .diskFull, .readOnly, .busy, .readOrWriteFailed, .cannotOpen: true
        default: false
        }
    }
}

extension WebPerson {
    fileprivate init(_ account: Account, note: String? = nil) {
        let role: WebRole =
            switch account.role {
            case .musician: .musician
            case .titleOperator: .titleOperator
            case .technician: .technician
            case .editor: .editor
            case .administrator: .administrator
            }
        self.init(id: account.id.rawValue, name: account.name, role: role, note: note)
    }
}
