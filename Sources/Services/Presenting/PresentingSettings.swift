import Basics
import Hosting
import PresentingProtocol

/// The settings of the port for presenters.
package struct PresentingSettings: Equatable, Sendable {
    /// The address to listen on; only a loopback address needs no code.
    package let address: String
    package let port: Int
    /// The code that presenters append to their names, as in `Anna#4711-0815`; nil on a loopback address if none is
    /// wanted.
    package let code: SpeakersCode?
    package var limits = PresentingLimits()

    /// - Throws: ``ExplainedError`` if the address is open to strangers.
    package init(address: String, port: Int, code: SpeakersCode?) throws {
        guard (0...65_535).contains(port) else {
            throw ExplainedError(
                "--present has the port \(port); ports are 1 to 65535.")
        }
        let isLoopback = address.hasPrefix("127.") || address == "::1" || address == "localhost"
        guard code != nil || isLoopback else {
            throw ExplainedError(
                "--present \(address):\(port) lets everybody on that network ask for the screen; "
                    + "give a code with --present-code, and tell it to the speakers.")
        }
        (self.address, self.port, self.code) = (address, port, code)
    }

    /// The presenter's name without the code.
    /// - Returns: nil if the code is missing or wrong.
    func checkedName(_ text: String) -> String? {
        guard let code else { return text }
        guard let mark = text.lastIndex(of: "#"), code.isRight(text[text.index(after: mark)...]) else {
            return nil
        }
        let name = text[..<mark]
        return String(name.last == " " ? name.dropLast() : name)
    }
}
