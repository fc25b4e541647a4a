import Testing

@testable import WebServer

/// An orchestra signs in together: everybody gets in, in the order of their arrival, and is told how long it takes.
@Suite struct SignInQueueTests {
    private struct Player {
        var waiter: SignInQueue.Waiter
        var asks: Duration
        var isIn: Duration?
        var numbers: [Int] = []
    }

    /// Simulates players who press within a second, and two checks of 150 ms at a time.
    private func play(_ players: inout [Player]) {
        let start = ContinuousClock.now
        var queue = SignInQueue()
        var places = ResourceQuota(SignInService.passwordCheckLimits)
        var checks: [(player: Int, holder: ResourceQuota.Holder, ends: Duration)] = []
        var threads = [Duration.zero, .zero]
        for step in 0..<6_000 {
            let now = Duration.milliseconds(5 * step)
            for check in checks where check.ends <= now {
                places.giveBackPlace(check.holder)
                players[check.player].isIn = check.ends
            }
            checks.removeAll { $0.ends <= now }
            for index in players.indices where players[index].isIn == nil && players[index].asks <= now {
                let waiter = players[index].waiter
                let holder = ResourceQuota.Holder(address: waiter.network)
                if queue.isAtFront(waiter, at: start + now), (try? places.takePlace(holder)) != nil {
                    queue.remove(waiter)
                    let thread = threads[0] < threads[1] ? 0 : 1
                    threads[thread] = max(threads[thread], now) + .milliseconds(150)
                    checks.append((index, holder, threads[thread]))
                    players[index].asks = .seconds(1_000)
                } else if let answer = queue.wait(waiter, at: start + now) {
                    players[index].numbers.append(answer.number)
                    players[index].asks = now + answer.askAgain
                } else {
                    Issue.record("\(waiter.account) is refused")
                    players[index].asks = now + .seconds(2)
                }
            }
        }
    }

    private func players(address: (Int) -> String) -> [Player] {
        (0..<80).map {
            Player(
                waiter: SignInQueue.Waiter(network: address($0), account: "player \($0)"),
                asks: .milliseconds($0 * 12))
        }
    }

    @Test(arguments: [false, true])
    func eightyPlayersAreInWithinTheTimeOfTheirChecks(isOneRouter: Bool) {
        var players = players { isOneRouter ? "10.0.0.1" : "10.0.1.\($0)" }
        play(&players)
        let times = players.compactMap(\.isIn)
        // 80 checks of 150 ms, two at a time, take six seconds.
        #expect(times.count == 80 && times.max()! < .seconds(8), "\(String(describing: times.max()))")
        #expect(players.count { !$0.numbers.isEmpty } > 50, "most have to wait, and are told")
        #expect(
            players.allSatisfy { $0.numbers == $0.numbers.sorted(by: >) || !isOneRouter }, "nobody falls back"
        )
    }

    @Test func aCrowdAtOneAddressKeepsOtherAddressesOutOfNothing() {
        var queue = SignInQueue()
        let now = ContinuousClock.now
        let places = (0..<SignInQueue.mostOfNetwork).compactMap {
            queue.wait(.init(network: "10.0.0.1", account: "\($0)"), at: now)
        }
        #expect(places.map(\.number) == Array(1...SignInQueue.mostOfNetwork))
        let more = queue.wait(.init(network: "10.0.0.1", account: "x"), at: now)
        let isInFront = ["10.0.0.1", "10.0.0.2"].map {
            queue.isAtFront(.init(network: $0, account: "x"), at: now)
        }
        #expect(more == nil && isInFront == [false, true])
    }

    @Test func whoeverAsksAgainTooSoonOrNotAtAllLosesThePlace() {
        var queue = SignInQueue()
        let now = ContinuousClock.now
        /// Asks as somebody after milliseconds, and gives the number.
        func ask(_ account: String, _ milliseconds: Int) -> Int? {
            queue.wait(.init(network: "10.0.0.1", account: account), at: now + .milliseconds(milliseconds))?
                .number
        }
        let first = [ask("a", 0), ask("b", 0)]
        #expect(first == [1, 2])
        let again = [ask("b", 10), ask("b", 1_000)]
        #expect(again == [nil, 2], "too soon, then in time")
        let isInFront = queue.isAtFront(.init(network: "10.0.0.1", account: "b"), at: now + .seconds(5))
        let last = ask("b", 5_000)
        #expect(isInFront && last == 1, "the first one has gone")
    }
}
