import Hummingbird
import RouterTesting
import Testing

@testable import WebServer

/// Passwords, cookies and the waits after wrong ones.
extension FrontDoorTests {
    @Test func rightPasswordGivesACookieThatOpensTheConsole() async throws {
        let response = try await signIn("ines", "open sesame")
        #expect(response.status == .ok)
        #expect(String(buffer: response.body) == #"{"name":"Ines","role":"technician","signIn":true}"#)
        let cookie = try #require(response.headers[values: .setCookie].first)
        let attributes = Set(cookie.split(separator: "; ").dropFirst())
        #expect(attributes == ["Path=/", "HttpOnly", "SameSite=Strict", "Max-Age=2592000"])
        let token = try #require(SessionCookie.readToken(in: [cookie]))
        #expect(try await ask("/console", .get, headers(token)).status == .ok)
        #expect(try await ask("/api/me", .get, headers(token)).status == .ok)
    }

    /// The proxy speaks TLS; from it to the server it is plain.
    @Test func behindAProxyWithTLSCookiesAreForTLSAlone() async throws {
        let stage = try Stage { $0.furtherOrigins = [try! WebOrigin("https://baton.example.org")] }
        try await stage.server.makeApplication().test { client in
            let body = ByteBuffer(string: #"{"name":"ines","password":"open sesame"}"#)
            try await client.execute(uri: "/api/login", method: .post, headers: headers(), body: body) {
                #expect($0.status == .ok)
                let cookies = $0.headers[values: .setCookie]
                #expect(cookies.count == 2 && cookies.allSatisfy { $0.contains("; Secure") })
                #expect($0.headers[.strictTransportSecurity] == SecurityHeaders.strictTransportSecurityValue)
            }
        }
    }

    @Test func wrongPasswordAndUnknownNameAreToldAlike() async throws {
        let (wrong, unknown) = (try await signIn("ines", "nonsense"), try await signIn("nobody", "nonsense"))
        #expect(wrong.status == .unauthorized && unknown.status == .unauthorized)
        #expect(String(buffer: wrong.body) == String(buffer: unknown.body))
        #expect(wrong.headers[.setCookie] == nil)
    }

    @Test func sixthWrongPasswordWaitsAndIsNotChecked() async throws {
        for _ in 0..<5 { #expect(try await signIn("ines", "nonsense").status == .unauthorized) }
        let response = try await signIn("ines", "open sesame")
        #expect(response.status == .tooManyRequests && code(response) == "wait")
        #expect(response.headers[.retryAfter] == "1")
        #expect(stage.accounts.checked == 5)
        #expect(try await signIn("ada", "open sesame").status == .ok)
        stage.clock.milliseconds.withLock { $0 += 999 }
        #expect(try await signIn("ines", "open sesame").status == .tooManyRequests)
        stage.clock.milliseconds.withLock { $0 += 1 }
        #expect(try await signIn("ines", "open sesame").status == .ok)
    }

    @Test func wrongPasswordTakesItsTime() async throws {
        let slow = try Stage { $0.timeouts.wrongPasswordDelay = .milliseconds(150) }
        let time = try await ContinuousClock().measure {
            _ = try await slow.server.makeApplication().test { client in
                try await client.execute(
                    uri: "/api/login", method: .post, headers: headers(),
                    body: ByteBuffer(string: #"{"name":"x","password":"y"}"#)
                ) { $0 }
            }
        }
        #expect(time >= .milliseconds(150))
    }

    @Test func signingOutEndsTheSignIn() async throws {
        let token = stage.accounts.token("ines")
        let response = try await ask("/api/logout", .post, headers(token))
        #expect(response.headers[.setCookie]?.contains("Max-Age=0") == true)
        #expect(try await ask("/api/me", .get, headers(token)).status == .unauthorized)
        #expect(try await ask("/api/logout", .post, headers()).status == .ok)
    }

    @Test func passwordIsChangedByWhoKnowsTheOldOne() async throws {
        let token = stage.accounts.token("ines")
        func change(_ old: String, _ new: String) async throws -> TestResponse {
            try await ask(
                "/api/account/password", .post, headers(token), body: #"{"old":"\#(old)","new":"\#(new)"}"#)
        }
        #expect(try await change("nonsense", "four words of mine").status == .forbidden)
        #expect(try await change("open sesame", "short").status == .unprocessableContent)
        #expect(try await change("open sesame", "four words of mine").status == .ok)
    }

    @Test func whatCouldNotBeCheckedCountsForNothing() async throws {
        stage.accounts.hasMemory.withLock { $0 = false }
        for _ in 0..<30 {
            let response = try await signIn("ines", "open sesame")
            #expect(response.status == .serviceUnavailable && code(response) == "busy")
        }
        let token = stage.accounts.token("ines")
        for _ in 0..<30 {
            let response = try await ask(
                "/api/account/password", .post, headers(token),
                body: #"{"old":"open sesame","new":"four words"}"#)
            #expect(response.status == .serviceUnavailable)
        }
        stage.accounts.hasMemory.withLock { $0 = true }
        #expect(try await signIn("ines", "open sesame").status == .ok)
    }

    @Test func aNewPassphraseThatBreaksTheRulesIsNoWrongGuessOfTheOld() async throws {
        let token = stage.accounts.token("ines")
        for _ in 0..<30 {
            let response = try await ask(
                "/api/account/password", .post, headers(token), body: #"{"old":"open sesame","new":"short"}"#)
            #expect(response.status == .unprocessableContent)
        }
    }

    /// Strangers at many addresses guess at an account of a server that has just started.
    @Test func whoeverSignedInFromHereBeforeTheRestartDoesNotWait() async throws {
        let desk = SignInService(
            accounts: stage.accounts, settings: stage.quickSettings, readMilliseconds: { 1_000_000 })
        func signIn(_ password: String, from address: String) async -> Int {
            let body = Array(#"{"name":"ines","password":"\#(password)"}"#.utf8)
            return await desk.signIn(
                WebRequest(
                    path: "/api/login", pathParameters: [:], queryParameters: [:], rawQuery: "", person: nil,
                    sessionToken: nil,
                    deviceMark: nil, visitorAddress: address, isOwnMachine: false,
                    contentType: "application/json",
                    origin: "",
                    body: body, uploadedFile: nil)
            ).status
        }
        stage.accounts.networksBefore.withLock { $0 = ["Ines": ["10.1.1.1", "2001:db8:1:2::/64"]] }
        for number in 0..<20 { _ = await signIn("nonsense", from: "10.0.0.\(number)") }
        #expect(await signIn("open sesame", from: "10.1.1.2") == 429)
        #expect(await signIn("open sesame", from: "10.1.1.1") == 200)
        for number in 20..<60 { _ = await signIn("nonsense", from: "10.0.0.\(number)") }
        #expect(await signIn("open sesame", from: "2001:db8:1:2::77") == 200)
        #expect(stage.accounts.remembered.withLock { $0 } == ["10.1.1.1", "2001:db8:1:2::/64"])
    }

    @Test func aBrowserThatWasSignedInBeforeIsNotMadeToWaitByOthers() async throws {
        let first = try await signIn("ines", "open sesame")
        let mark = try #require(DeviceCookie.readMark(in: first.headers[values: .setCookie]))
        for _ in 0..<30 { _ = try await signIn("ines", "nonsense") }
        #expect(try await signIn("ines", "open sesame").status == .tooManyRequests)
        #expect(try await signIn("ines", "open sesame", device: mark).status == .ok)
        #expect(try await signIn("ines", "open sesame", device: "invented").status == .tooManyRequests)
    }

    @Test func aStrangersTokenEndsNothing() async throws {
        #expect(try await ask("/api/logout", .post, headers("invented")).status == .ok)
        #expect(stage.accounts.endedTokens.withLock { $0.isEmpty })
    }

    @Test func withoutSignInEverybodyAtTheMachineMayDoEverything() async throws {
        let open = try Stage { $0.signInRequirement = .notNeeded }
        try await open.server.makeApplication().test { client in
            try await client.execute(uri: "/api/me", method: .get) {
                let me = String(buffer: $0.body)
                #expect(me.hasPrefix(#"{"name":"local","#))
                #expect(me.hasSuffix(#""role":"administrator","signIn":false}"#))
            }
            try await client.execute(
                uri: "/api/command", method: .post, headers: headers(),
                body: ByteBuffer(string: #"{"command":"go"}"#)
            ) { #expect($0.status == .ok) }
        }
        #expect(open.desk.people == ["local"])
    }
}
