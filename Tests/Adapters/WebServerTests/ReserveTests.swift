import Synchronization
import Testing

@testable import TestHelpers
@testable import WebServer

/// Accounts whose checks take as long as a test wants.
private final class HeldAccounts: Accounts {
    private struct State {
        var waiting: [CheckedContinuation<Void, Never>] = []
        var first = 0
        var isOpen = false
    }

    private let state = Mutex(State())

    /// Checks that have begun and not ended.
    var held: Int { state.withLock { $0.waiting.count } }
    /// Checks that were to go before others.
    var first: Int { state.withLock { $0.first } }

    func release() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
        if first {
            // The thread that is kept for these is free.
            state.withLock { $0.first += 1 }
        } else {
            await withCheckedContinuation { one in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(one) }
                    return state.isOpen
                }
                if isOpen { one.resume() }
            }
        }
        guard password == "open sesame" else { return .wrongCredentials }
        return .signedIn(WebPerson(id: name, name: name, role: .musician), token: "token")
    }

    func findPerson(token: String) async -> WebPerson? { nil }
    func signOut(token: String) async {}
    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String?
    ) async -> PasswordChangeOutcome { .wrongPassword }
}

private final class Refused: Sendable {
    let count = Mutex(0)
}

/// The checks of passphrases, of which a machine does a few a second.
@Suite(.ownThreads) struct SignInReserveTests {
    private let accounts = HeldAccounts()
    private let desk: SignInService
    private let clock = StageClock()

    init() {
        var settings = WebSettings()
        settings.timeouts.wrongPasswordDelay = .zero
        desk = SignInService(
            accounts: accounts, settings: settings,
            readMilliseconds: { [clock] in clock.milliseconds.withLock { $0 } })
    }

    private func signIn(
        _ name: String, _ password: String, from address: String, own: Bool = false
    ) async -> Int {
        let body = Array(#"{"name":"\#(name)","password":"\#(password)"}"#.utf8)
        return await desk.signIn(
            WebRequest(
                path: "/api/login", pathParameters: [:], queryParameters: [:], rawQuery: "", person: nil,
                sessionToken: nil,
                deviceMark: nil, visitorAddress: address, isOwnMachine: own, contentType: "application/json",
                origin: "",
                body: body,
                uploadedFile: nil)
        ).status
    }

    /// Sixty addresses that guess, each several at once; returns when all places they can get are taken.
    private func guessing(_ work: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            let refused = Refused()
            for number in 0..<60 {
                for guess in 0..<4 {
                    group.addTask { [self] in
                        let status = await signIn("ines", "guess \(guess)", from: "10.0.1.\(number)")
                        if status == 503 || status == 429 { refused.count.withLock { $0 += 1 } }
                    }
                }
            }
            let most = SignInService.passwordCheckLimits.unreservedTotal
            #expect(await eventually { accounts.held + refused.count.withLock { $0 } >= 240 })
            #expect(accounts.held <= most)
            try await work()
            accounts.release()
            try await group.waitForAll()
        }
    }

    @Test func theMachineItselfSignsInWhileSixtyAddressesGuess() async throws {
        try await guessing { [self] in
            for _ in 0..<10 {
                #expect(await signIn("ines", "open sesame", from: "127.0.0.1", own: true) == 200)
            }
            #expect(accounts.first == 10)
        }
    }

    @Test func aPlaceWhereSomebodySignedInBeforeSignsInWhileOthersGuess() async throws {
        let before = Task { await signIn("ines", "open sesame", from: "10.0.0.7") }
        #expect(await eventually { accounts.held > 0 })
        accounts.release()
        #expect(await before.value == 200)
        let desk = self
        try await withThrowingTaskGroup { group in
            for number in 0..<60 {
                for guess in 0..<4 {
                    group.addTask { _ = await desk.signIn("ada", "guess \(guess)", from: "10.0.1.\(number)") }
                }
            }
            #expect(await signIn("ines", "open sesame", from: "10.0.0.7") == 200)
            try await group.waitForAll()
        }
        #expect(accounts.first == 1)
    }

    @Test func guessersLeaveHalfTheOpenPlacesToAddressesThatDidNothingWrong() {
        var allotment = ResourceQuota(SignInService.passwordCheckLimits)
        let taken = (0..<60).count { number in
            (try? allotment.takePlace(.init(address: "10.0.1.\(number)", trustLevel: .suspicious))) != nil
        }
        #expect(taken == SignInService.passwordCheckLimits.unreservedTotal / 2)
        #expect((try? allotment.takePlace(.init(address: "10.0.9.9"))) != nil)
    }

    @Test func strangersTriesElsewhereMakeNobodyAtTheMachineWait() {
        var sentry = SignInGuard()
        for number in 0..<250 { _ = sentry.beginTry(account: "ines", from: "10.0.1.\(number)", at: 0) }
        #expect(sentry.beginTry(account: "ines", from: "10.9.9.9", at: 0) != nil)
        #expect(sentry.beginTry(account: "ines", from: "127.0.0.1", at: 0, isOwnMachine: true) == nil)
        // Guessing at the machine itself is slow all the same.
        let admitted = (0..<100).count { _ in
            sentry.beginTry(account: "ines", from: "127.0.0.1", at: 0, isOwnMachine: true) == nil
        }
        #expect(admitted == 4)
    }

    @Test func standingIsWhatIsKnownOfAPlace() {
        var sentry = SignInGuard()
        func standing(_ address: String, own: Bool = false) -> ResourceQuota.TrustLevel {
            sentry.trustLevel(account: "Ines", from: address, at: 0, isOwnMachine: own)
        }
        #expect(standing("10.0.0.7") == .anybody && standing("127.0.0.1", own: true) == .ownMachine)
        _ = sentry.beginTry(account: "ines", from: "10.0.0.7", at: 0)
        #expect(standing("10.0.0.7") == .suspicious)
        sentry.recordSuccess(account: "ines", from: "10.0.0.7")
        #expect(standing("10.0.0.7") == .presumedStaff)
    }
}

/// Streams and connections, over loopback: another loopback address than the server's stands for another machine.
@Suite(.ownThreads, .serialized) struct StreamReserveTests {
    @Test func oneEditorDoesNotTakeTheConsolesStreamsFromATechnician() async throws {
        let stage = try Stage()
        let (ed, ines) = (stage.accounts.token("ed"), stage.accounts.token("ines"))
        let (open, seventeenth, technicians) = try await stage.live { port in
            let clients = try (0..<16).map { _ in try RawClient(port: port) }
            for client in clients { client.get("/api/events", token: ed) }
            var open = 0
            for client in clients where client.receive(until: "snapshot").contains("snapshot") { open += 1 }
            let more = try RawClient(port: port)
            more.get("/api/events", token: ed)
            let technician = try RawClient(port: port)
            technician.get("/api/events", token: ines)
            return (open, more.receive(until: "}"), technician.receive(until: "snapshot"))
        }
        #expect(open == 16 && technicians.hasPrefix("HTTP/1.1 200"))
        #expect(seventeenth.hasPrefix("HTTP/1.1 409") && seventeenth.contains(#""code":"too-many""#))
        #expect(seventeenth.contains("16 screens are open with your account"))
    }

    @Test func listenersOfOneAddressLeavePlacesToOthers() async throws {
        let hub = EventHub(ResourceQuota.Limits(total: 10, reserve: 2, perAddress: 4))
        let stage = try Stage(routes: [.stream("/audience", .anybody, hub)])
        let ines = stage.accounts.token("ines")
        @Sendable func status(
            _ port: Int, _ source: String, _ token: String? = nil, _ kept: inout [RawClient]
        ) throws -> String {
            let client = try RawClient(port: port, from: source)
            client.get("/audience", token: token)
            kept.append(client)
            return String(client.receive(until: "\r\n\r\n").dropFirst(9).prefix(3))
        }
        let statuses = try await stage.live { port in
            var kept: [RawClient] = []
            var statuses: [String] = []
            for source in ["127.0.0.21", "127.0.0.22", "127.0.0.23"] {
                for _ in 0..<5 { statuses.append(try status(port, source, nil, &kept)) }
            }
            // The part that is kept in reserve, for these users only.
            statuses.append(try status(port, "127.0.0.23", ines, &kept))
            statuses.append(try status(port, "127.0.0.1", nil, &kept))
            return statuses
        }
        let four = Array(repeating: "200", count: 4) + ["503"]
        #expect(statuses == four + four + Array(repeating: "503", count: 5) + ["200", "200"])
    }

    @Test func technicianReachesAServerWhoseConnectionsStrangersHold() async throws {
        let stage = try Stage {
            $0.limits.connections = 64
            $0.limits.connectionsPerAddress = 20
        }
        let token = stage.accounts.token("ines")
        let (own, tablet) = try await stage.live { port in
            let before = try RawClient(port: port, from: "127.0.0.7")
            before.get("/api/me", token: token)
            _ = before.receive(until: "}")
            let strangers = try (0..<150).map { try RawClient(port: port, from: "127.0.0.\(30 + $0 % 5)") }
            #expect(await eventually { stage.server.connectionCount >= 56 })
            let own = try RawClient(port: port)
            own.get("/healthz")
            let tablet = try RawClient(port: port, from: "127.0.0.7")
            tablet.get("/api/me", token: token)
            let answers = (own.receive(until: "}"), tablet.receive(until: "}"))
            withExtendedLifetime(strangers) {}
            return answers
        }
        #expect(own.contains(#"{"ok":true}"#) && tablet.contains(#""name":"Ines""#))
    }
}
