import Hummingbird
import HummingbirdTesting
import Synchronization
import Testing

@testable import WebServer

/// The addresses that got a turn, in order.
private final class Served: Sendable {
    let addresses = Mutex<[String]>([])
}

@Suite struct AnonymousAllotmentTests {
    private func allotment(
        atOnce: Int = 2, perAddress: Int = 2, waiting: Int = 100, waitingPerAddress: Int = 50,
        patience: Duration = .seconds(60)
    ) -> AnonymousAllotment {
        AnonymousAllotment(
            .init(
                atOnce: atOnce, atOncePerAddress: perAddress, waiting: waiting,
                waitingPerAddress: waitingPerAddress, patience: patience))
    }

    private func until(_ holds: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !holds(), .now < end { try await Task.sleep(for: .milliseconds(1)) }
        try #require(holds())
    }

    @Test func soManyAreServedAtOnceAndTheNextWhenOneIsDone() async throws {
        let allotment = allotment(perAddress: 1)
        var turns = [allotment.turnAtOnce(for: "a"), allotment.turnAtOnce(for: "b")]
        #expect(turns.allSatisfy { $0 != nil } && allotment.turnAtOnce(for: "c") == nil)
        // The turn itself would be kept to the end of the test.
        async let third = allotment.turn(for: "c") != nil
        try await until { allotment.waitingCount == 1 }
        #expect(allotment.servedCount == 2)
        turns.removeLast()
        #expect(await third)
        turns.removeAll()
        try await until { allotment.servedCount == 0 && allotment.waitingCount == 0 }
    }

    @Test func addressesTakeTurnsHoweverManyOneOfThemAsksFor() async throws {
        let allotment = allotment(atOnce: 1, perAddress: 1)
        var held = allotment.turnAtOnce(for: "z")
        let served = Served()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for address in Array(repeating: "flood", count: 30) + ["phone"] {
                let count = allotment.waitingCount
                group.addTask {
                    guard let turn = await allotment.turn(for: address) else { return }
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
        var held = allotment.turnAtOnce(for: "z")
        await withTaskGroup(of: Bool.self) { group in
            for address in ["a", "a", "b"] {
                let count = allotment.waitingCount
                group.addTask { await allotment.turn(for: address) != nil }
                while allotment.waitingCount == count { await Task.yield() }
            }
            #expect(await allotment.turn(for: "a") == nil)
            #expect(await allotment.turn(for: "c") == nil)
            withExtendedLifetime(held) {}
            held = nil
            for await isServed in group { #expect(isServed) }
        }
    }

    @Test func whoeverWaitsTooLongIsToldSo() async throws {
        let allotment = allotment(atOnce: 1, patience: .milliseconds(20))
        let held = allotment.turnAtOnce(for: "z")
        #expect(await allotment.turn(for: "a") == nil)
        #expect(allotment.waitingCount == 0)
        withExtendedLifetime(held) {}
    }

    /// Every place is taken by strangers' requests that do not end; a technician's passes, a stranger's waits.
    @Test func whoeverSignedInDoesNotWaitBehindStrangers() async throws {
        let isOpen = Mutex(false)
        let asked = Mutex(0)
        let route = WebRoute(.get, "/slow", .anybody) { request in
            asked.withLock { $0 += 1 }
            while request.query["wait"] != nil, !isOpen.withLock({ $0 }) {
                try? await Task.sleep(for: .milliseconds(1))
            }
            return .done
        }
        let stage = try Stage(routes: [route])
        let token = stage.accounts.token("ines")
        let bounds = AnonymousAllotment.Bounds.answers
        try await stage.server.application().test(.router) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<bounds.atOncePerAddress {
                    group.addTask {
                        try await client.execute(uri: "/slow?wait=1", method: .get) {
                            #expect($0.status == .ok)
                        }
                    }
                }
                try await until { asked.withLock { $0 } == bounds.atOncePerAddress }
                try await client.execute(uri: "/slow", method: .get, headers: headers(token)) {
                    #expect($0.status == .ok)
                }
                #expect(asked.withLock { $0 } == bounds.atOncePerAddress + 1)
                group.addTask {
                    try await client.execute(uri: "/slow", method: .get) { #expect($0.status == .ok) }
                }
                isOpen.withLock { $0 = true }
                try await group.waitForAll()
            }
        }
    }
}
