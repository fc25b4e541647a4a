import Foundation

/// A passphrase in the form in which it is hashed.
///
/// The same letters typed on another keyboard or system give the same bytes (canonical composition). The description
/// shows no part of the passphrase, so that it is not logged by accident.
public struct Passphrase: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    public static let leastCharacters = 8
    public static let mostBytes = 128

    let bytes: [UInt8]

    /// Makes a passphrase that is tried at a sign-in. Only its size is checked, so that the rules reveal nothing about
    /// the right passphrase.
    public init(tried text: String) throws(PasswordError) {
        guard text.utf8.count <= 4 * Self.mostBytes else { throw .tooLong(mostBytes: Self.mostBytes) }
        let composed = Array(text.precomposedStringWithCanonicalMapping.utf8)
        guard composed.count <= Self.mostBytes else { throw .tooLong(mostBytes: Self.mostBytes) }
        bytes = composed
    }

    /// Makes a new passphrase for the account `name`; throws if the passphrase breaks the rules.
    public init(chosen text: String, for name: String) throws(PasswordError) {
        self = try Passphrase(tried: text)
        guard text.count >= Self.leastCharacters else {
            throw .tooShort(leastCharacters: Self.leastCharacters)
        }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .controlCharacter
        }
        let plain = text.precomposedStringWithCompatibilityMapping.lowercased().filter { !$0.isWhitespace }
        let owner = name.precomposedStringWithCompatibilityMapping.lowercased().filter { !$0.isWhitespace }
        let repeated = Set(plain).count < 3
        if repeated || plain == owner || plain == owner + owner || Self.commonPassphrases.contains(plain) {
            throw .guessable
        }
    }

    public var description: String { "(a passphrase)" }
    public var debugDescription: String { description }

    /// Passphrases that are refused: the most frequent entries of published lists of leaked passwords, of at least
    /// eight characters, and this product's name.
    private static let commonPassphrases: Set<String> = [
        "12345678", "123456789", "1234567890", "0123456789", "87654321", "password", "password1",
        "password123",
        "passw0rd", "qwertyuiop", "qwerty123", "1q2w3e4r", "1qaz2wsx", "iloveyou", "sunshine", "princess",
        "football", "baseball", "superman", "trustno1", "letmein1", "welcome1", "administrator", "technician",
        "changeme", "abcd1234", "asdfghjkl", "starwars", "whatever", "computer", "orchestra", "conductor",
        "batonbaton", "passwort", "motdepasse", "12341234", "11223344", "qwertzuiop", "q1w2e3r4",
    ]
}
