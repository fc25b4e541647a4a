import Platform
import Testing

@testable import WebServer

/// Stands for a connection.
final class StandIn {}

@Suite struct ConnectionCensusTests {
    private let server = "10.0.0.1"
    private let now = ContinuousClock.now

    /// Connections that stay as long as the test.
    private final class Crowd {
        var all: [StandIn] = []

        func next() -> ObjectIdentifier {
            all.append(StandIn())
            return ObjectIdentifier(all[all.count - 1])
        }
    }

    private func limiter(_ change: (inout WebSettings) -> Void = { _ in }) -> ConnectionLimiter {
        var settings = WebSettings()
        change(&settings)
        return ConnectionLimiter(
            ResourceQuota.Limits(total: 120, reserve: 16, perAddress: 40, perAccount: 10), settings: settings)
    }

    /// - Returns: how many got in.
    private func enter(_ count: Int, _ peer: String, _ limiter: ConnectionLimiter, _ crowd: Crowd) -> Int {
        (0..<count).count { _ in limiter.addConnection(crowd.next(), peer: peer, local: server, at: now) }
    }

    @Test func twoAddressesDoNotHoldEverything() {
        let (limiter, crowd) = (limiter(), Crowd())
        #expect(enter(500, "10.0.0.8", limiter, crowd) == 40 && enter(500, "10.0.0.9", limiter, crowd) == 40)
        #expect(enter(20, "10.0.0.10", limiter, crowd) == 20)
    }

    @Test func theMachineItselfGetsInWhateverOthersHold() {
        let (limiter, crowd) = (limiter(), Crowd())
        for address in 2..<200 { _ = enter(40, "10.0.1.\(address)", limiter, crowd) }
        #expect(limiter.connectionCount == 104)
        #expect(enter(1, "10.0.2.7", limiter, crowd) == 0)
        #expect(enter(100, server, limiter, crowd) == 16)
    }

    @Test func ownMachineIsWhereTheConnectionComesFromTheAddressItGoesTo() {
        let proxy = NumericAddress("127.0.0.1")!
        let origin = try? WebOrigin("https://baton.example.org")
        let plain = WebSettings()
        #expect(plain.isOwnMachine(peer: "127.0.0.1", local: "127.0.0.1"))
        #expect(plain.isOwnMachine(peer: "::ffff:10.0.0.1", local: "10.0.0.1"))
        #expect(!plain.isOwnMachine(peer: "127.0.0.2", local: "127.0.0.1"))
        #expect(!plain.isOwnMachine(peer: "10.0.0.2", local: "10.0.0.1"))
        #expect(!plain.isOwnMachine(peer: "unknown", local: nil))
        // Behind a proxy of this machine everybody comes from there.
        #expect(!WebSettings(trustedProxies: [proxy]).isOwnMachine(peer: "127.0.0.1", local: "127.0.0.1"))
        #expect(!WebSettings(furtherOrigins: [origin!]).isOwnMachine(peer: "127.0.0.1", local: "127.0.0.1"))
        #expect(
            WebSettings(furtherOrigins: [origin!], trustedProxies: [proxy])
                .isOwnMachine(peer: "10.0.0.1", local: "10.0.0.1"))
    }

    @Test func whereATechnicianWasSignedInNewConnectionsHaveSecondsToShowWhoItIs() {
        let (limiter, crowd) = (limiter(), Crowd())
        let ines = ResourceQuota.Holder(address: "10.0.0.7", account: "ines", trustLevel: .staff)
        let old = crowd.next()
        #expect(limiter.addConnection(old, peer: "10.0.0.7", local: server, at: now))
        limiter.assignToStaff(old, as: ines, at: now)
        limiter.removeConnection(old)
        for address in 2..<200 { _ = enter(40, "10.0.1.\(address)", limiter, crowd) }
        let (new, silent) = (crowd.next(), crowd.next())
        #expect(limiter.addConnection(new, peer: "10.0.0.7", local: server, at: now))
        #expect(limiter.addConnection(silent, peer: "10.0.0.7", local: server, at: now))
        // No more of them at once: somebody else may come by the same address.
        #expect(enter(20, "10.0.0.7", limiter, crowd) == 0)
        limiter.assignToStaff(new, as: ines, at: now)
        for id in crowd.all.dropFirst().map(ObjectIdentifier.init) {
            limiter.changeRequestCount(1, of: id, at: now)
        }
        #expect(limiter.closeExcessConnections(at: now + .seconds(2)) == 0)
        // The one that kept silent, and nobody else.
        #expect(limiter.closeExcessConnections(at: now + .seconds(4)) == 1)
    }

    @Test func idleConnectionsAreClosedEarlyOnlyWhileItIsTightAndNoMoreThanItTakes() {
        let (limiter, crowd) = (limiter(), Crowd())
        #expect(enter(40, "10.0.0.8", limiter, crowd) == 40)
        #expect(limiter.closeExcessConnections(at: now + .seconds(10)) == 0)
        #expect(enter(40, "10.0.0.9", limiter, crowd) == 40)
        // Of 104 places for everybody 78 are three quarters.
        #expect(limiter.connectionCount == 80)
        #expect(limiter.closeExcessConnections(at: now + .seconds(1)) == 0)
        #expect(limiter.closeExcessConnections(at: now + .seconds(3)) == 3)
        // Whoever waits for an answer, or listens, stays.
        for one in crowd.all.dropFirst(2) {
            limiter.changeRequestCount(1, of: ObjectIdentifier(one), at: now)
        }
        #expect(limiter.closeExcessConnections(at: now + .seconds(3)) == 2)
    }

    /// Closing all at once would keep event loops from everybody else's requests.
    @Test func noMoreAreClosedInASecondThanMayComeInIt() {
        let limiter = ConnectionLimiter(
            ResourceQuota.Limits(total: 6_000, reserve: 100, perAddress: 6_000), settings: WebSettings())
        let crowd = Crowd()
        #expect(enter(5_900, "10.0.0.8", limiter, crowd) == 5_900)
        #expect(
            limiter.closeExcessConnections(at: now + .seconds(3)) == ConnectionLimiter.newConnectionsPerSecond
        )
    }

    @Test func addressThatComesAgainAndAgainIsTurnedAwayUntilItSlowsDown() {
        let (limiter, crowd) = (limiter(), Crowd())
        func comeAndGo(_ count: Int, at time: ContinuousClock.Instant) -> Int {
            (0..<count).count { _ in
                let id = crowd.next()
                defer { limiter.removeConnection(id) }
                return limiter.addConnection(id, peer: "10.0.0.8", local: server, at: time)
            }
        }
        #expect(comeAndGo(1_000, at: now) == 40)
        #expect(
            comeAndGo(1_000, at: now + .milliseconds(100)) == ConnectionLimiter
                .newConnectionsPerSecondPerAddress / 10)
        #expect(comeAndGo(1_000, at: now + .seconds(60)) == 40)
        // Others, and the machine itself, do not wait for it.
        #expect(enter(10, "10.0.0.9", limiter, crowd) == 10 && enter(30, server, limiter, crowd) == 30)
        #expect(limiter.connectionCount == 40)
    }

    @Test func arrivalsOfManyAddressesTakeLittleMemory() {
        var rate = RateLimit<String>(unitsPerSecond: 10, burst: 2)
        for number in 0..<50_000 {
            let isTaken = rate.admits("\(number)", at: now + .microseconds(number))
            #expect(isTaken)
        }
        let last = (0..<3).map { _ in rate.admits("last", at: now + .seconds(1)) }
        #expect(last == [true, true, false])
        #expect(rate.count <= rate.mostKeys)
    }
}
