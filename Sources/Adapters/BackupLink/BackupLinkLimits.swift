import NIOCore

/// The times and sizes that limit a link; tests shorten them.
package struct BackupLinkLimits: Sendable {
    /// The other server counts as alive while its last heartbeat is no older than this.
    var heartbeatTimeout: TimeAmount = .seconds(1)
    /// A peer that sends no heartbeat for this time gets no more heartbeats from this server.
    var forgetPeerAfter: TimeAmount = .seconds(60)
    /// The time within which a new connection must prove that it knows the key.
    var authenticationTimeout: TimeAmount = .seconds(3)
    /// The time without any data after which a connection is closed as dead.
    var longestSilence: TimeAmount = .seconds(4)
    /// The time after which the connection is closed if the other server accepts no log lines. The other server
    /// reconnects and continues at the same line.
    var longestLogFollowerStall: TimeAmount = .seconds(3)
    var keepAliveInterval: TimeAmount = .seconds(1)
    var firstReconnectPause: TimeAmount = .milliseconds(100)
    var longestReconnectPause: TimeAmount = .seconds(2)
    var mostUnauthenticatedConnections = 8
    var mostConnections = 16
    var mostPeers = 8
    /// The size in bytes of the memory for the newest log lines, which are sent to the other server from there.
    var recentLinesBytes = 4 << 20
    /// The time limit for the answer to a question.
    var answerTimeout: TimeAmount = .seconds(10)
    /// The number of questions that one connection answers at the same time.
    var mostConcurrentQuestions = 8
    /// The maximum number of unsent bytes in a connection's socket.
    var mostUnsentBytes = 1 << 20
    static let mostQuestionBytes = 16 << 10
    static let mostAnswerBytes = 8 << 20
}
