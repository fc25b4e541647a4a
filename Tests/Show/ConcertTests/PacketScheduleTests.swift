import Basics
import Concert
import Score
import Testing

@Suite struct PacketScheduleTests {
    private let welcome = try! PushMessage(title: "Welcome", body: "Enjoy.", style: .auto)
    private let survey = try! PushMessage(
        title: "Link", body: "Survey", style: .button, buttonText: "https://survey.example")

    /// Everything a runner would send from `start` until `end`, looking every ten milliseconds.
    private func run(
        _ schedule: inout PacketSchedule, from start: Duration, until end: Duration
    ) -> [(at: Duration, datagram: Datagram)] {
        var sent: [(at: Duration, datagram: Datagram)] = []
        var now = start
        while now < end {
            while let datagram = schedule.takeDueDatagram(at: now) { sent.append((now, datagram)) }
            now += .milliseconds(10)
        }
        return sent
    }

    private func measure(of datagram: Datagram) -> Int? {
        if case .measure(let packet) = datagram.packet { packet.measure } else { nil }
    }

    @Test func nothingIsSentWhenNothingIsLive() {
        var schedule = PacketSchedule()
        #expect(schedule.nextDatagramDue == nil)
        #expect(run(&schedule, from: .zero, until: .seconds(10)).isEmpty)
        #expect(schedule.packetCount == 0)
    }

    @Test func aMessageLeavesEachHalfSecondWhileNothingIsLive() throws {
        var schedule = PacketSchedule()
        #expect(schedule.announce(welcome, at: .milliseconds(3)).map(\.packet) == [.message(welcome)])
        #expect(schedule.nextDatagramDue == .milliseconds(503))
        let sent = run(&schedule, from: .milliseconds(10), until: .seconds(10))
        #expect(sent.count == 19)
        #expect(sent.allSatisfy { $0.datagram.packet == .message(welcome) })
        #expect(zip(sent, sent.dropFirst()).allSatisfy { $1.at - $0.at == .milliseconds(500) })
        #expect(sent.map(\.datagram.packetCount) == (2...20).map(UInt64.init))
        schedule.withdrawMessage()
        #expect(schedule.nextDatagramDue == nil)
        #expect(run(&schedule, from: .seconds(10), until: .seconds(20)).isEmpty)
    }

    @Test func inTheIntermissionAMessageGoesOnWithoutMeasures() throws {
        var schedule = PacketSchedule()
        _ = schedule.setPosition(try place(12), at: .zero)
        _ = schedule.announce(welcome, at: .seconds(1))
        schedule.endLivePosition()
        let sent = run(&schedule, from: .seconds(2), until: .seconds(4))
        #expect(sent.count == 4 && sent.allSatisfy { $0.datagram.packet == .message(welcome) })
        #expect(schedule.announce(survey, at: .seconds(4)).map(\.packet) == [.message(survey)])
        #expect(measure(of: schedule.setPosition(try place(13), at: .seconds(5))[0]) == 13)
        let live = run(&schedule, from: .seconds(5), until: .seconds(25) + .milliseconds(1))
        #expect((9...13).contains(live.filter { $0.datagram.packet == .message(survey) }.count))
    }

    @Test func aMessageHeldUpBeforeTheMusicCausesNoBurst() throws {
        var schedule = PacketSchedule()
        _ = schedule.announce(welcome, at: .zero)
        #expect(schedule.takeDueDatagram(at: .seconds(30)) != nil)
        #expect(schedule.takeDueDatagram(at: .seconds(30)) == nil)
        #expect(schedule.nextDatagramDue == .seconds(30) + .milliseconds(500))
    }

    @Test func aChangedMeasureLeavesAtOnce() throws {
        var schedule = PacketSchedule()
        #expect(
            schedule.setPosition(try place(35), at: .milliseconds(3)).map(\.bytes) == [
                bytes(donJuan + "; 35 : 1")
            ])
        #expect(
            schedule.setPosition(try place(36), at: .milliseconds(4)).map(\.bytes) == [
                bytes(donJuan + "; 36 : 2")
            ])
        #expect(schedule.nextDatagramDue == .milliseconds(204))
    }

    @Test func theSameMeasureAgainChangesNothing() throws {
        var schedule = PacketSchedule()
        _ = schedule.setPosition(try place(35), at: .zero)
        #expect(schedule.setPosition(try place(35), at: .milliseconds(150)).isEmpty)
        #expect(schedule.nextDatagramDue == .milliseconds(200))
    }

    @Test func aSilentFollowerKeepsTheLastMeasureOnTheAir() throws {
        var schedule = PacketSchedule()
        _ = schedule.setPosition(try place(35), at: .zero)
        let sent = run(&schedule, from: .zero, until: .seconds(600) + .milliseconds(1))
        #expect(sent.count == 3_000)
        #expect(sent.allSatisfy { measure(of: $0.datagram) == 35 })
        #expect(zip(sent, sent.dropFirst()).allSatisfy { $1.at - $0.at == .milliseconds(200) })
    }

    @Test(arguments: [1.0, 5, 12.5, 50]) func measuresAreRepeatedAtTheRateAskedFor(rate: Double) throws {
        var schedule = PacketSchedule(rate: try #require(PacketRate(packetsPerSecond: rate)))
        _ = schedule.setPosition(try place(1), at: .zero)
        _ = schedule.announce(welcome, at: .zero)
        let sent = run(&schedule, from: .zero, until: .seconds(20) + .milliseconds(1))
        #expect(sent.compactMap { measure(of: $0.datagram) }.count == Int(rate * 20))
    }

    @Test func ratesNoHallNeedsAreRefused() {
        for rate in [0, 0.99, 50.01, -5, .nan, .infinity] {
            #expect(PacketRate(packetsPerSecond: rate) == nil)
        }
    }

    @Test func countsRiseStrictlyOverBothKinds() throws {
        var generator = SeededRandomGenerator(seed: 3)
        var schedule = PacketSchedule(continuingFrom: 568)
        var counts: [UInt64] = []
        var now = Duration.zero
        for _ in 0..<20_000 {
            now += .milliseconds(Int.random(in: 0...150, using: &generator))
            switch Int.random(in: 0..<40, using: &generator) {
            case 0:
                counts += schedule.announce(Bool.random(using: &generator) ? welcome : survey, at: now).map(
                    \.packetCount)
            case 1: schedule.withdrawMessage()
            case 2: schedule.endLivePosition()
            case 3...10:
                counts += schedule.setPosition(try place(.random(in: 0...9, using: &generator)), at: now).map(
                    \.packetCount)
            default:
                while let datagram = schedule.takeDueDatagram(at: now) { counts.append(datagram.packetCount) }
            }
        }
        #expect(counts.count > 5_000)
        #expect(counts == (1...UInt64(counts.count)).map { $0 + 568 })
        #expect(schedule.packetCount == counts.last)
    }

    @Test func aMeasurePacketShowsTheCountOfItsDatagram() throws {
        var schedule = PacketSchedule(continuingFrom: 1_350)
        let sent = schedule.setPosition(try place(23, in: "Higdon, Concerto for Orchestra: Mvt 3"), at: .zero)
        #expect(sent.map(\.packetCount) == [1_351])
        #expect(sent.map { text($0.bytes) } == ["Higdon, Concerto for Orchestra: Mvt 3; 23 : 1351"])
    }

    @Test func anExhaustedCountStartsOver() throws {
        var schedule = PacketSchedule(continuingFrom: .max)
        #expect(schedule.setPosition(try place(1), at: .zero).map(\.packetCount) == [1])
    }

    @Test func onePacketInTenIsTheMessage() throws {
        var schedule = PacketSchedule()
        _ = schedule.setPosition(try place(1), at: .zero)
        #expect(schedule.announce(welcome, at: .zero).map(\.packet) == [.message(welcome)])
        let sent = run(&schedule, from: .zero, until: .seconds(180) + .milliseconds(101))
        let messages = sent.filter { $0.datagram.packet == .message(welcome) }
        #expect(sent.count == 1_000)
        #expect(messages.count == 100)
    }

    @Test func messagesDoNotHoldUpTheMeasures() throws {
        var schedule = PacketSchedule(rate: try #require(PacketRate(packetsPerSecond: 1)))
        _ = schedule.setPosition(try place(1), at: .zero)
        _ = schedule.announce(welcome, at: .zero)
        let measures = run(&schedule, from: .zero, until: .seconds(60)).filter {
            measure(of: $0.datagram) != nil
        }
        #expect(zip(measures, measures.dropFirst()).allSatisfy { $1.at - $0.at == .seconds(1) })
    }

    @Test func messagesSurviveMeasuresFasterThanTheBeat() throws {
        var schedule = PacketSchedule()
        _ = schedule.setPosition(try place(0), at: .zero)
        _ = schedule.announce(welcome, at: .zero)
        var sent: [Datagram] = []
        for number in 1...1_000 {
            let now = Duration.milliseconds(number * 20)
            sent += schedule.setPosition(try place(number), at: now)
            while let datagram = schedule.takeDueDatagram(at: now) { sent.append(datagram) }
        }
        let messages = sent.filter { $0.packet == .message(welcome) }.count
        #expect((80...120).contains(messages))
    }

    @Test func aNewMessageReplacesTheOldOne() throws {
        var schedule = PacketSchedule()
        _ = schedule.setPosition(try place(1), at: .zero)
        _ = schedule.announce(welcome, at: .zero)
        #expect(schedule.announce(welcome, at: .milliseconds(1)).isEmpty)
        #expect(schedule.announce(survey, at: .milliseconds(2)).map(\.packet) == [.message(survey)])
        let sent = run(&schedule, from: .milliseconds(10), until: .seconds(60))
        #expect(sent.contains { $0.datagram.packet == .message(survey) })
        #expect(!sent.contains { $0.datagram.packet == .message(welcome) })
    }

    @Test func aWithdrawnMessageIsSentNoMore() throws {
        var schedule = PacketSchedule()
        _ = schedule.setPosition(try place(1), at: .zero)
        _ = schedule.announce(welcome, at: .zero)
        schedule.withdrawMessage()
        let sent = run(&schedule, from: .zero, until: .seconds(60))
        #expect(sent.allSatisfy { measure(of: $0.datagram) == 1 })
    }

    @Test func aMessageFollowsTheFirstMeasure() throws {
        var schedule = PacketSchedule()
        _ = schedule.announce(welcome, at: .zero)
        #expect(schedule.setPosition(try place(1), at: .seconds(5)).map(\.packetCount) == [2, 3])
        schedule.endLivePosition()
        #expect(schedule.takeDueDatagram(at: .seconds(60))?.packet == .message(welcome))
        #expect(schedule.setPosition(try place(1), at: .seconds(61)).last?.packet == .message(welcome))
    }

    @Test func aLateBeatCausesNoBurst() throws {
        var schedule = PacketSchedule()
        _ = schedule.setPosition(try place(1), at: .zero)
        #expect(schedule.takeDueDatagram(at: .seconds(30)) != nil)
        #expect(schedule.takeDueDatagram(at: .seconds(30)) == nil)
        #expect(schedule.nextDatagramDue == .seconds(30) + .milliseconds(200))
    }
}
