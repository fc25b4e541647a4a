import Foundation
import GRDB

/// Stores the settings of named screens.
extension CatalogueStore {
    /// The most screens whose settings are stored.
    public static let mostScreens = 32

    /// Returns the settings of all screens by name, each as the JSON text that was stored.
    public func screenSettings() async throws(CatalogueError) -> [String: String] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT name, settings FROM screen").reduce(into: [:]) { found, row in
                found[row["name"] as String] = row["settings"] as String
            }
        }
    }

    /// The result of ``storeScreenSettings(_:of:replacing:at:)``.
    public enum ScreenSettingsOutcome: Sendable {
        case stored
        /// Others were stored since the expected ones were read; nothing was changed.
        case changedMeanwhile
        /// There are ``mostScreens`` others already; nothing was stored.
        case tooManyScreens
    }

    /// Stores the settings of a screen if those that are stored are still the expected ones.
    /// - Parameter expected: the stored text that the new one replaces; nil if the screen has no settings.
    public func storeScreenSettings(
        _ settings: String, of name: String, replacing expected: String?, at now: Date = .now
    ) async throws(CatalogueError) -> ScreenSettingsOutcome {
        try await write { db in
            let stored = try String.fetchOne(
                db, sql: "SELECT settings FROM screen WHERE name = ?", arguments: [name])
            guard stored == expected else { return .changedMeanwhile }
            let others =
                try Int.fetchOne(db, sql: "SELECT count(*) FROM screen WHERE name <> ?", arguments: [name])
                ?? 0
            guard others < Self.mostScreens else { return .tooManyScreens }
            try db.execute(
                sql: """
                    INSERT INTO screen (name, settings, changedAt) VALUES (?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET settings = excluded.settings, changedAt = excluded.changedAt
                    """,
                arguments: [name, settings, now.millisecondsSince1970])
            return .stored
        }
    }

    /// Deletes the settings of a screen, which then looks as every screen without settings.
    /// - Returns: false if it had none.
    public func deleteScreenSettings(of name: String) async throws(CatalogueError) -> Bool {
        try await write { db in
            try db.execute(sql: "DELETE FROM screen WHERE name = ?", arguments: [name])
            return db.changesCount > 0
        }
    }
}
