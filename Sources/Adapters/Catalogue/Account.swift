import Basics
import Foundation

/// The role of an account, which decides what its user may do.
public enum AccountRole: String, Codable, CaseIterable, Sendable {
    /// A musician may use music stands and rehearsal rooms, nothing else.
    case musician
    /// A title operator opens and runs titles, nothing else.
    case titleOperator = "title-operator"
    /// A technician runs concerts and may use the console, cues and messages.
    case technician
    /// An editor prepares content: pieces, cue lists, pages.
    case editor
    /// An administrator has the rights of technician and editor, and manages accounts.
    case administrator
}

/// Identifies an account permanently, also after it is renamed.
public struct AccountID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static func random() -> AccountID { AccountID(rawValue: UUID().uuidString.lowercased()) }

    public var description: String { rawValue }
}

/// An account of a person who may sign in. Holds no password and no hash.
public struct Account: Equatable, Sendable {
    public let id: AccountID
    public let name: String
    public let role: AccountRole
    public let created: Date
    /// The time at which the account was disabled; nil if its user may sign in.
    public let disabledAt: Date?
}

/// An account's name, as shown and as compared.
public struct AccountName: Sendable {
    static let mostCharacters = 64

    let displayName: String
    /// The form of the name used for comparison. Names that differ only in case, width or the encoding of accents have
    /// the same form.
    let comparisonKey: String

    init(_ text: String) throws(CatalogueError) {
        displayName =
            text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        comparisonKey = Self.makeComparisonKey(text)
        guard (1...Self.mostCharacters).contains(displayName.count),
            displayName.utf8.count <= 4 * Self.mostCharacters,
            NameRule.isFit(displayName)
        else { throw .invalidAccountName(text) }
    }

    /// The shape of a name, which other names must not have.
    static func shape(of name: String) -> String {
        NameRule.shape(of: name.precomposedStringWithCompatibilityMapping)
    }

    public static func makeComparisonKey(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
            .precomposedStringWithCompatibilityMapping.lowercased()
    }
}
