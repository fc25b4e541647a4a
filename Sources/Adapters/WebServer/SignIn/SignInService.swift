import Synchronization

/// Signs people in and out, and identifies visitors by their token.
final class SignInService: Sendable {
    private let accounts: any Accounts
    private let overTLS: Bool
    private let isNeeded: Bool
    private let wrongPasswordDuration: Duration
    private let isBehindTLS: Bool
    private let tries = Mutex(SignInGuard())
    /// The passphrases being checked or waiting for it. A check takes a fifth of a second of a processor and 64 MB,
    /// so that more would only wait.
    private let places = QuotaPlaces(SignInService.shares)
    private let inUse = TokensInUse()
    /// Valid tokens, and when they were last looked up.
    private let seen = Mutex<[String: Int64]>([:])
    private static let seenMilliseconds: Int64 = 60_000
    private static let mostSeen = 4_096
    private let lookUps = AnonymousQuota(.lookUps)
    /// When the earlier sign-ins' networks were last read; nil before the first time.
    private let recalled = Mutex<Int64?>(nil)
    private static let networkReadIntervalMilliseconds: Int64 = 30_000
    /// Limits addresses that keep trying while there is no place.
    private let retryLimiter = Mutex(ArrivalRateLimit(perSecond: 1, burst: 3))
    private let clock: @Sendable () -> Int64

    /// - Parameter clock: milliseconds, never decreasing; the waiting times after wrong passwords use it.
    init(accounts: any Accounts, settings: WebSettings, clock: @escaping @Sendable () -> Int64) {
        self.accounts = accounts
        self.clock = clock
        overTLS = settings.tls != nil
        isBehindTLS = settings.isBehindTLS
        isNeeded = settings.signIn == .required
        wrongPasswordDuration = settings.patience.wrongPassword
    }

    static let shares = ResourceQuota.Shares(total: 24, reserve: 8, perAddress: 8, perAccount: 4)

    /// The person who holds this token.
    ///
    /// A token that was not found valid within the last minute is looked up in turn with those of other addresses:
    /// any number of invented tokens cannot keep signed-in people from the accounts.
    /// - Parameter address: the visitor's address.
    func person(_ token: String?, from address: String = "") async -> WebPerson? {
        guard isNeeded else { return .local }
        guard let token else { return nil }
        let now = clock()
        if let seen = seen.withLock({ $0[token] }), now - seen < Self.seenMilliseconds {
            return await look(up: token, at: now)
        }
        guard let turn = await lookUps.turn(for: SignInGuard.network(of: address)) else { return nil }
        defer { withExtendedLifetime(turn) {} }
        return await look(up: token, at: now)
    }

    private func look(up token: String, at now: Int64) async -> WebPerson? {
        let person = await accounts.person(token: token)
        seen.withLock { seen in
            guard person != nil else { return seen[token] = nil }
            if seen.count >= Self.mostSeen { seen = seen.filter { now - $0.value < Self.seenMilliseconds } }
            if seen.count < Self.mostSeen { seen[token] = now }
        }
        return person
    }

    /// Marks a sign-in as having an open stream, as long as the result is held; nil if no sign-in is required.
    func use(of token: String?) -> TokensInUse.Use? { isNeeded ? token.map(inUse.use) : nil }

    private struct Credentials: Decodable {
        let name: String
        let password: String
    }

    private struct SignedInPersonAnswer: Encodable {
        let name: String
        let role: WebRole
        let signIn: Bool
        var note: String?
    }

    /// The addresses of signing in and out; see docs/console-api.md.
    var routes: [WebRoute] {
        [
            WebRoute(.post, "/api/login", .anybody, bodyLimitBytes: 4_096, answer: signIn),
            WebRoute(.post, "/api/logout", .anybody, bodyLimitBytes: 4_096, answer: signOut),
            WebRoute(.get, "/api/me", .signedIn, answer: me),
            WebRoute(
                .post, "/api/account/password", .signedIn, bodyLimitBytes: 4_096, answer: changePassword),
        ]
    }

    @Sendable func signIn(_ request: WebRequest) async -> WebResponse {
        let arrived = ContinuousClock.now
        do throws(JSONFault) {
            let credentials = try JSONBody.decode(Credentials.self, from: request.body)
            let device = await device(request, credentials.name)
            // This is needed only after a start: the networks decide who is checked first.
            if recalled.withLock({ $0 == nil }) { await addKnownNetworks() }
            // The standing is read before this try is counted.
            let standing = standing(credentials.name, request, device)
            if let wait = await begin(credentials.name, request, device) { return Self.refusalToWait(wait) }
            guard let place = place(standing, request) else {
                retryLimiter.withLock { _ = $0.take(SignInGuard.network(of: request.address), at: .now) }
                withdraw(credentials.name, request, device)
                return Self.busy
            }
            let outcome = await accounts.signIn(
                name: credentials.name, password: credentials.password, inUse: inUse.all,
                first: place.holder.standing.mayUseReserve)
            place.giveBack()
            switch outcome {
            case .signedIn(let person, let token):
                await succeeded(person, credentials.name, request, device)
                let isSecure = isSecure(request)
                let answer = WebResponse.json(
                    SignedInPersonAnswer(
                        name: person.name, role: person.role, signIn: true, note: person.note)
                ).with("Set-Cookie", SessionCookie.setting(token, overTLS: isSecure).description)
                guard let mark = await accounts.deviceMark(of: person) else { return answer }
                return answer.with(
                    "Set-Cookie", DeviceCookie.setting(mark, overTLS: isSecure).description)
            case .wrong:
                try? await Task.sleep(until: arrived + wrongPasswordDuration)
                return Self.wrong
            case .failed(let sentence):
                withdraw(credentials.name, request, device)
                return .refused(503, "busy", sentence).with("Retry-After", "2")
            }
        } catch {
            return error.answer
        }
    }

    @Sendable func signOut(_ request: WebRequest) async -> WebResponse {
        // An invented token causes no write, and is looked up in turn like all others.
        if isNeeded, let token = request.token, await person(token, from: request.address) != nil {
            await accounts.signOut(token: token)
        }
        return WebResponse.done.with(
            "Set-Cookie", SessionCookie.clearing(overTLS: isSecure(request)).description)
    }

    @Sendable func me(_ request: WebRequest) async -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        return .json(
            SignedInPersonAnswer(name: person.name, role: person.role, signIn: isNeeded, note: person.note))
    }

    private struct Change: Decodable {
        let old: String
        let new: String
    }

    @Sendable func changePassword(_ request: WebRequest) async -> WebResponse {
        let arrived = ContinuousClock.now
        guard isNeeded, let person = request.person, let token = request.token else {
            return .refused(
                409, "no-sign-in", "This server runs without sign-in, so there is no password to change.")
        }
        do throws(JSONFault) {
            let change = try JSONBody.decode(Change.self, from: request.body)
            let runsTheEvening = WebRole.operators.contains(person.role)
            // A stolen session must not become a way to guess the password.
            let device = await device(request, person.name)
            if let wait = await begin(person.name, request, device) { return Self.refusalToWait(wait) }
            guard let place = place(runsTheEvening ? .staff : .anybody, request) else {
                withdraw(person.name, request, device)
                return Self.busy
            }
            let outcome = await accounts.changePassword(
                of: person, from: change.old, to: change.new, keeping: token)
            place.giveBack()
            switch outcome {
            case .changed:
                await succeeded(person, person.name, request, device)
                return .done
            case .wrongPassword:
                try? await Task.sleep(until: arrived + wrongPasswordDuration)
                return .refused(403, "wrong-password", "The old passphrase is wrong.")
            case .refused(let sentence):
                withdraw(person.name, request, device)
                return .refused(422, "bad-password", sentence)
            case .failed(let sentence):
                withdraw(person.name, request, device)
                return .refused(503, "busy", sentence).with("Retry-After", "2")
            }
        } catch {
            return error.answer
        }
    }

    /// True if the browser must send the cookie over TLS only.
    ///
    /// That is so behind a proxy with TLS, except for a page that was opened without TLS.
    private func isSecure(_ request: WebRequest) -> Bool {
        overTLS || isBehindTLS && !request.origin.hasPrefix("http:")
    }

    private func standing(_ name: String, _ request: WebRequest, _ device: String?) -> ResourceQuota.Standing
    {
        let now = clock()
        let standing = tries.withLock {
            $0.standing(
                account: name, from: request.address, device: device, at: now,
                isOwnMachine: request.isOwnMachine)
        }
        let isImpatient = retryLimiter.withLock {
            $0.isUsedUp(SignInGuard.network(of: request.address), at: .now)
        }
        return standing == .anybody && isImpatient ? .doubtful : standing
    }

    /// Takes a place for checking a passphrase.
    /// - Returns: nil if there is none for this visitor now.
    private func place(_ standing: ResourceQuota.Standing, _ request: WebRequest) -> QuotaPlace? {
        let account = request.person?.id
        let first = ResourceQuota.Holder(address: request.address, account: account, standing: standing)
        if let place = try? places.take(first) { return place }
        guard standing == .presumed else { return nil }
        return try? places.take(ResourceQuota.Holder(address: request.address, account: account))
    }

    /// Counts a try.
    /// - Returns: milliseconds to wait first; nil to go on.
    private func begin(_ name: String, _ request: WebRequest, _ device: String?) async -> Int64? {
        guard let wait = tryOnce(name, request, device) else { return nil }
        // Before a visitor has to wait, the networks are read again: the account may have signed in from this address
        // at another server, whose accounts were copied here since.
        return await addKnownNetworks() ? tryOnce(name, request, device) : wait
    }

    /// Reads the networks from which accounts signed in earlier, before this server started or at another server.
    /// - Returns: false if that was done a moment ago.
    @discardableResult private func addKnownNetworks() async -> Bool {
        guard mayRecall() else { return false }
        let networks = await accounts.networks()
        tries.withLock { tries in
            for (account, networks) in networks { tries.addKnownNetworks(networks, of: account) }
        }
        return true
    }

    private func tryOnce(_ name: String, _ request: WebRequest, _ device: String?) -> Int64? {
        let now = clock()
        return tries.withLock {
            $0.begin(
                account: name, from: request.address, device: device, at: now,
                isOwnMachine: request.isOwnMachine)
        }
    }

    private func mayRecall() -> Bool {
        let now = clock()
        return recalled.withLock { last in
            if let last, now - last < Self.networkReadIntervalMilliseconds { return false }
            last = now
            return true
        }
    }

    /// The device mark that the browser sent, if it belongs to this account; looked up in turn, because anybody may
    /// send one.
    private func device(_ request: WebRequest, _ name: String) async -> String? {
        guard let mark = request.device,
            let turn = await lookUps.turn(for: SignInGuard.network(of: request.address))
        else { return nil }
        defer { withExtendedLifetime(turn) {} }
        return await accounts.isDevice(mark, of: name) ? mark : nil
    }

    private func withdraw(_ name: String, _ request: WebRequest, _ device: String?) {
        tries.withLock {
            $0.withdraw(
                account: name, from: request.address, device: device, isOwnMachine: request.isOwnMachine)
        }
    }

    private func succeeded(
        _ person: WebPerson, _ name: String, _ request: WebRequest, _ device: String?
    ) async {
        tries.withLock { $0.succeeded(account: name, from: request.address, device: device) }
        await accounts.remember(SignInGuard.network(of: request.address), of: person)
    }

    private static let busy = WebResponse.refused(
        503, "busy", "Too many people are signing in at once; try again in a few seconds."
    ).with("Retry-After", "2")

    private static let wrong = WebResponse.refused(401, "wrong-password", "Name or passphrase is wrong.")

    private static func refusalToWait(_ milliseconds: Int64) -> WebResponse {
        let seconds = max(1, (milliseconds + 999) / 1_000)
        return WebResponse.refused(
            429, "wait", "Too many wrong passphrases; wait \(seconds) s and try again."
        ).with("Retry-After", String(seconds))
    }
}
