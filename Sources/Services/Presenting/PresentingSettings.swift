import Hosting
import PresentingProtocol

/// The settings of the port for presenters.
package struct PresentingSettings: Equatable, Sendable {
    /// The address to listen on; only a loopback address needs no code.
    package let address: String
    package let port: Int
    /// The code that presenters append to their names, as in `Anna#4711-0815`; nil on a loopback address if none is
    /// wanted.
    package let code: String?
    package var limits = PresentingLimits()

    package static let shortestCode = 8
    package static let longestCode = 63

    /// - Throws: ``ExplainedError`` if the address is open to strangers, or the code is no good one.
    package init(address: String, port: Int, code: String?) throws(ExplainedError) {
        guard (0...65_535).contains(port) else {
            throw ExplainedError(sentence: "--present has the port \(port); ports are 1 to 65535.")
        }
        let isLoopback = address.hasPrefix("127.") || address == "::1" || address == "localhost"
        guard code != nil || isLoopback else {
            throw ExplainedError(
                sentence: "--present \(address):\(port) lets everybody on that network ask for the screen; "
                    + "give a code with --present-code, and tell it to the speakers.")
        }
        if let code {
            guard (Self.shortestCode...Self.longestCode).contains(code.utf8.count),
                code.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
            else {
                throw ExplainedError(
                    sentence:
                        "--present-code has \(Self.shortestCode) to \(Self.longestCode) letters, digits "
                        + "and hyphens.")
            }
        }
        (self.address, self.port, self.code) = (address, port, code)
    }

    /// The presenter's name without the code.
    /// - Returns: nil if the code is missing or wrong.
    func checkedName(_ text: String) -> String? {
        guard let code else { return text }
        guard let mark = text.lastIndex(of: "#") else { return nil }
        let (given, wanted) = (Array(text[text.index(after: mark)...].utf8), Array(code.utf8))
        // Takes as long for any wrong code, so that no part of it can be found alone.
        var difference = given.count ^ wanted.count
        for index in wanted.indices {
            difference |= Int((index < given.count ? given[index] : 0) ^ wanted[index])
        }
        guard difference == 0 else { return nil }
        let name = text[..<mark]
        return String(name.last == " " ? name.dropLast() : name)
    }
}
