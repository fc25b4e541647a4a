import Foundation

/// What somebody who signs in may do.
public enum AccountRole: String, Codable, CaseIterable, Sendable {
    /// Plays: music stands and rehearsal rooms, nothing else.
    case musician
    /// Runs concerts: the console, cues, messages.
    case technician
    /// Prepares content: pieces, cue lists, pages.
    case editor
    /// Both, and accounts.
    case administrator
}

/// Names an account for good, also when it is renamed.
public struct AccountID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static func random() -> AccountID { AccountID(rawValue: UUID().uuidString.lowercased()) }

    public var description: String { rawValue }
}

/// Somebody who may sign in. Holds no secret.
public struct Account: Equatable, Sendable {
    public let id: AccountID
    public let name: String
    public let role: AccountRole
    public let created: Date
    /// Since when it may not sign in; nil for one that may.
    public let disabled: Date?
}

/// A name as it is kept and as it is compared.
public struct AccountName: Sendable {
    static let mostCharacters = 64

    let shown: String
    /// Equal for names that differ in case, in width or in how their accents are written.
    let key: String

    init(_ text: String) throws(CatalogueError) {
        shown = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        key = Self.key(text)
        let clean = shown.unicodeScalars.allSatisfy {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        guard (1...Self.mostCharacters).contains(shown.count), shown.utf8.count <= 4 * Self.mostCharacters,
            clean
        else { throw .badName(text) }
    }

    public static func key(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
            .precomposedStringWithCompatibilityMapping.lowercased()
    }
}
