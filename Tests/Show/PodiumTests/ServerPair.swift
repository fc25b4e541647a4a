import Basics
import Podium

/// Two servers and the cable between them, by a clock that is set by hand. Times in milliseconds.
struct ServerPair {
    struct Move: Equatable {
        var server: String
        var move: FailoverAction

        init(_ server: String, _ move: FailoverAction) {
            self.server = server
            self.move = move
        }

        var isLead: Bool { term != nil }
        var term: UInt32? { if case .lead(let term, _) = move { term } else { nil } }
    }

    private struct Letter {
        var toMain: Bool
        var beat: Heartbeat
        var at: Int
    }

    var main = Failover(ownServerID: ServerID("a"), start: .main, at: .zero)
    var backup = Failover(ownServerID: ServerID("b"), start: .backup, at: .zero)
    var isCut = false
    /// Whether both servers' own network interfaces have kept their carrier for long.
    var hasSteadyCarriers = false
    var isMainRunning = true
    var isBackupRunning = true
    /// It stands still, and finds what came meanwhile afterwards.
    var isMainHeldUp = false
    var lossPercent = 0
    var mostDelay = 5
    var mainCount: UInt64 = 0
    /// The freshness of each server's replica, as the server is told.
    var mainCopy: ReplicaFreshness = .notReplicated
    var backupCopy: ReplicaFreshness = .notReplicated
    private(set) var now = 0
    private(set) var moves: [Move] = []
    /// The milliseconds at which the main server would have sent a packet.
    private(set) var sentByMain: [Int] = []
    /// Instants at which both led in the same term.
    private(set) var leadersOfOneTerm = 0
    private var letters: [Letter] = []
    private var random = SeededRandomGenerator(seed: 11)

    /// Cuts the cable again and again, each time for as long as it then holds.
    mutating func cutCable(times: Int, for milliseconds: Int) {
        for _ in 0..<times {
            isCut = true
            run(to: now + milliseconds)
            isCut = false
            run(to: now + milliseconds)
        }
    }

    mutating func restartMain() {
        isMainRunning = true
        main = Failover(
            ownServerID: ServerID("a"), start: .main, term: main.term, packetCount: main.packetCount,
            at: clock)
        letters.removeAll { $0.toMain }
    }

    mutating func restartBackup() {
        isBackupRunning = true
        backup = Failover(
            ownServerID: ServerID("b"), start: .backup, term: backup.term, packetCount: backup.packetCount,
            at: clock)
        letters.removeAll { !$0.toMain }
    }

    private var clock: Duration { .milliseconds(now) }

    mutating func run(to end: Int) {
        while now < end {
            now += 1
            step()
            if main.role == .main && backup.role == .main && main.term == backup.term {
                leadersOfOneTerm += 1
            }
        }
    }

    private mutating func step() {
        deliver()
        if isMainRunning && !isMainHeldUp {
            if main.nextTickDue.map({ $0 <= clock }) ?? false {
                main.replicaFreshness = mainCopy
                main.hasSteadyCarrier = hasSteadyCarriers
                moves += main.tick(at: clock).map { Move("a", $0) }
                post(main.makeHeartbeat(packetCount: mainCount), toMain: false)
            }
            if now % 50 == 0 && main.maySend(at: clock) { sentByMain.append(now) }
        }
        if isBackupRunning, backup.nextTickDue.map({ $0 <= clock }) ?? false {
            backup.replicaFreshness = backupCopy
            backup.hasSteadyCarrier = hasSteadyCarriers
            moves += backup.tick(at: clock).map { Move("b", $0) }
            post(backup.makeHeartbeat(), toMain: true)
        }
    }

    private mutating func post(_ beat: Heartbeat, toMain: Bool) {
        guard !isCut, Int.random(in: 0...99, using: &random) >= lossPercent else { return }
        letters.append(
            Letter(
                toMain: toMain, beat: beat, at: now + Int.random(in: 1...max(mostDelay, 1), using: &random)))
    }

    private mutating func deliver() {
        for letter in letters.filter({ $0.at <= now && !($0.toMain && isMainHeldUp) }) {
            if letter.toMain {
                if isMainRunning {
                    moves += main.processHeartbeat(letter.beat, at: clock).map { Move("a", $0) }
                }
            } else if isBackupRunning {
                moves += backup.processHeartbeat(letter.beat, at: clock).map { Move("b", $0) }
            }
        }
        letters.removeAll { $0.at <= now && !($0.toMain && isMainHeldUp) }
    }
}
