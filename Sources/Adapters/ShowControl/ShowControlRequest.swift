/// The request that a received OSC message makes.
public enum ShowControlRequest: Hashable, Sendable {
    /// The words of a command, name first: ["nudge", "1"].
    case command([String])
    /// Asks for the state from now on, for this many seconds. If a port is given, the state goes to that port of the
    /// sender's machine.
    case subscribe(seconds: Double?, port: Int?)
    case unsubscribe(port: Int?)
    /// Asks for the whole state once.
    case query
    case ping
    case passphrase(String)
    /// Nothing is done or answered: a button was released, or Baton's own state has come back.
    case ignore
}

/// The reasons why a message is not a valid request.
public enum ShowControlFault: Error, Hashable, Sendable {
    case unknownAddress(String)
    case unknownCommand(String)
    case pattern(OSCPatternFault)
    case matchesNothing(String)
    case matchesTooMuch(String, count: Int)
    case argument(tag: Character)
    case notANumber
    case badSeconds
    case badPort
    case noPassphrase

    public var sentence: String {
        switch self {
        case .unknownAddress(let address):
            "There is no '\(address)'. Commands are '/baton/command/NAME'; see docs/show-control.md."
        case .unknownCommand(let name):
            "There is no command '\(name)'. The commands are \(ShowCommandSignature.names.joined(separator: ", "))."
        case .pattern(let fault): fault.sentence
        case .matchesNothing(let pattern): "No command matches '\(pattern)'."
        case .matchesTooMuch(let pattern, let count):
            "'\(pattern)' matches \(count) commands; at most \(ShowControlRequest.mostMatches) are done at once."
        case .argument(let tag): "A command cannot have an argument of type '\(tag)'."
        case .notANumber: "An argument is not a number (NaN or infinite)."
        case .badSeconds: "The first argument is how many seconds the subscription lasts, from 1 to 3600."
        case .badPort: "The second argument is a port from 1 to 65535."
        case .noPassphrase: "'/baton/pass' needs the passphrase as its argument."
        }
    }
}

extension ShowControlRequest {
    /// The most commands that a wildcard may match; more would be a mistake.
    static let mostMatches = 4

    private static let commandPrefix = "/baton/command/"
    private static let requestReaders:
        [String: @Sendable ([OSCArgument]) throws(ShowControlFault) -> ShowControlRequest] = [
            "/baton/subscribe": { arguments throws(ShowControlFault) in
                .subscribe(seconds: try seconds(arguments.first), port: try port(arguments.dropFirst().first))
            },
            "/baton/unsubscribe": { arguments throws(ShowControlFault) in
                .unsubscribe(port: try port(arguments.first))
            },
            "/baton/query": { _ throws(ShowControlFault) in .query },
            "/baton/ping": { _ throws(ShowControlFault) in .ping },
            "/baton/pass": { arguments throws(ShowControlFault) in
                guard case .string(let text)? = arguments.first else { throw .noPassphrase }
                return .passphrase(text)
            },
        ]

    /// Returns the requests of a message. An address with wildcards gives several, in the order of the command table.
    public static func requests(of message: OSCMessage) throws(ShowControlFault) -> [ShowControlRequest] {
        let pattern: OSCAddressPattern
        do throws(OSCPatternFault) { pattern = try OSCAddressPattern(message.address) } catch {
            throw .pattern(error)
        }
        if pattern.isPlain { return [try request(at: message.address, message.arguments)] }
        let names = ShowCommandSignature.all.map(\.name).filter { name in
            pattern.matches(commandPrefix + name) || isAlias(name) && pattern.matches("/baton/" + name)
        }
        guard !names.isEmpty else { throw .matchesNothing(message.address) }
        guard names.count <= mostMatches else {
            throw .matchesTooMuch(message.address, count: names.count)
        }
        var requests: [ShowControlRequest] = []
        for name in names { requests.append(try request(at: commandPrefix + name, message.arguments)) }
        return requests
    }

    private static func request(
        at address: String, _ arguments: [OSCArgument]
    ) throws(ShowControlFault) -> ShowControlRequest {
        if let reading = requestReaders[address] { return try reading(arguments) }
        if isEcho(address, arguments) { return .ignore }
        let name: String
        if address.hasPrefix(commandPrefix) {
            name = String(address.dropFirst(commandPrefix.count))
        } else if address.hasPrefix("/baton/"), isAlias(String(address.dropFirst(7))) {
            name = String(address.dropFirst(7))
        } else {
            throw .unknownAddress(address)
        }
        guard let shape = ShowCommandSignature.named(name) else { throw .unknownCommand(name) }
        guard let words = try shape.commandWords(arguments) else { return .ignore }
        return .command(words)
    }

    /// True if '/baton/NAME' may be written for '/baton/command/NAME': for every command whose address the state does
    /// not use, and for 'panic', which ``isEcho(_:_:)`` tells apart from the state.
    static func isAlias(_ name: String) -> Bool {
        guard ShowCommandSignature.named(name) != nil else { return false }
        return name == "panic" || !ShowControlMessages.sentAddresses.contains("/baton/" + name)
    }

    /// True if the message is a state message of Baton that came back. Under '/baton/panic', the state has a text
    /// argument and the command never has.
    private static func isEcho(_ address: String, _ arguments: [OSCArgument]) -> Bool {
        guard ShowControlMessages.sentAddresses.contains(address) else { return false }
        guard address == "/baton/panic" else { return true }
        guard case .string? = arguments.first else { return false }
        return true
    }

    private static func seconds(_ argument: OSCArgument?) throws(ShowControlFault) -> Double? {
        guard let argument else { return nil }
        guard let seconds = argument.number, (1...3_600).contains(seconds) else { throw .badSeconds }
        return seconds
    }

    private static func port(_ argument: OSCArgument?) throws(ShowControlFault) -> Int? {
        guard let argument else { return nil }
        guard let number = argument.number, (1...65_535).contains(number) else { throw .badPort }
        return Int(number)
    }
}
