import Concert
import NetworkLinks
import Testing

@testable import TestHelpers

@Suite(.ownThreads, .timeLimit(.minutes(10))) struct PacketPumpTests {
    private typealias Pump = PositionPacketTransmitter<ManualClock>

    /// Runs a pump over memory while `test` moves its clock.
    private func withPump(
        schedule: PacketSchedule = PacketSchedule(),
        _ test: (Pump, MemorySink, ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let sink = MemorySink()
        let pump = PositionPacketTransmitter(schedule: schedule, sink: sink, clock: clock)
        let running = Task { await pump.run() }
        defer { running.cancel() }
        #expect(await becomesTrue { clock.sleeperCount == 1 })
        try await test(pump, sink, clock)
        running.cancel()
        await running.value
    }

    private func advance(_ clock: ManualClock, _ pump: Pump, by duration: Duration) async {
        var left = duration
        while left > .zero {
            clock.advance(by: .milliseconds(50))
            left -= .milliseconds(50)
            // A beat may be due or not; either way its task goes back to sleep.
            #expect(await becomesTrue { clock.sleeperCount == 1 })
            #expect(
                await becomesTrue { pump.counters.sent + pump.counters.failed == pump.newestPacketNumber })
        }
    }

    private func line(_ measure: Int, _ count: Int) -> String { "\(donJuan); \(measure) : \(count)" }

    @Test func aChangeLeavesWithoutWaitingForTheBeat() async throws {
        try await withPump { pump, sink, _ in
            pump.setLivePosition(try place(35))
            pump.setLivePosition(try place(36))
            #expect(await becomesTrue { pump.counters.sent == 2 })
            #expect(sink.lines == [line(35, 1), line(36, 2)])
        }
    }

    @Test func aMeasureIsRepeatedUntilItEnds() async throws {
        try await withPump { pump, sink, clock in
            pump.setLivePosition(try place(35))
            await advance(clock, pump, by: .seconds(2))
            #expect(await becomesTrue { pump.counters.sent == 11 })
            pump.removeLivePosition()
            await advance(clock, pump, by: .seconds(2))
            #expect(sink.lines == (1...11).map { line(35, $0) })
            #expect(pump.counters.longestGap <= .milliseconds(200))
        }
    }

    @Test func aMessageRunsAlongUntilItIsWithdrawn() async throws {
        try await withPump { pump, sink, clock in
            let welcome = try PushMessage(title: "Welcome", body: "", style: .auto)
            pump.setLivePosition(try place(1))
            pump.sendPushMessage(welcome)
            await advance(clock, pump, by: .seconds(18) + .milliseconds(150))
            #expect(await becomesTrue { pump.counters.sent == 102 })
            #expect(sink.lines.filter { $0 == "PUSH|Welcome||AUTO||" }.count == 11)
            pump.withdrawPushMessage()
            await advance(clock, pump, by: .seconds(10))
            #expect(await becomesTrue { pump.counters.sent == 152 })
            #expect(sink.lines.filter { $0.hasPrefix("PUSH") }.count == 11)
        }
    }

    @Test func aFailureIsCountedAndTheNextPacketTried() async throws {
        try await withPump { pump, sink, clock in
            sink.refuse(next: 3)
            pump.setLivePosition(try place(35))
            await advance(clock, pump, by: .seconds(1))
            #expect(await becomesTrue { pump.counters.sent == 3 })
            #expect(pump.counters.failed == 3)
            #expect(pump.counters.lastFailure != nil)
            #expect(sink.lines == (4...6).map { line(35, $0) })
        }
    }

    @Test func aSenderThatStartsAgainCountsOn() async throws {
        try await withPump(schedule: PacketSchedule(continuingFrom: 567)) { pump, sink, _ in
            pump.setLivePosition(try place(35))
            #expect(await becomesTrue { pump.counters.sent == 1 })
            #expect(sink.lines == [line(35, 568)])
            #expect(pump.newestPacketNumber == 568)
        }
    }

    @Test func whatIsShownBeforeItRunsLeavesFirst() async throws {
        let sink = MemorySink()
        let pump = PositionPacketTransmitter(schedule: PacketSchedule(), sink: sink, clock: ManualClock())
        pump.setLivePosition(try place(35))
        let running = Task { await pump.run() }
        #expect(await becomesTrue { sink.lines == [line(35, 1)] })
        running.cancel()
        await running.value
    }

    @Test func aNetworkThatTakesNothingCostsTheOldestPackets() throws {
        let pump = PositionPacketTransmitter(
            schedule: PacketSchedule(), sink: MemorySink(), clock: ManualClock())
        for measure in 1...100 { pump.setLivePosition(try place(measure)) }
        #expect(pump.counters.overflowed == 36)
    }
}
