import Catalogue
import Passwords
import WebServer

/// The catalogue's accounts as the web server asks for them.
struct ServeAccounts: Accounts {
    let catalogue: CatalogueStore
    let hasher: PasswordHasher
    /// False where another server has the accounts, and this one a copy.
    var reigns: @Sendable () -> Bool = { true }

    func signIn(name: String, password: String) async -> SignInOutcome {
        do {
            // Hashed in any case, so that an unknown name takes as long as a wrong password.
            let found = try await catalogue.credentials(named: name)
            let tried: Passphrase
            do throws(PasswordError) { tried = try Passphrase(tried: password) } catch { return .wrong }
            switch try await hasher.verify(tried, against: found?.passwordHash) {
            case .wrong: return .wrong
            case let verdict:
                guard let found else { return .wrong }
                if verdict == .rightButOutdated, reigns(), let new = try? await hasher.hash(tried) {
                    try? await catalogue.replaceOutdatedHash(
                        found.passwordHash, by: new, of: found.account.id)
                }
                let token = Token.random()
                try await catalogue.beginSignIn(of: found.account.id, digest: token.digest)
                return .signedIn(WebPerson(found.account), token: token.text)
            }
        } catch {
            return .failed(sentence: sentence(of: error))
        }
    }

    func person(token: String) async -> WebPerson? {
        guard let token = Token(shown: token) else { return nil }
        return (try? await catalogue.account(signedInBy: token.digest)).flatMap { $0 }.map(WebPerson.init)
    }

    func grants() async -> Set<String>? { try? await catalogue.grants() }

    func signOut(token: String) async {
        guard let token = Token(shown: token) else { return }
        try? await catalogue.endSignIn(token.digest)
    }

    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String
    ) async -> PasswordChange {
        guard reigns() else {
            return .refused(
                sentence: "Another server has the show and the accounts; change your passphrase there.")
        }
        do {
            guard let found = try await catalogue.credentials(named: person.name) else {
                return .wrongPassword
            }
            let tried = try Passphrase(tried: old)
            guard try await hasher.verify(tried, against: found.passwordHash) != .wrong else {
                return .wrongPassword
            }
            let hash = try await hasher.hash(Passphrase(chosen: new, for: person.name))
            try await catalogue.setPasswordHash(
                hash, of: found.account.id, keeping: Token(shown: token)?.digest)
            return .changed
        } catch {
            return .refused(sentence: sentence(of: error))
        }
    }

    private func sentence(of error: any Error) -> String {
        switch error {
        case let error as PasswordError: error.sentence
        case let error as CatalogueError: error.sentence
        default: "The accounts cannot be read: \(error)."
        }
    }
}

extension WebPerson {
    fileprivate init(_ account: Account) {
        let role: WebRole =
            switch account.role {
            case .musician: .musician
            case .technician: .technician
            case .editor: .editor
            case .administrator: .administrator
            }
        self.init(id: account.id.rawValue, name: account.name, role: role)
    }
}
