import Testing

@testable import Hosting
@testable import Performance
@testable import TestHelpers

@Suite struct ServeProbesTests {
    @Test func aFolderHasRoomAndOneThatIsNotThereSaysNothing() {
        #expect((DiskReserve.diskSpace("/")?.free ?? 0) > 0)
        #expect(DiskReserve.diskSpace("/there-is-no-such-folder") == nil)
    }

    @Test func aBatteryCountsOnlyWhileItIsUsed() throws {
        let folder = try ServeFolder()
        #expect(SystemProbes.batteryPercent(below: folder.path) == nil)
        try folder.write("Mains\n", to: "AC/type")
        try folder.write("Battery\n", to: "BAT0/type")
        try folder.write("87\n", to: "BAT0/capacity")
        try folder.write("Charging\n", to: "BAT0/status")
        #expect(SystemProbes.batteryPercent(below: folder.path) == nil)
        try folder.write("Discharging\n", to: "BAT0/status")
        #expect(SystemProbes.batteryPercent(below: folder.path) == 87)
    }

    @Test func aCarrierIsSteadyFromItsLastChangeOn() throws {
        let folder = try ServeFolder()
        try folder.write("1\n", to: "lo/carrier_changes")
        try folder.write("2\n", to: "eth0/carrier_changes")
        var watch = CarrierWatch(at: .seconds(1)) { SystemProbes.carrierChanges(below: folder.path) }
        func isSteady(_ second: Int) -> Bool { watch.isSteady(at: .seconds(second), for: .seconds(10)) }
        #expect(isSteady(2), "nothing has changed since the start")
        try folder.write("7\n", to: "lo/carrier_changes")
        #expect(isSteady(6), "the loopback has no cable")
        try folder.write("3\n", to: "eth0/carrier_changes")
        #expect(!isSteady(7))
        #expect(!isSteady(16))
        #expect(isSteady(17))
        try folder.write("1\n", to: "eth1/carrier_changes")
        #expect(!isSteady(18), "an interface was added")
    }

    @Test func aServerWhoseNetworkComesBackWaitsUntilTheOtherOneIsHeardOrCertainlyAway() throws {
        let folder = try ServeFolder()
        try folder.write("1\n", to: "eth0/carrier_up_count")
        var network = CutOff { [path = folder.path] in SystemProbes.carrierReturns(below: path) }
        func mustWait(_ milliseconds: Int, heard: Int?) -> Bool {
            network.mustWait(at: .milliseconds(milliseconds), otherHeardAt: heard.map { .milliseconds($0) })
        }
        #expect(!mustWait(900, heard: 850))
        #expect(!mustWait(1_900, heard: 850), "a silent other server alone is no reason")
        try folder.write("2\n", to: "eth0/carrier_up_count")
        #expect(mustWait(2_000, heard: 850))
        #expect(mustWait(2_900, heard: 850))
        #expect(!mustWait(2_950, heard: 2_940), "it is heard")
        #expect(!mustWait(4_000, heard: 2_940))
        try folder.write("3\n", to: "eth0/carrier_up_count")
        #expect(mustWait(5_000, heard: 2_940))
        #expect(!mustWait(6_000, heard: 2_940), "it is certainly away")
        try folder.write("4\n", to: "eth0/carrier_up_count")
        network.noteNetwork(at: .milliseconds(7_000))
        #expect(!mustWait(9_000, heard: 2_940), "it came back long ago")
        #expect(!mustWait(9_000, heard: nil), "a server that has never heard another one is alone")
    }

    @Test func aServerThatStoodStillWaitsUntilTheOtherOneIsHeardOrCertainlyAway() {
        var cutOff = CutOff { [:] }
        func mustWait(_ milliseconds: Int, heard: Int) -> Bool {
            cutOff.mustWait(at: .milliseconds(milliseconds), otherHeardAt: .milliseconds(heard))
        }
        func noteStall(_ milliseconds: Int, heard: Int?) {
            cutOff.noteStall(at: .milliseconds(milliseconds), otherHeardAt: heard.map { .milliseconds($0) })
        }
        noteStall(6_000, heard: 950)
        noteStall(6_200, heard: 950)
        #expect(mustWait(6_250, heard: 950))
        #expect(mustWait(8_900, heard: 950), "the link is being opened again")
        #expect(!mustWait(9_000, heard: 950), "it is certainly away")
        noteStall(12_000, heard: 950)
        #expect(!mustWait(12_250, heard: 950), "it was not there before, either")
        noteStall(20_000, heard: 15_000)
        #expect(mustWait(20_250, heard: 15_000))
        #expect(mustWait(20_400, heard: 20_350), "a heartbeat that had waited to be read says nothing")
        #expect(!mustWait(20_550, heard: 20_520), "it is heard")
        noteStall(60_000, heard: nil)
        noteStall(90_000, heard: 20_350)
        #expect(!mustWait(90_250, heard: 20_350), "it has been away for long")
    }

    @Test func aClockThatIsSetIsNoticedOnce() {
        var watch = ClockStepDetector()
        #expect(watch.detectStep(wall: 1_000, passed: 5) == nil)
        #expect(watch.detectStep(wall: 1_000.25, passed: 5.25) == nil)
        #expect(watch.detectStep(wall: 1_060.5, passed: 5.5) == 60)
        #expect(watch.detectStep(wall: 1_060.75, passed: 5.75) == nil)
        #expect(watch.detectStep(wall: 1_000, passed: 6) == -61)
    }

    @Test func aClockThatIsSlewedIsNoStep() {
        var watch = ClockStepDetector()
        for look in 0..<1_000 {
            // Half a thousandth, as time services slew.
            #expect(watch.detectStep(wall: Double(look) * 0.25 * 1.0005, passed: Double(look) * 0.25) == nil)
        }
    }
}
