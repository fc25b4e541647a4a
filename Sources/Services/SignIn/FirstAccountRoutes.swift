import Catalogue
import Platform
import Synchronization
import WebServer

/// The routes with which the first administrator is made on a page, while there is no account yet.
///
/// Whoever knows the code that the server prints at its start may do it. A browser on the server's own machine needs it
/// too, because a forwarder there looks the same. After ten wrong codes, the routes refuse every further one until the
/// server is started again. Codes tried on the server's own machine count apart, so that strangers who guess do not keep
/// out who sits there.
package struct FirstAccountRoutes: Sendable {
    /// The number of wrong codes after which no further one is accepted.
    static let mostWrongCodes = 10

    private let catalogue: CatalogueStore
    private let hasher: PasswordHasher
    private let isActiveServer: @Sendable () -> Bool
    private let code: FirstAccountCode
    private let creator: Creator

    /// - Parameters:
    ///   - code: the code that the server printed.
    ///   - isActiveServer: false on a backup, which gets its accounts from the active server.
    package init(
        catalogue: CatalogueStore, hasher: PasswordHasher, code: FirstAccountCode,
        isActiveServer: @escaping @Sendable () -> Bool
    ) {
        (self.catalogue, self.hasher, self.code, self.isActiveServer) = (
            catalogue, hasher, code, isActiveServer
        )
        creator = Creator()
    }

    package var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/first-account", .anybody, answer: describe),
            WebRoute(.post, "/api/first-account", .anybody, bodyLimitBytes: 4_096, answer: make),
        ]
    }

    private struct Description: Encodable {
        /// True if there is no account yet, so that the first one can be made.
        var isNeeded: Bool
    }

    private struct Wish: Decodable {
        var name: String
        var password: String
        var code: String?
    }

    /// Makes one account at a time, so that two pages cannot both make the first one.
    private actor Creator {
        private var isDone = false

        func makeOnce(_ body: @Sendable () async -> WebResponse) async -> WebResponse {
            guard !isDone else { return FirstAccountRoutes.thereIsOne }
            isDone = true
            let answer = await body()
            isDone = answer.status == 200
            return answer
        }
    }

    @Sendable private func describe(_ request: WebRequest) async -> WebResponse {
        let isEmpty = (try? await catalogue.accounts().isEmpty) ?? false
        return .json(Description(isNeeded: isEmpty && isActiveServer()))
    }

    @Sendable private func make(_ request: WebRequest) async throws -> WebResponse {
        let wish = try JSONBody.decode(Wish.self, from: request.body)
        guard isActiveServer() else {
            return .refused(409, "not-reigning", "Accounts are made on the main server, not on the backup.")
        }
        guard (try? await catalogue.accounts().isEmpty) == true else { return Self.thereIsOne }
        switch code.check(wish.code ?? "", isOwnMachine: request.isOwnMachine) {
        case .right: break
        case .wrong:
            return .refused(
                403, "wrong-code",
                "This is not the code that the server printed at its start; look there again.")
        case .tooManyTries:
            return .refused(
                403, "too-many",
                "Too many wrong codes were tried. Open this page on the server itself, or start the server again; it "
                    + "prints a new one.")
        }
        return await creator.makeOnce { [catalogue, hasher] in
            do {
                let passphrase = try Passphrase(chosen: wish.password, for: wish.name)
                let hash = try await hasher.hash(passphrase)
                _ = try await catalogue.addAccount(named: wish.name, role: .administrator, passwordHash: hash)
                return .succeeded
            } catch let error as PasswordError {
                return .refused(422, "bad-password", error.sentence)
            } catch let error as CatalogueError {
                return .refused(422, "bad-name", error.sentence)
            } catch {
                return .refused(503, "failed", "The account could not be made: \(error)")
            }
        }
    }

    private static let thereIsOne = WebResponse.refused(
        409, "there-is-one", "There is an account already; sign in with it. An administrator adds others.")
}

/// The code with which the first administrator may be made; new at each start.
package final class FirstAccountCode: Sendable {
    enum Verdict { case right, wrong, tooManyTries }

    /// Eight digits in two groups, such as “1234 5678”.
    package let text: String
    /// The wrong codes of the server's own machine, and of everybody else.
    private let wrongTries = Mutex<[Bool: Int]>([:])

    package init() {
        var source = SystemRandomNumberGenerator()
        func group() -> String {
            let digits = String(Int.random(in: 0..<10_000, using: &source))
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
        text = group() + " " + group()
    }

    func check(_ tried: String, isOwnMachine: Bool) -> Verdict {
        let isRight = tried.filter(\.isNumber) == text.filter(\.isNumber)
        return wrongTries.withLock { wrong in
            guard wrong[isOwnMachine, default: 0] < FirstAccountRoutes.mostWrongCodes else {
                return .tooManyTries
            }
            if !isRight { wrong[isOwnMachine, default: 0] += 1 }
            return isRight ? .right : .wrong
        }
    }
}
