import Foundation
import GRDB

/// Remembers the networks from which accounts signed in, so that these sign-ins are not slowed down while strangers
/// guess passwords.
extension CatalogueStore {
    /// The maximum number of networks kept for each account; the oldest are deleted.
    static let mostNetworksOfAccount = 20

    /// Returns the networks from which each account signed in, by account name; the newest last.
    public func signInNetworks() async throws(CatalogueError) -> [String: [String]] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT account.name, signInNetwork.network FROM signInNetwork
                    JOIN account ON account.id = signInNetwork.account ORDER BY signInNetwork.lastAt
                    """)
            return rows.reduce(into: [:]) { networks, row in
                networks[row["name"] as String, default: []].append(row["network"] as String)
            }
        }
    }

    /// Records the network from which a successful sign-in came.
    public func recordSignInNetwork(
        of id: AccountID, from network: String, at now: Date = .now
    ) async throws(CatalogueError) {
        let network = String(network.prefix(64))
        try await write { db in
            try db.execute(
                sql: """
                    INSERT INTO signInNetwork (account, network, lastAt) VALUES (?, ?, ?)
                    ON CONFLICT (account, network) DO UPDATE SET lastAt = excluded.lastAt
                    """,
                arguments: [id.rawValue, network, now.millisecondsSince1970])
            try db.execute(
                sql: """
                    DELETE FROM signInNetwork WHERE account = ?1 AND network NOT IN
                        (SELECT network FROM signInNetwork WHERE account = ?1 ORDER BY lastAt DESC LIMIT ?2)
                    """,
                arguments: [id.rawValue, Self.mostNetworksOfAccount])
        }
    }

    /// Returns a secret that this server shares with its backup.
    /// - Parameter new: stored if there is no secret of that name yet; nil only reads.
    public func loadServerSecret(
        named name: String, orKeep new: [UInt8]?
    ) async throws(CatalogueError) -> [UInt8]? {
        let kept = try await read { db in try Self.readServerSecret(name, db) }
        guard kept == nil, let new else { return kept }
        return try await write { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO serverSecret (name, bytes) VALUES (?, ?)",
                arguments: [name, Data(new)])
            return try Self.readServerSecret(name, db)
        }
    }

    private static func readServerSecret(_ name: String, _ db: Database) throws -> [UInt8]? {
        try Data.fetchOne(db, sql: "SELECT bytes FROM serverSecret WHERE name = ?", arguments: [name])
            .map(Array.init)
    }
}
