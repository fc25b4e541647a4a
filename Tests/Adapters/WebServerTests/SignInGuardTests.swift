import Testing

@testable import WebServer

@Suite struct SignInGuardTests {
    private func fail(
        _ tries: Int, _ sentry: inout SignInGuard, account: String = "ines",
        from address: String = "10.0.0.1",
        at now: Int64
    ) -> Int64? {
        var last: Int64?
        for _ in 0..<tries { last = sentry.beginTry(account: account, from: address, at: now) }
        return last
    }

    @Test func fiveTriesAreFreeThenTheWaitDoubles() {
        var sentry = SignInGuard()
        #expect(fail(5, &sentry, at: 0) == nil)
        var (now, waits): (Int64, [Int64]) = (0, [])
        for _ in 0..<9 {
            let wait = sentry.beginTry(account: "ines", from: "10.0.0.1", at: now) ?? 0
            waits.append(wait)
            now += wait
            #expect(sentry.beginTry(account: "ines", from: "10.0.0.1", at: now) == nil)
        }
        #expect(waits == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
    }

    @Test func triesWhileWaitingDoNotProlongTheWait() {
        var sentry = SignInGuard()
        _ = fail(5, &sentry, at: 0)
        for now in stride(from: Int64(0), to: 1_000, by: 10) {
            #expect(fail(1, &sentry, at: now) == 1_000 - now)
        }
        #expect(fail(1, &sentry, at: 1_000) == nil)
    }

    @Test func aThousandAtOnceAreAThousand() {
        var sentry = SignInGuard()
        let admitted = (0..<1_000).count { _ in
            sentry.beginTry(account: "ines", from: "10.0.0.1", at: 0) == nil
        }
        #expect(admitted == 5)
    }

    @Test func oneAddressCannotTryManyAccounts() {
        var sentry = SignInGuard()
        let admitted = (0..<1_000).count {
            sentry.beginTry(account: "account \($0)", from: "10.0.0.1", at: 0) == nil
        }
        #expect(admitted == 20)
    }

    @Test func manyAddressesCannotTryOneAccount() {
        var sentry = SignInGuard()
        let admitted = (0..<250).count {
            sentry.beginTry(account: "ines", from: "10.0.1.\($0)", at: 0) == nil
        }
        #expect(admitted == 10)
    }

    @Test func lockedAccountDoesNotLockOthers() {
        var sentry = SignInGuard()
        for number in 0..<250 { _ = fail(1, &sentry, from: "10.0.1.\(number)", at: 0) }
        #expect(sentry.beginTry(account: "ines", from: "10.9.9.9", at: 0) != nil)
        #expect(sentry.beginTry(account: "ada", from: "10.9.9.9", at: 0) == nil)
    }

    @Test func nobodyCanShutTheTechnicianOutOfAKnownPlace() {
        var sentry = SignInGuard()
        _ = sentry.beginTry(account: "Ines", from: "10.0.0.7", at: 0)
        sentry.recordSuccess(account: "Ines", from: "10.0.0.7")
        for number in 0..<250 { _ = fail(3, &sentry, from: "10.0.1.\(number)", at: 1_000) }
        #expect(sentry.beginTry(account: "ines", from: "10.0.0.8", at: 1_000) != nil)
        #expect(sentry.beginTry(account: "ines", from: "10.0.0.7", at: 1_000) == nil)
    }

    @Test func aKnownPlaceMayNotGuessForEver() {
        var sentry = SignInGuard()
        _ = sentry.beginTry(account: "ines", from: "10.0.0.7", at: 0)
        sentry.recordSuccess(account: "ines", from: "10.0.0.7")
        let admitted = (0..<100).count { _ in sentry.beginTry(account: "ines", from: "10.0.0.7", at: 1) == nil
        }
        #expect(admitted == 5)
    }

    @Test func ownAccountDoesNotResetTheCountOfAnAddress() {
        var sentry = SignInGuard()
        var admitted = 0
        for number in 0..<200 {
            if sentry.beginTry(account: "victim \(number)", from: "10.0.0.1", at: 0) == nil { admitted += 1 }
            if sentry.beginTry(account: "mallory", from: "10.0.0.1", at: 0) == nil {
                sentry.recordSuccess(account: "mallory", from: "10.0.0.1")
            }
        }
        #expect(admitted <= 20)
    }

    @Test func tryThatCouldNotBeCheckedCountsForNothing() {
        var sentry = SignInGuard()
        for _ in 0..<100 {
            #expect(sentry.beginTry(account: "ines", from: "10.0.0.1", at: 0) == nil)
            sentry.withdrawTry(account: "ines", from: "10.0.0.1")
        }
        #expect(fail(5, &sentry, at: 0) == nil)
    }

    @Test func spellingsOfANameAreOneAccount() {
        var sentry = SignInGuard()
        let names = ["ines", "INES", " ines", "I nes", "iNeS", "ines "]
        #expect(names.count { sentry.beginTry(account: $0, from: "10.0.0.1", at: 0) == nil } == 5)
    }

    @Test func aNameInOtherLettersIsTheSameAccount() {
        var sentry = SignInGuard()
        // Full width, a ligature, Kelvin's sign, an accent of its own: NFKC makes them one.
        let names = [
            "office k\u{E9}", "\u{FF4F}\u{FF46}\u{FF46}ice ké", "o\u{FB03}ce \u{212A}e\u{301}", "OFFICE KÉ",
        ]
        #expect(
            (0..<20).count { sentry.beginTry(account: names[$0 % 4], from: "10.0.0.1", at: 0) == nil } == 5)
    }

    @Test func aDeviceThatWasSignedInBeforeIsCountedByItselfAlone() {
        var sentry = SignInGuard()
        // From its own address, from many others, and against this very account.
        for number in 0..<250 { _ = fail(6, &sentry, from: "10.0.1.\(number)", at: 1_000) }
        #expect(fail(1, &sentry, from: "10.0.1.7", at: 1_000) != nil)
        #expect(sentry.beginTry(account: "ines", from: "10.0.1.7", device: "mark", at: 1_000) == nil)
        sentry.recordSuccess(account: "ines", from: "10.0.1.7", device: "mark")
        let admitted = (0..<100).count { _ in
            sentry.beginTry(account: "ines", from: "10.0.1.7", device: "mark", at: 1_000) == nil
        }
        #expect(admitted == 5)
    }

    @Test func addressesOfBeforeAreRecalledBehindThoseKnownNow() {
        var sentry = SignInGuard()
        _ = sentry.beginTry(account: "ines", from: "10.0.0.7", at: 0)
        sentry.recordSuccess(account: "ines", from: "10.0.0.7")
        sentry.addKnownNetworks((0..<40).map { "10.0.2.\($0)" }, of: "Ines")
        for number in 0..<250 { _ = fail(1, &sentry, from: "10.0.1.\(number)", at: 1_000) }
        #expect(sentry.beginTry(account: "ines", from: "10.0.0.7", at: 1_000) == nil)
        #expect(sentry.beginTry(account: "ines", from: "10.0.2.39", at: 1_000) == nil)
        #expect(sentry.beginTry(account: "ines", from: "10.0.2.0", at: 1_000) != nil)
    }

    @Test func countsAreForgottenAfterAQuarterOfAnHour() {
        var sentry = SignInGuard()
        _ = fail(5, &sentry, at: 0)
        #expect(fail(5, &sentry, at: SignInGuard.countLifetimeMilliseconds) == nil)
    }

    @Test func memoryIsBoundedAndRecentCountsStay() {
        var sentry = SignInGuard()
        for number in 0..<30_000 {
            _ = sentry.beginTry(
                account: "account \(number)", from: "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)",
                at: Int64(number))
        }
        _ = fail(5, &sentry, at: 30_000)
        for number in 0..<100 {
            _ = sentry.beginTry(account: "b\(number)", from: "11.0.0.\(number)", at: 30_001)
        }
        #expect(fail(1, &sentry, at: 30_002) != nil)
        let mirror =
            Mirror(reflecting: sentry).children.first { $0.label == "tryCounts" }?.value as? any Collection
        #expect((mirror?.count ?? .max) <= SignInGuard.mostCounts)
    }

    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"), ("2001:db8::1", "2001:db8:0:0::/64"),
        ("::1", "0:0:0:0::/64"),
        ("fe80::1%eth0", "fe80:0:0:0::/64"), ("::ffff:10.0.0.1", "::ffff:10.0.0.1"), ("unknown", "unknown"),
    ])
    func networksOfSixtyFourBitsAreOneAddress(address: String, network: String) {
        #expect(SignInGuard.network(of: address) == network)
    }
}
