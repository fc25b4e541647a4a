import Foundation
import Podium
import Synchronization

@testable import BackupLink

/// A server as the link sees it: a log in memory, and what it heard.
final class OneServer: Sendable {
    struct State {
        var log: [BackupLogLine] = []
        var heard: [Heartbeat] = []
        var begunAgain = 0
        /// The number of times that the other server closed its connection.
        var closings = 0
    }
    let state = Mutex(State())

    var log: [BackupLogLine] { state.withLock { $0.log } }
    var heard: [Heartbeat] { state.withLock { $0.heard } }

    func write(_ sequence: UInt64, _ text: String? = nil) -> BackupLogLine {
        let line = BackupLogLine(sequence: sequence, bytes: Array((text ?? "{\"i\":\(sequence)}").utf8))
        state.withLock { $0.log.append(line) }
        return line
    }

    var handlers: BackupLinkHandlers {
        BackupLinkHandlers(
            heartbeat: { beat in self.state.withLock { $0.heard.append(beat) } },
            line: { line in self.state.withLock { $0.log.append(line) } },
            restartCopy: {
                self.state.withLock {
                    $0.log = []
                    $0.begunAgain += 1
                }
            },
            lastLine: { self.log.last },
            history: { after in
                Array(self.log.drop { $0.sequence <= after }.prefix(7))
            }, closedConnection: { self.state.withLock { $0.closings += 1 } })
    }

    static let key = BackupLinkKey(bytes: [UInt8](repeating: 5, count: 32))
    static let identity = LinkedServerIdentity(version: "1.0", show: "Evening", showDigest: "abc")

    func listen(port: Int = 0, limits: BackupLinkLimits = BackupLinkLimits()) async throws -> BackupLinkServer
    {
        try await BackupLinkServer(
            address: "127.0.0.1", port: port, key: Self.key, identity: Self.identity, handlers: handlers,
            limits: limits)
    }

    func dial(
        _ port: Int, key: BackupLinkKey = key, identity: LinkedServerIdentity = identity,
        limits: BackupLinkLimits = BackupLinkLimits()
    ) async throws -> BackupLinkClient {
        try await BackupLinkClient(
            address: "127.0.0.1", port: port, key: key, identity: identity, handlers: handlers, limits: limits
        )
    }
}

extension Heartbeat {
    static func of(_ name: String, term: UInt32 = 1) -> Heartbeat {
        Heartbeat(server: ServerID(name), role: .main, term: term)
    }
}

/// A difference is said in a word, not with both logs.
func areSame(_ one: OneServer, _ other: OneServer) -> Bool { one.log == other.log }
