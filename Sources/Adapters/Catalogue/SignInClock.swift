import Foundation
import GRDB
import Synchronization

/// The time that limits sign-ins: milliseconds since 1970, unless somebody set the machine's clock wrong.
///
/// While a server runs, this clock advances with the machine's uptime, whatever happens to the machine's clock.
/// Between two runs it advances by the machine's clock, but by no more than ``longestCreditMilliseconds`` and never
/// backwards: a machine that starts in 1970 or ten years ahead, because its battery is empty, signs nobody out.
final class SignInClock: Sendable {
    /// By how much the clock may advance while no server runs: seven days.
    static let longestCreditMilliseconds: Int64 = 7 * 86_400_000

    private let base: Int64
    private let began = ContinuousClock.now
    private let wall: @Sendable () -> Date

    /// - Parameters:
    ///   - stored: this clock's value when it was last stored, and the machine's clock at that moment.
    ///   - wall: the machine's clock.
    init(stored: (time: Int64, wall: Int64)?, wall: @escaping @Sendable () -> Date) {
        let now = wall().milliseconds
        base = stored.map { $0.time + min(max(now - $0.wall, 0), Self.longestCreditMilliseconds) } ?? now
        self.wall = wall
    }

    var now: Int64 { base + Int64((ContinuousClock.now - began) / .milliseconds(1)) }

    /// Stores the present value, for the next start.
    func note(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO signInClock (id, time, wall) VALUES (1, ?, ?)",
            arguments: [now, wall().milliseconds])
    }

    /// Continues from the value stored in a catalogue.
    static func open(_ pool: DatabasePool, wall: @escaping @Sendable () -> Date) throws -> SignInClock {
        let stored = try pool.read { db in
            try Row.fetchOne(db, sql: "SELECT time, wall FROM signInClock").map { row in
                (time: row["time"] as Int64, wall: row["wall"] as Int64)
            }
        }
        let clock = SignInClock(stored: stored, wall: wall)
        // A full disk must not keep a server from starting; the next start then counts from the previous value.
        try? pool.write { db in try clock.note(db) }
        return clock
    }

    static func register(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("sign-in-clock-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE signInClock (
                        id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
                        time INTEGER NOT NULL,
                        wall INTEGER NOT NULL
                    );
                    """)
        }
    }
}
