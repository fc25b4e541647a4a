import Basics
import Podium
import Testing

@Suite struct SuccessionTests {
    private func ms(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }

    @Test func oneAloneLeadsAtOnceAndListensToNobody() {
        var alone = Failover(ownServerID: ServerID("a"), start: .alone, at: .zero)
        #expect(alone.maySend(at: .zero))
        #expect(alone.nextTickDue == nil)
        #expect(
            alone.processHeartbeat(Heartbeat(server: ServerID("b"), role: .main, term: 9), at: .zero).isEmpty)
        #expect(alone.term == 1)
    }

    @Test func aMainOneAsksForASecondBeforeItLeads() {
        var pair = ServerPair()
        pair.run(to: 999)
        #expect(!pair.main.maySend(at: ms(999)))
        pair.run(to: 1_100)
        #expect(pair.main.role == .main)
        #expect(pair.main.term == 1)
        #expect(pair.backup.role == .backup)
        #expect(
            pair.moves == [
                .init("a", .lead(term: 1, packetCount: 1_000_000)),
                .init("b", .follow(ServerID("a"), term: 1)),
            ])
    }

    @Test func aBackupNeverBeginsAShow() {
        var backup = Failover(ownServerID: ServerID("b"), start: .backup, at: .zero)
        for at in stride(from: 0, to: 60_000, by: 100) { #expect(backup.tick(at: ms(at)).isEmpty) }
    }

    @Test func aRestartedBackupThatKnewALeaderTakesOverAfterAWhile() {
        var backup = Failover(ownServerID: ServerID("b"), start: .backup, term: 1, packetCount: 40, at: .zero)
        var moves: [FailoverAction] = []
        for at in stride(from: 0, through: 2_900, by: 100) { moves += backup.tick(at: ms(at)) }
        #expect(moves.isEmpty)
        #expect(backup.tick(at: ms(3_000)) == [.lead(term: 2, packetCount: 4_000_040)])
    }

    @Test func whereBothWereDownTheOneThatLedLastLeads() {
        var main = Failover(ownServerID: ServerID("a"), start: .main, term: 1, packetCount: 100, at: .zero)
        var backup = Failover(
            ownServerID: ServerID("b"), start: .backup, term: 2, packetCount: 1_000_200, at: .zero)
        var moves: [FailoverAction] = []
        for at in stride(from: 0, through: 6_000, by: 100) {
            moves += main.tick(at: ms(at)) + backup.tick(at: ms(at))
            // The backup takes longer to start.
            guard at >= 800 else { continue }
            moves +=
                main.processHeartbeat(backup.makeHeartbeat(), at: ms(at))
                + backup.processHeartbeat(main.makeHeartbeat(), at: ms(at))
        }
        #expect(backup.role == .main)
        #expect(backup.term == 4)
        #expect(main.role == .backup)
        #expect(moves.filter { if case .lead = $0 { true } else { false } }.count == 1)
    }

    @Test func aMainOneThatIsBackAloneCountsPastATermItDidNotHear() {
        var backup = Failover(ownServerID: ServerID("b"), start: .backup, packetCount: 100, at: .zero)
        _ = backup.processHeartbeat(
            Heartbeat(server: ServerID("a"), role: .main, term: 1, packetCount: 100), at: .zero)
        _ = backup.tick(at: ms(500))
        #expect(backup.tick(at: ms(700)) == [.lead(term: 2, packetCount: 1_000_100)])
        var main = Failover(ownServerID: ServerID("a"), start: .main, term: 1, packetCount: 100, at: .zero)
        for at in stride(from: 0, through: 1_000, by: 100) { _ = main.tick(at: ms(at)) }
        #expect(main.role == .main)
        #expect(main.packetCount > 1_000_100 + FailoverSettings.packetCountLeap / 2)
    }

    @Test func aSilentMainOneIsSucceededWithinASecond() {
        for phase in stride(from: 0, to: 100, by: 7) {
            var pair = ServerPair()
            pair.run(to: 5_000 + phase)
            pair.isMainRunning = false
            pair.run(to: 5_400 + phase)
            #expect(pair.backup.role == .backup)
            pair.run(to: 5_800 + phase)
            #expect(pair.backup.role == .main)
            #expect(pair.backup.term == 2)
        }
    }

    @Test func theCountLeapsAhead() {
        var pair = ServerPair()
        pair.mainCount = 777
        pair.run(to: 5_000)
        pair.isMainRunning = false
        pair.run(to: 6_000)
        #expect(pair.backup.packetCount >= 777 + FailoverSettings.packetCountLeap)
    }

    @Test func aMainOneThatComesBackFollows() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        pair.isMainRunning = false
        pair.run(to: 8_000)
        pair.restartMain()
        pair.run(to: 12_000)
        #expect(pair.main.role == .backup)
        #expect(pair.main.term == 2)
        #expect(pair.backup.role == .main)
        #expect(pair.moves.suffix(1) == [.init("a", .follow(ServerID("b"), term: 2))])
        // And takes over in its turn, with an odd term.
        pair.isBackupRunning = false
        pair.run(to: 13_000)
        #expect(pair.main.role == .main)
        #expect(pair.main.term == 3)
    }

    @Test func aMainOneKilledAndBackAtOnceLeadsAgainOrFollows() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        pair.restartMain()
        pair.run(to: 7_000)
        // It asked for longer than the backup is patient.
        #expect(pair.backup.role == .main)
        #expect(pair.main.role == .backup)
    }

    @Test func aSplitBrainHealsWithinAnExchange() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        pair.isCut = true
        pair.run(to: 30_000)
        #expect(pair.main.role == .main && pair.backup.role == .main)
        #expect(pair.main.term == 1 && pair.backup.term == 2)
        pair.isCut = false
        pair.run(to: 30_200)
        #expect(pair.main.role == .backup)
        #expect(pair.moves.suffix(1) == [.init("a", .stepDown(ServerID("b"), term: 2))])
    }

    /// The system closes the connections of a program that is killed. A cable does not.
    @Test(arguments: [false, true])
    func afterASplitAKilledLeaderIsSucceededWithinASecondIfItsProgramHasEnded(isClosed: Bool) {
        var pair = ServerPair()
        pair.run(to: 5_000)
        pair.isCut = true
        pair.run(to: 8_000)
        pair.isCut = false
        pair.run(to: 9_000)
        #expect(pair.main.role == .backup && pair.backup.role == .main)
        pair.isBackupRunning = false
        if isClosed { pair.main.noteClosedConnection(at: ms(9_001)) }
        pair.run(to: 9_800)
        #expect(pair.main.role == (isClosed ? .main : .backup))
    }

    /// A machine that loses its power closes no connection. If this server's own cable was not pulled, it need not wait for
    /// it.
    @Test(arguments: [false, true])
    func afterASplitALeaderWithoutPowerIsSucceededWithinASecondIfTheOwnCarrierIsSteady(isSteady: Bool) {
        var pair = ServerPair()
        pair.hasSteadyCarriers = isSteady
        pair.run(to: 5_000)
        pair.isCut = true
        pair.run(to: 8_000)
        pair.isCut = false
        pair.run(to: 9_000)
        #expect(pair.main.role == .backup && pair.backup.role == .main)
        pair.isBackupRunning = false
        pair.run(to: 9_800)
        #expect(pair.main.role == (isSteady ? .main : .backup))
    }

    /// A switch between the servers that fails again and again leaves their own carriers as they are.
    @Test func anUnreliableSwitchMakesTwoChanges() {
        var pair = ServerPair()
        pair.hasSteadyCarriers = true
        pair.run(to: 5_000)
        pair.cutCable(times: 100, for: 700)
        #expect(pair.main.role == .main)
        #expect(pair.moves.count { $0.isLead } == 3)
        #expect(pair.leadersOfOneTerm == 0)
    }

    /// The connection is closed late, when the cable is in again: the next heartbeat shows that the program runs.
    @Test func aConnectionThatIsClosedThoughHeartbeatsComeChangesNothing() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        for flap in 0..<100 {
            pair.isCut = true
            pair.run(to: 5_000 + flap * 1_400 + 700)
            pair.main.noteClosedConnection(at: ms(5_000 + flap * 1_400 + 700))
            pair.isCut = false
            pair.run(to: 5_000 + flap * 1_400 + 1_000)
            pair.main.noteClosedConnection(at: ms(5_000 + flap * 1_400 + 1_000))
            pair.run(to: 5_000 + flap * 1_400 + 1_400)
        }
        #expect(pair.backup.role == .main)
        #expect(pair.moves.count { $0.isLead } == 2)
    }

    @Test func aFlappingCableMakesOneChange() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        pair.cutCable(times: 100, for: 700)
        #expect(pair.backup.role == .main)
        #expect(pair.moves.count { $0.isLead } == 2)
    }

    @Test func shortSilencesChangeNothing() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        pair.cutCable(times: 20, for: 400)
        #expect(pair.moves.count { $0.isLead } == 1)
    }

    @Test func aMainOneHeldUpStepsDownWhenItHearsTheOther() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        pair.isMainHeldUp = true
        pair.run(to: 8_000)
        #expect(pair.backup.role == .main)
        // It has not looked for longer than the other is patient, so nothing leaves until it has.
        #expect(!pair.main.maySend(at: ms(8_000)))
        pair.isMainHeldUp = false
        pair.run(to: 8_200)
        #expect(pair.main.role == .backup)
        #expect(pair.sentByMain.allSatisfy { $0 < 5_700 })
    }

    @Test func aMainOneHeldUpThatHearsNobodyGoesOnAfterListening() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        pair.isBackupRunning = false
        pair.isMainHeldUp = true
        pair.run(to: 8_000)
        pair.isMainHeldUp = false
        pair.run(to: 8_200)
        #expect(!pair.main.maySend(at: ms(8_200)))
        pair.run(to: 8_600)
        #expect(pair.main.maySend(at: ms(8_600)))
        #expect(pair.main.term == 1)
    }

    @Test func aBackupHeldUpItselfListensBeforeItTakesOver() {
        var backup = Failover(ownServerID: ServerID("b"), start: .backup, at: .zero)
        let beat = Heartbeat(server: ServerID("a"), role: .main, term: 1)
        _ = backup.processHeartbeat(beat, at: ms(100))
        _ = backup.tick(at: ms(100))
        #expect(backup.tick(at: ms(4_000)).isEmpty)
        #expect(backup.processHeartbeat(beat, at: ms(4_050)).isEmpty)
        #expect(backup.tick(at: ms(4_300)).isEmpty)
    }

    @Test func twoSetUpAsMainByMistakeAgreeOnTheLowerName() {
        var a = Failover(ownServerID: ServerID("a"), start: .main, at: .zero)
        var b = Failover(ownServerID: ServerID("b"), start: .main, at: .zero)
        _ = a.tick(at: ms(1_000))
        _ = b.tick(at: ms(1_000))
        #expect(a.term == b.term)
        #expect(a.processHeartbeat(b.makeHeartbeat(), at: ms(1_100)).isEmpty)
        #expect(b.processHeartbeat(a.makeHeartbeat(), at: ms(1_100)) == [.stepDown(ServerID("a"), term: 1)])
    }

    @Test func aPersonMayOrderTheTakeover() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        #expect(pair.backup.takeOver(at: ms(5_000)) == [.lead(term: 2, packetCount: 2_000_000)])
        #expect(pair.backup.takeOver(at: ms(5_000)).isEmpty)
        pair.run(to: 5_200)
        #expect(pair.main.role == .backup)
    }

    @Test func ownWordsThatComeBackAreIgnored() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        #expect(
            pair.main.processHeartbeat(Heartbeat(server: ServerID("a"), role: .main, term: 9), at: ms(5_000))
                .isEmpty)
        #expect(pair.main.role == .main)
    }

    @Test func theLastTermIsNotPassed() {
        var backup = Failover(
            ownServerID: ServerID("b"), start: .backup, term: .max, packetCount: .max, at: .zero)
        #expect(backup.takeOver(at: .zero) == [.lead(term: .max, packetCount: .max)])
    }
}

@Suite struct SuccessionScheduleTests {
    /// Loss, delay, cuts, stops and restarts at random; then everything heals.
    @Test(arguments: 1...40)
    func neverTwoLeadersOfOneTermAndOneLeaderInTheEnd(_ seed: Int) {
        var random = SeededRandomGenerator(seed: UInt64(seed))
        var pair = ServerPair()
        var at = 0
        pair.run(to: 2_000)
        while at < 120_000 {
            at += Int.random(in: 50...3_000, using: &random)
            pair.run(to: 2_000 + at)
            pair.isCut = Int.random(in: 0...3, using: &random) == 0
            pair.isMainHeldUp = Int.random(in: 0...5, using: &random) == 0
            pair.lossPercent = Int.random(in: 0...60, using: &random)
            pair.mostDelay = Int.random(in: 1...900, using: &random)
            switch Int.random(in: 0...12, using: &random) {
            case 0: pair.restartMain()
            case 1: pair.restartBackup()
            case 2: pair.isMainRunning.toggle()
            case 3: pair.isBackupRunning.toggle()
            default: break
            }
        }
        (pair.isCut, pair.isMainHeldUp, pair.lossPercent, pair.mostDelay) = (false, false, 0, 20)
        (pair.isMainRunning, pair.isBackupRunning) = (true, true)
        // Both were perhaps stopped for long; then a restarted one waits for three seconds.
        pair.run(to: 127_000 + 2_000)
        #expect([pair.main.role, pair.backup.role].count { $0 == .main } == 1)
        #expect(pair.main.term == pair.backup.term)
        let terms = pair.moves.compactMap(\.term)
        #expect(Set(terms).count == terms.count, "two leads of one term")
        #expect(pair.leadersOfOneTerm == 0)
    }
}
