import Foundation
import GRDB
import Synchronization

/// A clock that measures how long sign-ins last. Setting the machine's clock cannot change it while a server runs.
///
/// The clock counts milliseconds since 1970. While a server runs, it advances with the machine's uptime. Between two
/// runs it advances by the machine's clock, but by no more than ``longestOfflineAdvanceMilliseconds`` and never
/// backwards: a machine that starts in 1970 or ten years ahead, because its battery is empty, signs nobody out.
final class SignInClock: Sendable {
    /// The maximum time, in milliseconds, by which the clock advances while no server runs: seven days.
    static let longestOfflineAdvanceMilliseconds: Int64 = 7 * 86_400_000

    private let startMilliseconds: Int64
    private let startInstant = ContinuousClock.now
    private let readWallClock: @Sendable () -> Date

    /// Continues the clock from its stored value.
    /// - Parameters:
    ///   - stored: this clock's value when it was last stored, and the machine's clock at that moment.
    ///   - wall: returns the time of the machine's clock.
    init(stored: (time: Int64, wall: Int64)?, readWallClock: @escaping @Sendable () -> Date) {
        let now = readWallClock().millisecondsSince1970
        startMilliseconds =
            stored.map { $0.time + min(max(now - $0.wall, 0), Self.longestOfflineAdvanceMilliseconds) } ?? now
        self.readWallClock = readWallClock
    }

    var nowMilliseconds: Int64 {
        startMilliseconds + Int64((ContinuousClock.now - startInstant) / .milliseconds(1))
    }

    /// Stores the clock's present value in the database, for the next start.
    func store(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO signInClock (id, time, wall) VALUES (1, ?, ?)",
            arguments: [nowMilliseconds, readWallClock().millisecondsSince1970])
    }

    /// Makes a clock that continues from the value stored in a catalogue.
    static func makeContinuingClock(_ pool: DatabasePool, wall: @escaping @Sendable () -> Date) throws
        -> SignInClock
    {
        let stored = try pool.read { db in
            try Row.fetchOne(db, sql: "SELECT time, wall FROM signInClock").map { row in
                (time: row["time"] as Int64, wall: row["wall"] as Int64)
            }
        }
        let clock = SignInClock(stored: stored, readWallClock: wall)
        // A full disk must not keep a server from starting; the next start then counts from the previous value.
        try? pool.write { db in try clock.store(db) }
        return clock
    }

    static func registerMigrations(_ migrator: inout DatabaseMigrator) {
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
