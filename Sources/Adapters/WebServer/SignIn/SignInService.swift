import Platform
import Synchronization

/// Signs people in and out, and finds the signed-in person by the token of a request.
final class SignInService: Sendable {
    private let accounts: any Accounts
    private let isSignInNeeded: Bool
    private let wrongPasswordDelay: Duration
    private let isBehindTLSProxy: Bool
    private let signInGuard = Mutex(SignInGuard())
    /// Limits the passphrases that are checked or wait for their check. Each check takes a fifth of a second of
    /// processor time and 64 MB, so more of them would only wait.
    private let passwordCheckPool = SharedResourceQuota(SignInService.passwordCheckLimits)
    private let queue = Mutex(SignInQueue())
    private let tokensInUse = TokensInUse()
    /// The tokens that were recently valid, each with the time of its last look-up in milliseconds of
    /// `readMilliseconds`.
    private let recentlyValidTokens = Mutex<[String: Int64]>([:])
    private static let recentlyValidMilliseconds: Int64 = 60_000
    private static let mostRecentlyValidTokens = 4_096
    private let tokenLookUpQueue = RequestQueue(.forTokenLookUps)
    /// The time at which the networks of earlier sign-ins were last read, in milliseconds of `readMilliseconds`; nil
    /// before the first time.
    private let lastNetworkRead = Mutex<Int64?>(nil)
    private static let networkReadIntervalMilliseconds: Int64 = 30_000
    /// Recognises addresses that keep trying to sign in while no place is free.
    private let retryLimiter = Mutex(RateLimit<String>(unitsPerSecond: 1, burst: 3))
    private let readMilliseconds: @Sendable () -> Int64

    /// - Parameter readMilliseconds: returns milliseconds, never decreasing. The waiting times after wrong passwords
    ///   use it.
    init(accounts: any Accounts, settings: WebSettings, readMilliseconds: @escaping @Sendable () -> Int64) {
        self.accounts = accounts
        self.readMilliseconds = readMilliseconds
        isBehindTLSProxy = settings.isBehindTLSProxy
        isSignInNeeded = settings.signInRequirement == .required
        wrongPasswordDelay = settings.timeouts.wrongPasswordDelay
    }

    static let passwordCheckLimits = ResourceQuota.Limits(total: 24, reserve: 8, perAddress: 8, perAccount: 4)

    /// Finds the person who signed in with this token; nil if the token is not valid.
    ///
    /// A token that was not found valid within the last minute waits for a turn among all addresses. So any number of
    /// invented tokens cannot prevent signed-in people from being recognised.
    /// - Parameter address: the visitor's address.
    func findPerson(_ token: String?, from address: String = "") async -> WebPerson? {
        guard isSignInNeeded else { return .localVisitor }
        guard let token else { return nil }
        let now = readMilliseconds()
        if let seen = recentlyValidTokens.withLock({ $0[token] }), now - seen < Self.recentlyValidMilliseconds
        {
            return await lookUpPerson(token: token, at: now)
        }
        guard let turn = await tokenLookUpQueue.waitForTurn(for: .init(address: address)) else {
            return nil
        }
        defer { withExtendedLifetime(turn) {} }
        return await lookUpPerson(token: token, at: now)
    }

    private func lookUpPerson(token: String, at now: Int64) async -> WebPerson? {
        let person = await accounts.findPerson(token: token)
        recentlyValidTokens.withLock { seen in
            guard person != nil else { return seen[token] = nil }
            if seen.count >= Self.mostRecentlyValidTokens {
                seen = seen.filter { now - $0.value < Self.recentlyValidMilliseconds }
            }
            if seen.count < Self.mostRecentlyValidTokens { seen[token] = now }
        }
        return person
    }

    /// Marks a sign-in as having an open stream, as long as the returned object is kept. Nil if no sign-in is required.
    func markInUse(of token: String?) -> TokensInUse.StreamUse? {
        isSignInNeeded ? token.map(tokensInUse.beginUse) : nil
    }

    private struct Credentials: Decodable {
        let name: String
        let password: String
    }

    private struct SignedInPersonAnswer: Encodable {
        let name: String
        let role: WebRole
        let signIn: Bool
        var note: String?
        var pages: [HousePage]?
    }

    /// The routes for signing in and out and for changing the password; see docs/console-api.md.
    var routes: [WebRoute] {
        [
            WebRoute(.post, "/api/login", .anybody, bodyLimitBytes: 4_096, answer: signIn),
            WebRoute(.post, "/api/logout", .anybody, bodyLimitBytes: 4_096, answer: signOut),
            WebRoute(.get, "/api/me", .signedIn, answer: describeSignedInPerson),
            WebRoute(
                .post, "/api/account/password", .signedIn, bodyLimitBytes: 4_096, answer: changePassword),
        ]
    }

    @Sendable func signIn(_ request: WebRequest) async -> WebResponse {
        let arrived = ContinuousClock.now
        do throws(JSONFault) {
            let credentials = try JSONBody.decode(Credentials.self, from: request.body)
            let device = await verifiedDeviceMark(request, credentials.name)
            // This is needed only after the server started: the networks decide whose password is checked first.
            if lastNetworkRead.withLock({ $0 == nil }) { await rereadKnownNetworks() }
            // The trust in the visitor is read before this try is counted, so that the try does not lower it.
            let standing = trustLevel(credentials.name, request, device)
            let waiter = SignInQueue.Waiter(
                network: SignInGuard.network(of: request.visitorAddress),
                account: SignInGuard.normalizeAccountName(credentials.name))
            // Whoever has to wait for others has not tried yet.
            guard standing.mayUseReserve || queue.withLock({ $0.isAtFront(waiter, at: .now) }) else {
                return waitingResponse(waiter)
            }
            if let wait = await beginTry(credentials.name, request, device) {
                return Self.mustWaitResponse(wait)
            }
            guard let place = takePasswordCheckPlace(standing, request) else {
                withdrawTry(credentials.name, request, device)
                return waitingResponse(waiter)
            }
            queue.withLock { $0.remove(waiter) }
            let outcome = await accounts.signIn(
                name: credentials.name, password: credentials.password, inUse: tokensInUse.allTokens,
                first: place.holder.trustLevel.mayUseReserve)
            place.giveBackPlace()
            switch outcome {
            case .signedIn(let person, let token):
                await recordSuccess(person, credentials.name, request, device)
                let isSecure = needsSecureCookie(request)
                let answer = WebResponse.json(
                    SignedInPersonAnswer(
                        name: person.name, role: person.role, signIn: true, note: person.signInNotice)
                ).withHeader(
                    "Set-Cookie",
                    SessionCookie.makeCookie(token, overTLS: isSecure, transport: request.transport)
                        .description)
                guard let mark = await accounts.makeDeviceMark(of: person) else { return answer }
                return answer.withHeader(
                    "Set-Cookie",
                    DeviceCookie.makeCookie(mark, overTLS: isSecure, transport: request.transport).description
                )
            case .wrongCredentials:
                try? await Task.sleep(until: arrived + wrongPasswordDelay)
                return Self.wrongPasswordResponse
            case .suspended:
                withdrawTry(credentials.name, request, device)
                return .refused(403, "suspended", "This account is suspended; ask an administrator.")
            case .failed(let sentence):
                withdrawTry(credentials.name, request, device)
                return .refused(503, "busy", sentence).withHeader("Retry-After", "2")
            }
        } catch {
            return error.errorResponse
        }
    }

    @Sendable func signOut(_ request: WebRequest) async -> WebResponse {
        // An invented token causes no write to the accounts, and waits for a turn like all unknown tokens.
        if isSignInNeeded, let token = request.sessionToken,
            await findPerson(token, from: request.visitorAddress) != nil
        {
            await accounts.signOut(token: token)
        }
        return WebResponse.succeeded.withHeader(
            "Set-Cookie",
            SessionCookie.makeExpiredCookie(
                overTLS: needsSecureCookie(request), transport: request.transport
            ).description)
    }

    @Sendable func describeSignedInPerson(_ request: WebRequest) async -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        return .json(
            SignedInPersonAnswer(
                name: person.name, role: person.role, signIn: isSignInNeeded, note: person.signInNotice,
                pages: HousePage.pages(for: person)))
    }

    private struct PasswordChangeRequest: Decodable {
        let old: String
        let new: String
        /// False keeps the person signed in on other devices; left out counts as true.
        let endsOthers: Bool?
    }

    @Sendable func changePassword(_ request: WebRequest) async -> WebResponse {
        let arrived = ContinuousClock.now
        guard isSignInNeeded, let person = request.person, let token = request.sessionToken else {
            return .refused(
                409, "no-sign-in", "This server runs without sign-in, so there is no password to change.")
        }
        do throws(JSONFault) {
            let change = try JSONBody.decode(PasswordChangeRequest.self, from: request.body)
            let runsTheEvening = WebRole.evening.contains(person.role)
            // Tries are counted here too, so that a stolen session is no way to guess the password.
            let device = await verifiedDeviceMark(request, person.name)
            if let wait = await beginTry(person.name, request, device) { return Self.mustWaitResponse(wait) }
            guard let place = takePasswordCheckPlace(runsTheEvening ? .staff : .anybody, request) else {
                withdrawTry(person.name, request, device)
                return Self.busyResponse
            }
            let outcome = await accounts.changePassword(
                of: person, from: change.old, to: change.new,
                keeping: change.endsOthers == false ? nil : token)
            place.giveBackPlace()
            switch outcome {
            case .changed:
                await recordSuccess(person, person.name, request, device)
                return .succeeded
            case .wrongPassword:
                try? await Task.sleep(until: arrived + wrongPasswordDelay)
                return .refused(403, "wrong-password", "The old passphrase is wrong.")
            case .refused(let sentence):
                withdrawTry(person.name, request, device)
                return .refused(422, "bad-password", sentence)
            case .failed(let sentence):
                withdrawTry(person.name, request, device)
                return .refused(503, "busy", sentence).withHeader("Retry-After", "2")
            }
        } catch {
            return error.errorResponse
        }
    }

    /// True if the session cookie must be sent over TLS only.
    ///
    /// This also applies behind a proxy with TLS, unless the page itself was opened without TLS.
    private func needsSecureCookie(_ request: WebRequest) -> Bool {
        request.transport.isSecure || isBehindTLSProxy && !request.origin.hasPrefix("http:")
    }

    private func trustLevel(_ name: String, _ request: WebRequest, _ device: String?)
        -> ResourceQuota.TrustLevel
    {
        let now = readMilliseconds()
        let standing = signInGuard.withLock {
            $0.trustLevel(
                account: name, from: request.visitorAddress, device: device, at: now,
                isOwnMachine: request.isOwnMachine)
        }
        let isImpatient = retryLimiter.withLock {
            $0.isUsedUp(SignInGuard.network(of: request.visitorAddress), at: .now)
        }
        return standing == .anybody && isImpatient ? .suspicious : standing
    }

    /// Takes a place for checking a passphrase.
    /// - Returns: nil if no place is free for this visitor now.
    private func takePasswordCheckPlace(_ standing: ResourceQuota.TrustLevel, _ request: WebRequest)
        -> QuotaLease?
    {
        let account = request.person?.id
        let first = ResourceQuota.Holder(
            address: request.visitorAddress, account: account, trustLevel: standing)
        if let place = try? passwordCheckPool.takePlace(first) { return place }
        guard standing == .presumedStaff else { return nil }
        return try? passwordCheckPool.takePlace(
            ResourceQuota.Holder(address: request.visitorAddress, account: account))
    }

    /// Counts a try to sign in, if the visitor may try now.
    /// - Returns: nil if the visitor may try; otherwise the milliseconds to wait first.
    private func beginTry(_ name: String, _ request: WebRequest, _ device: String?) async -> Int64? {
        guard let wait = beginTryWithKnownNetworks(name, request, device) else { return nil }
        // Before a visitor has to wait, the networks are read again. The account may have signed in from this address
        // at another server, whose accounts have been copied here since.
        return await rereadKnownNetworks() ? beginTryWithKnownNetworks(name, request, device) : wait
    }

    /// Reads the networks from which accounts signed in before this server started, or at another server.
    /// - Returns: false if they were read less than half a minute ago; then nothing was done.
    @discardableResult private func rereadKnownNetworks() async -> Bool {
        guard startNetworkReadIfDue() else { return false }
        let networks = await accounts.signInNetworksByAccount()
        signInGuard.withLock { tries in
            for (account, networks) in networks { tries.addKnownNetworks(networks, of: account) }
        }
        return true
    }

    private func beginTryWithKnownNetworks(_ name: String, _ request: WebRequest, _ device: String?) -> Int64?
    {
        let now = readMilliseconds()
        return signInGuard.withLock {
            $0.beginTry(
                account: name, from: request.visitorAddress, device: device, at: now,
                isOwnMachine: request.isOwnMachine)
        }
    }

    private func startNetworkReadIfDue() -> Bool {
        let now = readMilliseconds()
        return lastNetworkRead.withLock { last in
            if let last, now - last < Self.networkReadIntervalMilliseconds { return false }
            last = now
            return true
        }
    }

    /// The browser's device mark, if it belongs to this account; otherwise nil. Anybody can send a mark, so the look-up
    /// waits for a turn among all addresses.
    private func verifiedDeviceMark(_ request: WebRequest, _ name: String) async -> String? {
        guard let mark = request.deviceMark,
            let turn = await tokenLookUpQueue.waitForTurn(
                for: .init(address: request.visitorAddress))
        else { return nil }
        defer { withExtendedLifetime(turn) {} }
        return await accounts.isDeviceMark(mark, of: name) ? mark : nil
    }

    /// Recognises a device by the mark that it sends, or as one at which somebody with an account has signed in.
    /// - Parameters:
    ///   - mark: the mark that the device's page sends.
    ///   - isNamed: true for a device that somebody has set up by its name.
    ///   - now: milliseconds since 1970.
    func recogniseDevice(
        mark: String?, signedInBefore: String?, person: WebPerson?, isNamed: Bool, atMilliseconds now: Int64
    ) async -> RecognisedDevice {
        var known: KnownDevice?
        if let mark { known = await accounts.findDevice(markedWith: mark) }
        // A mark of the future is from a clock that was wrong.
        if let device = known, device.since > now { known = nil }
        var isTrusted = person != nil
        if !isTrusted, let signedInBefore, known?.since != 0 {
            isTrusted = await accounts.findDevice(markedWith: signedInBefore) != nil
        }
        let id = known?.id ?? UInt64.random(in: 0 ... .max)
        var newMark: String?
        if known == nil || isTrusted && known?.since != 0 {
            let new = KnownDevice(id: id, since: isTrusted ? 0 : now)
            newMark = await accounts.makeMark(of: new)
            if isTrusted { known = new }
        }
        let ofTheHouse = now - KnownDevice.houseAfterMilliseconds
        if isNamed, known.map({ $0.since > ofTheHouse }) ?? true {
            known = KnownDevice(id: id, since: ofTheHouse)
        }
        return RecognisedDevice(
            known: known, isOfTheHouse: known.map { $0.since <= ofTheHouse } ?? false, newMark: newMark)
    }

    private func withdrawTry(_ name: String, _ request: WebRequest, _ device: String?) {
        signInGuard.withLock {
            $0.withdrawTry(
                account: name, from: request.visitorAddress, device: device,
                isOwnMachine: request.isOwnMachine)
        }
    }

    private func recordSuccess(
        _ person: WebPerson, _ name: String, _ request: WebRequest, _ device: String?
    ) async {
        signInGuard.withLock { $0.recordSuccess(account: name, from: request.visitorAddress, device: device) }
        await accounts.rememberNetwork(SignInGuard.network(of: request.visitorAddress), of: person)
    }

    private struct WaitingAnswer: Encodable {
        var error: String
        var code = "busy"
        /// The place among those who wait.
        var number: Int
        /// The milliseconds after which to ask again; earlier is too early.
        var again: Int
    }

    /// The answer to somebody who has to wait for others. Whoever asks again too soon is taken for a flood.
    private func waitingResponse(_ waiter: SignInQueue.Waiter) -> WebResponse {
        guard let place = queue.withLock({ $0.wait(waiter, at: .now) }) else {
            retryLimiter.withLock { _ = $0.admits(waiter.network, at: .now) }
            return Self.busyResponse
        }
        return WebResponse.json(
            WaitingAnswer(
                error:
                    "Many people are signing in; you are number \(place.number). This page signs you in by itself.",
                number: place.number, again: Int(place.askAgain / .milliseconds(1))), status: 503
        ).withHeader("Retry-After", "1")
    }

    private static let busyResponse = WebResponse.refused(
        503, "busy", "Too many people are signing in at once; try again in a few seconds."
    ).withHeader("Retry-After", "2")

    private static let wrongPasswordResponse = WebResponse.refused(
        401, "wrong-password", "Name or passphrase is wrong.")

    private static func mustWaitResponse(_ milliseconds: Int64) -> WebResponse {
        let seconds = max(1, (milliseconds + 999) / 1_000)
        return WebResponse.refused(
            429, "wait", "Too many wrong passphrases; wait \(seconds) s and try again."
        ).withHeader("Retry-After", String(seconds))
    }
}
