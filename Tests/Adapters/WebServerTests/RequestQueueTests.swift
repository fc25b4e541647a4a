import Glibc
import Hummingbird
import RouterTesting
import Synchronization
import Testing

@testable import TestHelpers
@testable import WebServer

/// The addresses that got a turn, in order.
private final class Served: Sendable {
    let addresses = Mutex<[String]>([])
}

@Suite(.ownThreads) struct RequestQueueTests {
    private func allotment(
        atOnce: Int = 2, perAddress: Int = 2, waiting: Int = 100, waitingPerAddress: Int = 50,
        patience: Duration = .seconds(600)
    ) -> RequestQueue {
        RequestQueue(
            .init(
                quota: .init(total: atOnce, perAddress: perAddress), mostWaiting: waiting,
                mostWaitingPerOwner: waitingPerAddress, longestWait: patience))
    }

    private func until(_ holds: () -> Bool) async throws {
        try #require(await eventually(holds))
    }

    @Test func soManyAreServedAtOnceAndTheNextWhenOneIsDone() async throws {
        let allotment = allotment(perAddress: 1)
        var turns = [
            allotment.takeTurnIfFree(for: .init(address: "a")),
            allotment.takeTurnIfFree(for: .init(address: "b")),
        ]
        #expect(turns.allSatisfy { $0 != nil } && allotment.takeTurnIfFree(for: .init(address: "c")) == nil)
        // The turn itself would be kept to the end of the test.
        async let third = allotment.waitForTurn(for: .init(address: "c")) != nil
        try await until { allotment.waitingCount == 1 }
        #expect(allotment.servedCount == 2)
        turns.removeLast()
        #expect(await third)
        turns.removeAll()
        try await until { allotment.servedCount == 0 && allotment.waitingCount == 0 }
    }

    @Test func addressesTakeTurnsHoweverManyOneOfThemAsksFor() async throws {
        let allotment = allotment(atOnce: 1, perAddress: 1)
        var held = allotment.takeTurnIfFree(for: .init(address: "z"))
        let served = Served()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for address in Array(repeating: "flood", count: 30) + ["phone"] {
                let count = allotment.waitingCount
                group.addTask {
                    guard let turn = await allotment.waitForTurn(for: .init(address: address)) else { return }
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
        var held = allotment.takeTurnIfFree(for: .init(address: "z"))
        await withTaskGroup(of: Bool.self) { group in
            for address in ["a", "a", "b"] {
                let count = allotment.waitingCount
                group.addTask { await allotment.waitForTurn(for: .init(address: address)) != nil }
                while allotment.waitingCount == count { await Task.yield() }
            }
            #expect(await allotment.waitForTurn(for: .init(address: "a")) == nil)
            #expect(await allotment.waitForTurn(for: .init(address: "c")) == nil)
            withExtendedLifetime(held) {}
            held = nil
            for await isServed in group { #expect(isServed) }
        }
    }

    @Test func thoseWhoRunTheEveningHaveAReserveAndComeFirst() async throws {
        let queue = RequestQueue(
            .init(
                quota: .init(total: 3, reserve: 1, perAddress: 2, perAccount: 1), longestWait: .seconds(600)))
        let ines = ResourceQuota.Holder(address: "a", account: "ines", trustLevel: .staff)
        let ada = ResourceQuota.Holder(address: "a", account: "ada", trustLevel: .staff)
        var strangers = [
            queue.takeTurnIfFree(for: .init(address: "a")), queue.takeTurnIfFree(for: .init(address: "a")),
        ]
        #expect(queue.takeTurnIfFree(for: .init(address: "b")) == nil)
        let reserved = queue.takeTurnIfFree(for: ines)
        #expect(reserved != nil && queue.takeTurnIfFree(for: ines) == nil)
        let served = Served()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, holder) in [("stranger", ResourceQuota.Holder(address: "b")), ("ada", ada)] {
                let count = queue.waitingCount
                group.addTask {
                    let turn = try #require(await queue.waitForTurn(for: holder))
                    served.addresses.withLock { $0.append(name) }
                    withExtendedLifetime(turn) {}
                }
                try await until { queue.waitingCount == count + 1 }
            }
            // Two places that become free at once would be taken at once, in any order.
            strangers.removeFirst()
            try await until { !served.addresses.withLock { $0.isEmpty } }
            strangers.removeAll()
            try await group.waitForAll()
        }
        #expect(served.addresses.withLock { $0 } == ["ada", "stranger"])
        withExtendedLifetime((strangers, reserved)) {}
    }

    /// An account's text of 10 MB counts as the account's whole share, and waits until it has it.
    @Test func aLargeRequestTakesSeveralPlacesAtMostAWholeShare() async throws {
        let queue = RequestQueue(
            .init(
                quota: .init(total: 10, perAddress: 8, perAccount: 4), mostWaitingFurtherPlaces: 3,
                longestWait: .milliseconds(20)))
        let max = ResourceQuota.Holder(address: "a", account: "max")
        let nora = ResourceQuota.Holder(address: "a", account: "nora")
        let large = queue.takeTurnIfFree(for: max, placeCount: 300)
        #expect(large != nil && queue.servedCount == 4)
        #expect(queue.takeTurnIfFree(for: max) == nil)
        let other = queue.takeTurnIfFree(for: nora, placeCount: 3)
        #expect(other != nil && queue.servedCount == 7)
        async let waits = queue.waitForTurn(for: max, placeCount: 4)
        try await until { queue.waitingCount == 1 }
        // The memory of what waits is limited too.
        #expect(await queue.waitForTurn(for: nora, placeCount: 3) == nil)
        #expect(await waits == nil && queue.waitingCount == 0)
        withExtendedLifetime((large, other)) {}
    }

    @Test func whoeverWaitsTooLongIsToldSo() async throws {
        let allotment = allotment(atOnce: 1, patience: .milliseconds(20))
        let held = allotment.takeTurnIfFree(for: .init(address: "z"))
        #expect(await allotment.waitForTurn(for: .init(address: "a")) == nil)
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
        let bounds = RequestQueue.Limits.forResponses
        try await stage.server.makeApplication().test { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<bounds.quota.perAddress {
                    group.addTask {
                        try await client.execute(uri: "/slow?wait=1", method: .get) {
                            #expect($0.status == .ok)
                        }
                    }
                }
                try await until { asked.withLock { $0 } == bounds.quota.perAddress }
                try await client.execute(uri: "/slow", method: .get, headers: headers(token)) {
                    #expect($0.status == .ok)
                }
                #expect(asked.withLock { $0 } == bounds.quota.perAddress + 1)
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
        try await stage.server.makeApplication().test { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<RequestQueue.Limits.forResponses.quota.perAddress {
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
        let most = RequestQueue.Limits.forTokenLookUps.quota.perAddress
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
