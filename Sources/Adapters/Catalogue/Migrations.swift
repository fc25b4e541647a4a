import GRDB

/// All steps from an empty file to today's tables, in order.
///
/// A step that was released is never edited or removed: a change of a table is a further step, at the end, in the
/// file of its table group. The names are stored in the database; one it holds that is not listed here tells that
/// a newer version wrote it.
enum Migrations {
    static let groups: [@Sendable (inout DatabaseMigrator) -> Void] = [
        AccountTables.register, ContentTables.register, ScoreTables.register, SignInClock.register,
    ]

    static var all: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for register in groups { register(&migrator) }
        return migrator
    }
}
