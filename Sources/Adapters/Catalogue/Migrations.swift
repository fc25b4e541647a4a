import GRDB

/// All migration steps that lead from an empty file to the present tables, in order.
///
/// A released step is never edited or removed. A change of a table is a further step at the end, in the file of its
/// table group. The database stores the names of its steps; a name that is not listed here shows that a newer version
/// wrote the database.
enum Migrations {
    static let registrations: [@Sendable (inout DatabaseMigrator) -> Void] = [
        AccountTables.registerMigrations, ConcertTables.registerMigrations, ScoreTables.registerMigrations,
        SignInClock.registerMigrations, ScreenTables.registerMigrations, PracticeTabTables.registerMigrations,
        DiaryTokenTables.registerMigrations, ErasureTables.registerMigrations,
        RemarkTables.registerMigrations, InvitationTables.registerMigrations,
    ]

    static var all: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for register in registrations { register(&migrator) }
        return migrator
    }
}
