import Basics
import Hosting

/// The code that the moderator gives to the speakers.
package struct SpeakersCode: Equatable, Sendable {
    package static let shortest = 8
    package static let longest = 63

    let text: String

    /// - Throws: ``ExplainedError`` if the code is easy to guess or to mistype.
    package init(_ text: String) throws {
        guard (Self.shortest...Self.longest).contains(text.utf8.count),
            text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else {
            throw ExplainedError(
                "--present-code has \(Self.shortest) to \(Self.longest) letters, digits and hyphens.")
        }
        self.text = text
    }

    /// Takes as long for any wrong code, so that no part of it can be found alone.
    func isRight(_ given: some StringProtocol) -> Bool {
        let (given, wanted) = (Array(given.utf8), Array(text.utf8))
        var difference = given.count ^ wanted.count
        for index in wanted.indices {
            difference |= Int((index < given.count ? given[index] : 0) ^ wanted[index])
        }
        return difference == 0
    }
}
