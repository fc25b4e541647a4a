import Podium
import Testing

/// The takeover if the replica of people's content is not up to date.
struct SuccessionOfCopiesTests {
    private func ms(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }

    /// A backup that heard the main one last at five seconds, and when it takes over.
    private func takeover(_ copy: ReplicaFreshness) -> Int? {
        var backup = Failover(ownServerID: ServerID("b"), start: .backup, at: .zero)
        backup.replicaFreshness = copy
        for at in stride(from: 0, through: 20_000, by: 20) {
            if at <= 5_000, at % 100 == 0 {
                _ = backup.processHeartbeat(
                    Heartbeat(server: ServerID("a"), role: .main, term: 1), at: ms(at))
            }
            if !backup.tick(at: ms(at)).isEmpty { return at - 5_000 }
        }
        return nil
    }

    @Test func aCopyThatIsCurrentTakesOverAsSoonAsOneThatNeedsNone() {
        #expect(takeover(.notReplicated) == 600)
        #expect(takeover(.lastInSync(at: ms(4_990))) == 600)
        // Asked while the other was silent already.
        #expect(takeover(.lastInSync(at: ms(5_300))) == 600)
    }

    @Test func aCopyALittleBehindIsCurrentForTwoSeconds() {
        #expect(takeover(.lastInSync(at: ms(4_000))) == 600)
        #expect(takeover(.lastInSync(at: ms(3_000))) == 600)
        #expect(takeover(.lastInSync(at: ms(2_999))) == 5_000)
    }

    @Test func aFreshBackupThatNeverHadACopyWaitsAndLeadsInTheEnd() {
        #expect(takeover(.lastInSync(at: nil)) == 5_000)
    }

    @Test func waitingForTheCopyIsTold() {
        var backup = Failover(ownServerID: ServerID("b"), start: .backup, at: .zero)
        backup.replicaFreshness = .lastInSync(at: nil)
        #expect(!backup.delaysTakeoverForStaleReplica)
        _ = backup.processHeartbeat(Heartbeat(server: ServerID("a"), role: .main, term: 1), at: ms(100))
        #expect(backup.delaysTakeoverForStaleReplica)
        backup.replicaFreshness = .lastInSync(at: ms(150))
        #expect(!backup.delaysTakeoverForStaleReplica)
    }

    @Test func whatWasTheSameBeforeAnotherTermDoesNotCount() {
        var main = Failover(ownServerID: ServerID("a"), start: .main, term: 1, at: .zero)
        main.replicaFreshness = .lastInSync(at: ms(900))
        _ = main.tick(at: ms(900))
        #expect(
            main.processHeartbeat(Heartbeat(server: ServerID("b"), role: .main, term: 2), at: ms(950))
                == [.follow(ServerID("b"), term: 2)])
        #expect(main.delaysTakeoverForStaleReplica)
        main.replicaFreshness = .lastInSync(at: ms(950))
        #expect(!main.delaysTakeoverForStaleReplica)
    }

    @Test func anOldMainOneBackWithoutACopyDoesNotLeadAfterAShortSilence() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        pair.isMainRunning = false
        pair.run(to: 8_000)
        pair.mainCopy = .lastInSync(at: nil)
        pair.restartMain()
        pair.run(to: 9_500)
        #expect(pair.main.role == .backup && pair.backup.role == .main)
        // Silent for longer than a healthy copy is patient.
        pair.isCut = true
        pair.run(to: 12_000)
        pair.isCut = false
        pair.run(to: 13_000)
        #expect(pair.main.role == .backup && pair.backup.role == .main && pair.backup.term == 2)
        // Silent for good.
        pair.isBackupRunning = false
        pair.run(to: 17_700)
        #expect(pair.main.role == .backup)
        pair.run(to: 18_300)
        #expect(pair.main.role == .main && pair.main.term == 3)
    }

    @Test func theLeaderKilledAndBackFindsItsTerm() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        pair.isMainRunning = false
        pair.run(to: 8_000)
        pair.mainCopy = .lastInSync(at: nil)
        pair.restartMain()
        pair.run(to: 10_000)
        pair.isBackupRunning = false
        pair.run(to: 11_000)
        // Set up as backup it waits three seconds for somebody it knew.
        pair.restartBackup()
        pair.run(to: 14_500)
        #expect(pair.backup.role == .main && pair.main.role == .backup)
    }

    @Test func aServerThatSteppedDownAndHasNoCopyWaitsTheLongerOfBoth() {
        var pair = ServerPair()
        pair.run(to: 5_000)
        pair.isCut = true
        pair.run(to: 7_000)
        pair.isCut = false
        pair.mainCopy = .lastInSync(at: ms(4_000))
        pair.run(to: 7_500)
        #expect(pair.main.role == .backup)
        pair.isBackupRunning = false
        pair.run(to: 12_300)
        #expect(pair.main.role == .backup)
        pair.run(to: 12_800)
        #expect(pair.main.role == .main)
    }

    @Test func aLoneServerStartsAsBefore() {
        var main = Failover(ownServerID: ServerID("a"), start: .main, term: 1, at: .zero)
        main.replicaFreshness = .lastInSync(at: nil)
        #expect(main.tick(at: ms(500)).isEmpty)
        _ = main.tick(at: ms(1_000))
        #expect(main.role == .main)
        var backup = Failover(ownServerID: ServerID("b"), start: .backup, term: 2, at: .zero)
        backup.replicaFreshness = .lastInSync(at: nil)
        for at in stride(from: 0, through: 2_980, by: 20) { #expect(backup.tick(at: ms(at)).isEmpty) }
        _ = backup.tick(at: ms(3_000))
        #expect(backup.role == .main)
    }

    @Test func bothColdTheNewestLeadsAsBefore() {
        var main = Failover(ownServerID: ServerID("a"), start: .main, term: 1, at: .zero)
        var backup = Failover(ownServerID: ServerID("b"), start: .backup, term: 2, at: .zero)
        (main.replicaFreshness, backup.replicaFreshness) = (.lastInSync(at: nil), .lastInSync(at: nil))
        for at in stride(from: 0, through: 3_100, by: 20) {
            _ = main.tick(at: ms(at))
            _ = backup.tick(at: ms(at))
            guard at % 100 == 0 else { continue }
            _ = main.processHeartbeat(backup.makeHeartbeat(), at: ms(at))
            _ = backup.processHeartbeat(main.makeHeartbeat(), at: ms(at))
        }
        #expect(backup.role == .main && main.role == .backup)
    }

    @Test func aPersonNeedNotWait() {
        var backup = Failover(ownServerID: ServerID("b"), start: .backup, at: .zero)
        backup.replicaFreshness = .lastInSync(at: nil)
        _ = backup.processHeartbeat(Heartbeat(server: ServerID("a"), role: .main, term: 1), at: ms(100))
        #expect(backup.takeOver(at: ms(200)).count == 1 && backup.role == .main)
    }
}
