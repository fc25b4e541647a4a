import Basics
import Catalogue
import Foundation
import Platform

/// Makes, finds and withdraws the tokens with which applications use the diary.
package struct DiaryTokens: Sendable {
    let catalogue: CatalogueStore

    package init(catalogue: CatalogueStore) { self.catalogue = catalogue }

    /// Makes a token.
    /// - Returns: the token and its secret text, which nobody can read again.
    /// - Throws: ``DiaryInputFault`` if the name cannot be one, or if there are too many tokens.
    package func make(named name: String, kind: DiaryToken.Kind) async throws -> (DiaryToken, text: String) {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...CatalogueStore.longestDiaryTokenName).contains(name.count),
            NameRule.isFit(name)
        else {
            throw DiaryInputFault(
                "name",
                "The name of a token has 1 to \(CatalogueStore.longestDiaryTokenName) letters; say what it is for."
            )
        }
        let secret = SignInToken.random()
        let id = String(SignInToken.random().text.filter { $0.isLetter || $0.isNumber }.prefix(8))
        guard
            let token = try await catalogue.addDiaryToken(
                id: id, named: name, kind: kind, digest: secret.digest)
        else {
            throw DiaryInputFault(
                "name",
                "There are \(CatalogueStore.mostDiaryTokens) tokens already; withdraw one that is not used.")
        }
        return (token, secret.text)
    }

    package func list() async throws -> [DiaryToken] { try await catalogue.diaryTokens() }

    /// Withdraws a token, given by its id or its name.
    /// - Returns: false if there is none.
    package func withdraw(_ name: String) async throws -> Bool {
        let tokens = try await catalogue.diaryTokens()
        guard let token = tokens.first(where: { $0.id == name }) ?? tokens.first(where: { $0.name == name })
        else {
            return false
        }
        return try await catalogue.withdrawDiaryToken(token.id)
    }

    /// Returns the token with this secret text; nil if there is none.
    func token(shown text: String) async throws -> DiaryToken? {
        guard let secret = SignInToken(shown: text) else { return nil }
        return try await catalogue.diaryToken(digest: secret.digest)
    }
}
