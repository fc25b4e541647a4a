import Synchronization
import Testing

@testable import WebServer

@Suite struct AllotmentTests {
    private let shares = ResourceQuota.Limits(total: 40, reserve: 16, perAddress: 10, perAccount: 5)

    private func holder(_ seed: inout SystemRandomNumberGenerator) -> ResourceQuota.Holder {
        let standing = ResourceQuota.TrustLevel.allCases.randomElement(using: &seed)!
        let account: String? =
            switch standing {
            case .staff: "staff \(Int.random(in: 0..<4, using: &seed))"
            case .anybody where Bool.random(using: &seed): "musician \(Int.random(in: 0..<6, using: &seed))"
            default: nil
            }
        return ResourceQuota.Holder(
            address: "10.0.0.\(Int.random(in: 0..<6, using: &seed))", account: account, trustLevel: standing)
    }

    /// Everything that is promised, counted anew from those who have a place.
    private func check(_ holders: [ResourceQuota.Holder], _ allotment: ResourceQuota) {
        let open = holders.filter { !$0.trustLevel.mayUseReserve }
        #expect(allotment.takenCount == holders.count && holders.count <= shares.total)
        #expect(open.count <= shares.total - shares.reserve, "the reserve is used by others")
        for one in Dictionary(grouping: open, by: \.network).values {
            #expect(one.count <= shares.perAddress)
        }
        let known = holders.filter { $0.account != nil }
        for one in Dictionary(grouping: known, by: \.account).values {
            #expect(one.count <= shares.perAccount)
        }
        #expect(holders.count { $0.trustLevel == .suspicious } <= open.count && shares.suspiciousLimit == 12)
        #expect(holders.count { $0.trustLevel == .suspicious } <= shares.suspiciousLimit)
        let presumed = holders.filter { $0.trustLevel == .presumedStaff }
        #expect(presumed.count <= shares.reserve / 2)
        for one in Dictionary(grouping: presumed, by: \.network).values { #expect(one.count <= 2) }
    }

    @Test func knownDevicesHavePlacesOfTheirOwnAndEarlierOnesPushLaterOnesOut() throws {
        let pool = SharedResourceQuota(
            ResourceQuota.Limits(total: 12, reserve: 2, known: 4, perAddress: 4))
        func take(_ since: Int64?, _ address: String) throws(ResourceQuota.Refusal) -> QuotaLease {
            let device = since.map { KnownDevice(id: UInt64($0), since: $0) }
            return try pool.takePlace(
                device.map { ResourceQuota.Holder(address: address, device: $0) }
                    ?? ResourceQuota.Holder(address: address))
        }
        var strangers: [QuotaLease] = []
        for number in 0..<6 { strangers.append(try take(nil, "10.0.0.\(number / 3)")) }
        #expect(throws: ResourceQuota.Refusal.full) { try take(nil, "10.0.0.9") }
        let ended = Mutex<[Int64]>([])
        var later: [QuotaLease] = []
        for since in Int64(1_000)..<1_004 {
            let lease = try take(since, "10.0.1.\(since)")
            lease.onRevocation { ended.withLock { $0.append(since) } }
            later.append(lease)
        }
        #expect(throws: ResourceQuota.Refusal.full) { try take(1_004, "10.0.2.1") }
        let hall = try take(5, "10.0.3.1")
        #expect(ended.withLock(\.self) == [1_003] && pool.takenCount == 10)
        later.removeLast()
        #expect(pool.takenCount == 10, "a place that was taken away is given back once")
        hall.giveBackPlace()
        #expect(pool.takenCount == 9)
        withExtendedLifetime((strangers, later)) {}
    }

    @Test func randomWalksKeepEveryPromise() {
        var seed = SystemRandomNumberGenerator()
        for _ in 0..<30 {
            var allotment = ResourceQuota(shares)
            var holders: [ResourceQuota.Holder] = []
            for _ in 0..<600 {
                switch Int.random(in: 0..<5, using: &seed) {
                case 0 where !holders.isEmpty:
                    allotment.giveBackPlace(holders.remove(at: Int.random(in: holders.indices, using: &seed)))
                case 1 where !holders.isEmpty:
                    let index = Int.random(in: holders.indices, using: &seed)
                    let next = holder(&seed)
                    if (try? allotment.transferPlace(holders[index], to: next)) != nil {
                        holders[index] = next
                    }
                default:
                    let next = holder(&seed)
                    if (try? allotment.takePlace(next)) != nil { holders.append(next) }
                }
                check(holders, allotment)
            }
            for holder in holders.shuffled() { allotment.giveBackPlace(holder) }
            #expect(allotment.takenCount == 0 && allotment.unreservedTakenCount == 0)
            // Whoever has given back gets it again.
            for _ in 0..<shares.perAddress {
                #expect((try? allotment.takePlace(.init(address: "10.0.0.1"))) != nil)
            }
        }
    }

    @Test func severalPlacesAreTakenAndGivenBackTogether() throws {
        var quota = ResourceQuota(shares)
        let max = ResourceQuota.Holder(address: "10.0.0.1", account: "max")
        try quota.takePlace(max, count: 4)
        #expect(throws: ResourceQuota.Refusal.accountHasItsShare(5)) { try quota.takePlace(max, count: 2) }
        try quota.takePlace(.init(address: "10.0.0.1"), count: 6)
        #expect(throws: ResourceQuota.Refusal.addressHasItsShare(10)) {
            try quota.takePlace(.init(address: "10.0.0.1"))
        }
        try quota.takePlace(.init(address: "10.0.0.2"), count: 10)
        #expect(throws: ResourceQuota.Refusal.full) {
            try quota.takePlace(.init(address: "10.0.0.3"), count: 5)
        }
        try quota.takePlace(.init(address: "10.0.0.1", trustLevel: .ownMachine), count: 20)
        #expect(quota.takenCount == 40)
        quota.giveBackPlace(max, count: 4)
        #expect(quota.takenCount == 36)
        #expect(
            shares.largestShare(of: max) == 5 && shares.largestShare(of: .init(address: "10.0.0.3")) == 10)
    }

    @Test func whateverOthersHoldThoseWhoRunTheEveningGetIn() throws {
        var allotment = ResourceQuota(shares)
        var taken = 0
        for address in 0..<250 {
            for _ in 0..<20 where (try? allotment.takePlace(.init(address: "10.0.1.\(address)"))) != nil {
                taken += 1
            }
        }
        #expect(taken == 24)
        for _ in 0..<shares.perAccount {
            try allotment.takePlace(.init(address: "10.0.1.0", account: "ines", trustLevel: .staff))
        }
        for _ in 0..<11 { try allotment.takePlace(.init(address: "127.0.0.1", trustLevel: .ownMachine)) }
        #expect(throws: ResourceQuota.Refusal.full) {
            try allotment.takePlace(.init(address: "127.0.0.1", trustLevel: .ownMachine))
        }
    }

    @Test func addressesOfOneSixtyFourBitNetworkHaveOneShare() {
        var allotment = ResourceQuota(ResourceQuota.Limits(total: 1_000, perAddress: 10))
        let taken = (0..<100).count {
            (try? allotment.takePlace(.init(address: "2001:db8:1:2:\(String($0, radix: 16))::1"))) != nil
        }
        #expect(taken == 10)
        #expect((try? allotment.takePlace(.init(address: "2001:db8:1:3::1"))) != nil)
    }

    @Test func roleSaysWhoMayUseTheReserve() {
        func standing(_ role: WebRole?, own: Bool = false) -> ResourceQuota.TrustLevel {
            let person = role.map { WebPerson(id: "7", name: "Ines", role: $0) }
            return ResourceQuota.Holder(address: "10.0.0.1", person: person, isOwnMachine: own).trustLevel
        }
        #expect([WebRole.technician, .administrator].allSatisfy { standing($0) == .staff })
        // Somebody who is known is whoever they are, also at the console's own machine.
        #expect(
            [WebRole.editor, .musician].allSatisfy {
                standing($0) == .anybody && standing($0, own: true) == .anybody
            })
        #expect(standing(nil) == .anybody && standing(nil, own: true) == .ownMachine)
    }

    @Test func placeIsGivenBackOnceAndAtTheLatestWithItsHolder() throws {
        let places = SharedResourceQuota(ResourceQuota.Limits(total: 2))
        let holder = ResourceQuota.Holder(address: "10.0.0.1")
        let kept = try places.takePlace(holder)
        for _ in 0..<5 { _ = try places.takePlace(holder) }
        #expect(places.takenCount == 1)
        kept.giveBackPlace()
        kept.giveBackPlace()
        #expect(places.takenCount == 0)
    }
}
