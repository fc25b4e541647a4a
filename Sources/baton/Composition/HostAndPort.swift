import Basics
import Hosting

/// A command-line value of the form `ADDRESS:PORT`; the address may be a host name, or an IPv6 address in brackets.
package struct HostAndPort: Equatable {
    package var host: String
    package var port: Int

    /// Parses the value of a command-line option.
    /// - Parameters:
    ///   - option: the name of the option, for the error sentence.
    ///   - example: a valid value, for the error sentence.
    package init(_ text: String, of option: String, example: String) throws {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else {
            throw ExplainedError("\(option) is ADDRESS:PORT, such as \(example), not “\(text)”.")
        }
        host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        self.port = port
    }
}
