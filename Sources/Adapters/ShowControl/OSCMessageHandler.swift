import Basics
import Synchronization

/// Handles incoming messages: checks the passphrase, passes commands on, and starts and ends subscriptions.
final class OSCMessageHandler: Sendable {
    private let passphraseCheck: Mutex<OSCPassphraseCheck>
    private let stateReceivers: OSCStateReceivers
    private let statePublisher: OSCStatePublisher
    private let performCommand: ShowControlService.CommandHandler
    private let settings: ShowControlService.Settings
    /// Counts the refusals; set once the server listens.
    private let server = Mutex<WeakServer?>(nil)
    private let startInstant = ContinuousClock.now

    private struct WeakServer {
        weak var server: OSCServer?
    }

    init(
        _ settings: ShowControlService.Settings, _ subscribers: OSCStateReceivers,
        _ outgoing: OSCStatePublisher,
        _ command: @escaping ShowControlService.CommandHandler
    ) {
        passphraseCheck = Mutex(OSCPassphraseCheck(passphrase: settings.passphrase))
        self.settings = settings
        self.stateReceivers = subscribers
        self.statePublisher = outgoing
        self.performCommand = command
    }

    func attachServer(_ server: OSCServer) { self.server.withLock { $0 = WeakServer(server: server) } }

    func answerMessage(_ message: OSCMessage, from peer: OSCPeer) async -> [OSCMessage] {
        let requests: [ShowControlRequest]
        do throws(ExplainedError) { requests = try ShowControlRequest.parseRequests(of: message) } catch {
            return [ShowControlMessages.errorMessage(about: message.address, sentence: error.sentence)]
        }
        var answers: [OSCMessage] = []
        for request in requests { answers += await answerRequest(request, to: message, from: peer) }
        return answers
    }

    private func answerRequest(
        _ request: ShowControlRequest, to message: OSCMessage, from peer: OSCPeer
    ) async -> [OSCMessage] {
        let address = message.address
        func reply(_ detail: String = "") -> [OSCMessage] {
            [ShowControlMessages.replyMessage(to: address, detail: detail)]
        }
        func error(_ sentence: String) -> [OSCMessage] {
            [ShowControlMessages.errorMessage(about: address, sentence: sentence)]
        }
        let now = startInstant.duration(to: .now)
        switch request {
        case .ignore: return []
        case .ping: return [OSCMessage("/baton/pong", message.arguments)]
        case .passphrase(let text):
            switch passphraseCheck.withLock({ $0.tryPassphrase(text, from: peer, at: now) }) {
            case .accepted: return reply()
            case .wrong: return error("The passphrase is wrong.")
            case .lockedOut(let seconds):
                return error("Too many wrong passphrases; try again in \(seconds) s.")
            }
        default: break
        }
        guard passphraseCheck.withLock({ $0.isAdmitted(for: peer.address, at: now) }) else {
            return error("Send the passphrase first: /baton/pass, with the passphrase as a text.")
        }
        guard mayChangeAnything(peer) || !request.changesSomething else {
            server.withLock { $0?.server }?.countUnprotectedCommand(
                Self.unprotectedCommandSentence, from: peer)
            return error(Self.unprotectedCommandSentence)
        }
        switch request {
        case .ignore, .ping, .passphrase: return []
        case .performCommand(let words):
            switch await performCommand(words, peer) {
            case .done(let detail): return reply(detail)
            case .refused(let sentence): return error(sentence)
            }
        case .queryState:
            return statePublisher.latestShowState.map { ShowControlMessages.stateMessages(for: $0) } ?? []
        case .subscribeToState(let seconds, let port):
            guard stateReceivers.subscribe(peer.withUDPPort(port), seconds: seconds) else {
                return error("Too many have subscribed already; unsubscribe one, or name a fixed target.")
            }
            let state =
                port == nil
                ? statePublisher.latestShowState.map { ShowControlMessages.stateMessages(for: $0) } ?? [] : []
            return reply("\(Int(seconds ?? OSCSubscriptionLeases.defaultLeaseSeconds))") + state
        case .unsubscribeFromState(let port):
            return stateReceivers.unsubscribe(peer.withUDPPort(port))
                ? reply() : error("There was no subscription.")
        }
    }
}

extension OSCMessageHandler {
    /// True if commands of the sender are obeyed. Any program on the machine can open a TCP connection to loopback, a
    /// browser for the page of a stranger too, so a command over TCP needs a passphrase or a sender on the list.
    private func mayChangeAnything(_ peer: OSCPeer) -> Bool {
        peer.isUDP || settings.passphrase != nil || settings.serverSettings.isNamedSender(peer.address)
    }

    private static let unprotectedCommandSentence =
        "A command over TCP needs a passphrase or a named sender: start the server with --osc-passphrase, or with "
        + "--osc-allow and the sender's address, or send by UDP."
}

extension ShowControlRequest {
    /// True for commands, and for a subscription that sends to another port.
    fileprivate var changesSomething: Bool {
        switch self {
        case .performCommand, .subscribeToState(_, .some), .unsubscribeFromState(.some): true
        case .subscribeToState, .unsubscribeFromState, .queryState, .ping, .passphrase, .ignore: false
        }
    }
}

extension OSCPeer {
    /// Returns the same machine with another UDP port; returns itself if the port is nil.
    fileprivate func withUDPPort(_ port: Int?) -> OSCPeer {
        guard let port else { return self }
        return OSCPeer(address: address, port: port, transport: .udp)
    }
}
