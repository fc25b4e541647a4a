import Basics

/// The request that a received OSC message makes.
public enum ShowControlRequest: Hashable, Sendable {
    /// The words of a command, name first: ["nudge", "1"].
    case performCommand([String])
    /// Asks for the state from now on, for this many seconds. If a port is given, the state goes to that port of the
    /// sender's machine.
    case subscribeToState(seconds: Double?, port: Int?)
    case unsubscribeFromState(port: Int?)
    /// Asks for the whole state once.
    case queryState
    case ping
    case passphrase(String)
    /// Nothing is done or answered: a button was released, or Baton's own state has come back.
    case ignore
}

extension ShowControlRequest {
    /// The most commands that a wildcard may match; more would be a mistake.
    static let maximumMatchedCommands = 4

    private static let commandAddressPrefix = "/baton/command/"
    private static let requestParsersByAddress:
        [String: @Sendable ([OSCArgument]) throws(ExplainedError) -> ShowControlRequest] = [
            "/baton/subscribe": { arguments throws(ExplainedError) in
                .subscribeToState(
                    seconds: try parseSubscriptionSeconds(arguments.first),
                    port: try parsePort(arguments.dropFirst().first))
            },
            "/baton/unsubscribe": { arguments throws(ExplainedError) in
                .unsubscribeFromState(port: try parsePort(arguments.first))
            },
            "/baton/query": { _ throws(ExplainedError) in .queryState },
            "/baton/ping": { _ throws(ExplainedError) in .ping },
            "/baton/pass": { arguments throws(ExplainedError) in
                guard case .string(let text)? = arguments.first else {
                    throw ExplainedError("'/baton/pass' needs the passphrase as its argument.")
                }
                return .passphrase(text)
            },
        ]

    /// Returns the requests of a message. An address with wildcards gives several, in the order of the command table.
    public static func parseRequests(of message: OSCMessage) throws(ExplainedError) -> [ShowControlRequest] {
        let pattern = try OSCAddressPattern(message.address)
        if pattern.hasNoWildcards { return [try parseRequest(at: message.address, message.arguments)] }
        let names = ShowCommandSignature.allCommands.map(\.name).filter { name in
            pattern.matches(commandAddressPrefix + name)
                || allowsShortAddress(name) && pattern.matches("/baton/" + name)
        }
        guard !names.isEmpty else { throw ExplainedError("No command matches '\(message.address)'.") }
        guard names.count <= maximumMatchedCommands else {
            throw ExplainedError(
                "'\(message.address)' matches \(names.count) commands; at most "
                    + "\(ShowControlRequest.maximumMatchedCommands) are done at once.")
        }
        var requests: [ShowControlRequest] = []
        for name in names {
            requests.append(try parseRequest(at: commandAddressPrefix + name, message.arguments))
        }
        return requests
    }

    private static func parseRequest(
        at address: String, _ arguments: [OSCArgument]
    ) throws(ExplainedError) -> ShowControlRequest {
        if let reading = requestParsersByAddress[address] { return try reading(arguments) }
        if isEchoOfOwnState(address, arguments) { return .ignore }
        if let words = try titleCommandWords(at: address, arguments) {
            return words.isEmpty ? .ignore : .performCommand(words)
        }
        let name: String
        if address.hasPrefix(commandAddressPrefix) {
            name = String(address.dropFirst(commandAddressPrefix.count))
        } else if address.hasPrefix("/baton/"), allowsShortAddress(String(address.dropFirst(7))) {
            name = String(address.dropFirst(7))
        } else {
            throw ExplainedError(
                "There is no '\(address)'. Commands are '/baton/command/NAME'; see docs/show-control.md.")
        }
        guard let shape = ShowCommandSignature.findCommand(name) else {
            throw ExplainedError(
                "There is no command '\(name)'. The commands are "
                    + "\(ShowCommandSignature.commandNames.joined(separator: ", ")).")
        }
        guard let words = try shape.commandWords(arguments) else { return .ignore }
        return .performCommand(words)
    }

    /// The addresses by which the surtitling program Glypheo is moved on, so that what steers it can steer Baton.
    /// Source: https://github.com/bitfocus/companion-module-requests/issues/498
    private static let glypheoTitleCommands = [
        "/goNext": "next", "/goPrevious": "previous", "/goTo": "goto",
        // Glypheo fades to black first; here each title has its own fades.
        "/goBlackAndNext": "next",
    ]

    /// Returns the words of a command at '/title/NAME' or '/baton/title/NAME'; empty if a button was released, nil at
    /// other addresses.
    private static func titleCommandWords(
        at address: String, _ arguments: [OSCArgument]
    ) throws(ExplainedError) -> [String]? {
        if let words = glypheoTitleCommands[address] {
            let kind: ShowCommandSignature.ArgumentKind = words == "goto" ? .anyArguments : .noArgument
            guard
                let words = try ShowCommandSignature(name: words, argumentKind: kind).commandWords(arguments)
            else { return [] }
            return ["title"] + words
        }
        let prefix = ["/title/", "/baton/title/"].first { address.hasPrefix($0) }
        guard let prefix else { return nil }
        let name = String(address.dropFirst(prefix.count))
        let takesArgument = ["goto", "bar", "blank", "phones", "skip", "unskip"].contains(name)
        let signature = ShowCommandSignature(
            name: name, argumentKind: takesArgument ? .anyArguments : .noArgument)
        guard let words = try signature.commandWords(arguments) else { return [] }
        return ["title"] + words
    }

    /// True if '/baton/NAME' may be written for '/baton/command/NAME'. It may for every command whose address the
    /// state does not use, and also for 'panic', because ``isEchoOfOwnState(_:_:)`` tells this command from the
    /// state.
    static func allowsShortAddress(_ name: String) -> Bool {
        guard ShowCommandSignature.findCommand(name) != nil else { return false }
        return name == "panic" || !ShowControlMessages.addressesSentByBaton.contains("/baton/" + name)
    }

    /// True if the message is a state message of Baton that came back. Under '/baton/panic', the state has a text that is
    /// no number, and the command never has.
    private static func isEchoOfOwnState(_ address: String, _ arguments: [OSCArgument]) -> Bool {
        guard ShowControlMessages.addressesSentByBaton.contains(address) else { return false }
        guard address == "/baton/panic" else { return true }
        guard case .string? = arguments.first else { return false }
        return arguments[0].numericValue == nil
    }

    private static func parseSubscriptionSeconds(_ argument: OSCArgument?) throws(ExplainedError) -> Double? {
        guard let argument else { return nil }
        guard let seconds = argument.numericValue, (1...3_600).contains(seconds) else {
            throw ExplainedError(
                "The first argument is how many seconds the subscription lasts, from 1 to 3600.")
        }
        return seconds
    }

    private static func parsePort(_ argument: OSCArgument?) throws(ExplainedError) -> Int? {
        guard let argument else { return nil }
        guard let number = argument.numericValue, (1...65_535).contains(number) else {
            throw ExplainedError("The second argument is a port from 1 to 65535.")
        }
        return Int(number)
    }
}
