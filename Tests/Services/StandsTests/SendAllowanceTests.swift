import Rehearsal
import Testing

@testable import Hosting
@testable import Stands

@Suite struct SendAllowanceTests {
    private let key = StandKey(user: roomID(21), stand: roomID(7))

    @Test func standThatWasAwayDeliversEverythingAndAFloodIsSlowedDown() {
        var allowance = StandRateLimit()
        #expect(allowance.charge(200, by: key, at: 0) == nil)
        #expect(allowance.charge(200, by: key, at: 0) == nil)
        #expect(allowance.charge(1, by: key, at: 0) == 20)
        #expect(allowance.charge(1, by: key, at: 20) == nil)
        #expect(allowance.charge(50, by: key, at: 1_020) == nil)
        #expect(allowance.charge(51, by: key, at: 2_020) != nil)
    }

    @Test func manyStandsOfOneUserShareAFew() {
        var allowance = StandRateLimit()
        let waits = (0..<10).map { number in
            allowance.charge(
                400, by: StandKey(user: roomID(21), stand: roomID(UInt64(number))), at: 0)
        }
        #expect(waits.prefix(4).allSatisfy { $0 == nil } && waits[4] != nil)
        #expect(allowance.charge(1, by: StandKey(user: roomID(22), stand: roomID(1)), at: 0) == nil)
    }

    @Test func strangersByTheThousandTakeLittleMemory() {
        var allowance = StandRateLimit()
        for number in 0..<40_000 {
            _ = allowance.charge(
                1, by: StandKey(user: roomID(UInt64(100 + number)), stand: roomID(7)), at: Int64(number))
        }
        #expect(allowance.count <= 10_002)
    }
}
