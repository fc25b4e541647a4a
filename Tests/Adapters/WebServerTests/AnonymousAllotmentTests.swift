import Glibc
import Hummingbird
import HummingbirdTesting
import Synchronization
import Testing

@testable import TestHelpers
@testable import WebServer

/// The addresses that got a turn, in order.
private final class Served: Sendable {
    let addresses = Mutex<[String]>([])
}

@Suite(.ownThreads) struct AnonymousAllotmentTests {
    private func allotment(
        atOnce: Int = 2, perAddress: Int = 2, waiting: Int = 100, waitingPerAddress: Int = 50,
        patience: Duration = .seconds(60)
    ) -> AnonymousRequestQueue {
        AnonymousRequestQueue(
            .init(
                mostServedAtOnce: atOnce, mostServedAtOncePerAddress: perAddress, mostWaiting: waiting,
                mostWaitingPerAddress: waitingPerAddress, longestWait: patience))
    }

    private func until(_ holds: () -> Bool) async throws {
        try #require(await eventually(holds))
    }

    @Test func soManyAreServedAtOnceAndTheNextWhenOneIsDone() async throws {
        let allotment = allotment(perAddress: 1)
        var turns = [allotment.takeTurnIfFree(for: "a"), allotment.takeTurnIfFree(for: "b")]
        #expect(turns.allSatisfy { $0 != nil } && allotment.takeTurnIfFree(for: "c") == nil)
        // The turn itself would be kept to the end of the test.
        async let third = allotment.waitForTurn(for: "c") != nil
        try await until { allotment.waitingCount == 1 }
        #expect(allotment.servedCount == 2)
        turns.removeLast()
        #expect(await third)
        turns.removeAll()
        try await until { allotment.servedCount == 0 && allotment.waitingCount == 0 }
    }

    @Test func addressesTakeTurnsHoweverManyOneOfThemAsksFor() async throws {
        let allotment = allotment(atOnce: 1, perAddress: 1)
        var held = allotment.takeTurnIfFree(for: "z")
        let served = Served()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for address in Array(repeating: "flood", count: 30) + ["phone"] {
                let count = allotment.waitingCount
                group.addTask {
                    guard let turn = await allotment.waitForTurn(for: address) else { return }
                    served.addresses.withLock { $0.append(address) }
                    withExtendedLifetime(turn) {}
                }
                try await until { allotment.waitingCount == count + 1 }
            }
            withExtendedLifetime(held) {}
            held = nil
            try await group.waitForAll()
        }
        let order = served.addresses.withLock { $0 }
        #expect(order.count == 31)
        #expect(order.firstIndex(of: "phone") == 1)
    }

    @Test func whatWaitsIsBoundedForOneAddressAndForAll() async throws {
        let allotment = allotment(atOnce: 1, waiting: 3, waitingPerAddress: 2)
        var held = allotment.takeTurnIfFree(for: "z")
        await withTaskGroup(of: Bool.self) { group in
            for address in ["a", "a", "b"] {
                let count = allotment.waitingCount
                group.addTask { await allotment.waitForTurn(for: address) != nil }
                while allotment.waitingCount == count { await Task.yield() }
            }
            #expect(await allotment.waitForTurn(for: "a") == nil)
            #expect(await allotment.waitForTurn(for: "c") == nil)
            withExtendedLifetime(held) {}
            held = nil
            for await isServed in group { #expect(isServed) }
        }
    }

    @Test func whoeverWaitsTooLongIsToldSo() async throws {
        let allotment = allotment(atOnce: 1, patience: .milliseconds(20))
        let held = allotment.takeTurnIfFree(for: "z")
        #expect(await allotment.waitForTurn(for: "a") == nil)
        #expect(allotment.waitingCount == 0)
        withExtendedLifetime(held) {}
    }

    /// Every place is taken by strangers' requests that do not end; a technician's passes, a stranger's waits.
    @Test func whoeverSignedInDoesNotWaitBehindStrangers() async throws {
        let isOpen = Mutex(false)
        let asked = Mutex(0)
        let route = WebRoute(.get, "/slow", .anybody) { request in
            asked.withLock { $0 += 1 }
            if request.queryParameters["wait"] != nil { _ = await eventually { isOpen.withLock { $0 } } }
            return .succeeded
        }
        let stage = try Stage(routes: [route])
        let token = stage.accounts.token("ines")
        let bounds = AnonymousRequestQueue.Limits.forResponses
        try await stage.server.makeApplication().test(.router) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<bounds.mostServedAtOncePerAddress {
                    group.addTask {
                        try await client.execute(uri: "/slow?wait=1", method: .get) {
                            #expect($0.status == .ok)
                        }
                    }
                }
                try await until { asked.withLock { $0 } == bounds.mostServedAtOncePerAddress }
                try await client.execute(uri: "/slow", method: .get, headers: headers(token)) {
                    #expect($0.status == .ok)
                }
                #expect(asked.withLock { $0 } == bounds.mostServedAtOncePerAddress + 1)
                group.addTask {
                    try await client.execute(uri: "/slow", method: .get) { #expect($0.status == .ok) }
                }
                isOpen.withLock { $0 = true }
                try await group.waitForAll()
            }
        }
    }

    /// Answers for strangers that keep their thread busy, on as many connections as may be served at once.
    @Test func answersForStrangersKeepNoThreadOfOthers() async throws {
        let isOpen = Mutex(false)
        let begun = Mutex(0)
        let route = WebRoute(.get, "/work", .anybody) { _ in
            begun.withLock { $0 += 1 }
            while !isOpen.withLock({ $0 }) { sched_yield() }
            return .succeeded
        }
        let stage = try Stage(routes: [route])
        let token = stage.accounts.token("ines")
        try await stage.server.makeApplication().test(.router) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<AnonymousRequestQueue.Limits.forResponses.mostServedAtOncePerAddress {
                    group.addTask {
                        try await client.execute(uri: "/work", method: .get) { #expect($0.status == .ok) }
                    }
                }
                try await until { begun.withLock { $0 } > 0 }
                for _ in 0..<20 {
                    try await client.execute(uri: "/api/me", method: .get, headers: headers(token)) {
                        #expect($0.status == .ok)
                    }
                }
                #expect(begun.withLock { $0 } == 1)
                isOpen.withLock { $0 = true }
                try await group.waitForAll()
            }
        }
    }

    /// Whoever has no account may show any cookie to sign out, or mark of a device to sign in.
    @Test func inventedTokensAndMarksAreLookedUpInTurn() async throws {
        let accounts = SlowAccounts()
        let desk = SignInService(accounts: accounts, settings: WebSettings(), readMilliseconds: { 0 })
        let most = AnonymousRequestQueue.Limits.forTokenLookUps.mostServedAtOncePerAddress
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { _ = await desk.signOut(Self.request(token: "invented\(number)")) }
                group.addTask { _ = await desk.signIn(Self.request(device: "invented\(number)")) }
            }
            try await until { accounts.looking.withLock { $0 } == most }
            accounts.isOpen.withLock { $0 = true }
            try await group.waitForAll()
        }
        #expect(accounts.mostLooking.withLock { $0 } == most)
    }

    private static func request(token: String? = nil, device: String? = nil) -> WebRequest {
        WebRequest(
            path: "", pathParameters: [:], queryParameters: [:], rawQuery: "", person: nil,
            sessionToken: token,
            deviceMark: device,
            visitorAddress: "10.0.0.8", isOwnMachine: false, contentType: "application/json", origin: "",
            body: Array(#"{"name":"ines","password":"a guess"}"#.utf8), uploadedFile: nil)
    }
}

/// Accounts that look things up for as long as a test wants, and remember how many at once.
private final class SlowAccounts: Accounts {
    let isOpen = Mutex(false)
    let looking = Mutex(0)
    let mostLooking = Mutex(0)

    private func look() async {
        let count = looking.withLock { looking in
            looking += 1
            return looking
        }
        mostLooking.withLock { $0 = max($0, count) }
        _ = await eventually { isOpen.withLock { $0 } }
        looking.withLock { $0 -= 1 }
    }

    func findPerson(token: String) async -> WebPerson? {
        await look()
        return nil
    }

    func isDeviceMark(_ mark: String, of name: String) async -> Bool {
        await look()
        return false
    }

    func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
        .failed(sentence: "Nobody signs in.")
    }

    func signOut(token: String) async {}
    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String?
    ) async -> PasswordChangeOutcome { .wrongPassword }
}
