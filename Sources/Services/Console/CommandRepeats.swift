import Synchronization
import WebServer

/// The responses to the newest commands, by their senders and ids.
///
/// A page sends a command again if no response comes, because its connection may lead nowhere. The command may have
/// arrived all the same; then the second request gets the response to the first.
final class CommandRepeats: Sendable {
    private static let mostResponses = 256
    static let longestID = 64

    private struct Key: Hashable {
        let person: String
        let id: String
    }

    private struct State {
        var responsesByKey: [Key: Task<WebResponse, Never>] = [:]
        var keysByAge: [Key] = []
    }

    private let state = Mutex(State())

    /// The response to a command, which is carried out only if its id is new.
    func respond(
        to id: String?, of person: WebPerson, carryOut: @escaping @Sendable () async -> WebResponse
    ) async -> WebResponse {
        guard let id else { return await carryOut() }
        let key = Key(person: person.id, id: id)
        let response = state.withLock { state in
            if let known = state.responsesByKey[key] { return known }
            let response = Task { await carryOut() }
            state.responsesByKey[key] = response
            state.keysByAge.append(key)
            if state.keysByAge.count > Self.mostResponses {
                state.responsesByKey[state.keysByAge.removeFirst()] = nil
            }
            return response
        }
        return await response.value
    }
}
